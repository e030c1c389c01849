import { execFileSync, spawnSync } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import * as DueTimes from "../../../src/schedule/DueTimes.ts"
import * as OnCalendar from "../../../src/schedule/export/OnCalendar.ts"

const make = (expression: string) => OnCalendar.make({ expression, timezone: "UTC" })

describe("calendar events", () => {
  it("are one line, or two where cron means a day of the month or a weekday", () => {
    expect(make("30 2 * * 1-5")).toEqual(["Mon,Tue,Wed,Thu,Fri *-*-* 02:30:00 UTC"])
    expect(make("0 12 13 * fri")).toEqual(["*-*-13 12:00:00 UTC", "Fri *-*-* 12:00:00 UTC"])
    expect(make("0 12 */13 * fri")).toEqual(["Fri *-*-01,14,27 12:00:00 UTC"])
    expect(make("*/30 * * * * *")).toEqual(["*-*-* *:*:00,30 UTC"])
  })

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0

  it
    .runIf(hasSystemd)
    .each(["30 2 * * 1-5", "*/20 0-4 1,15 * mon", "0 0 */10 * *", "15,45 8-10 * 2,6 *", "0 12 13 * fri"])(
    "of %s are due when it is",
    (expression) => {
      const timing = { expression, timezone: "UTC" }
      const times = DueTimes.make(timing)
      const dues: Array<number> = []
      for (let due = times.next(Date.parse("2026-05-31T23:59:59Z")); dues.length < 12 && due !== undefined; ) {
        dues.push(due)
        due = times.next(due)
      }
      const found = OnCalendar.make(timing).flatMap((line) =>
        execFileSync("systemd-analyze", ["calendar", "--iterations=12", "--base-time=2026-05-31 23:59:59 UTC", line], {
          encoding: "utf8",
          env: { ...process.env, TZ: "UTC" }
        })
          .split("\n")
          .flatMap((text) => {
            const [, date, time] = /(?:elapse|Iteration #\d+|Iter\. #\d+): \w{3} (\S+) (\S+) UTC/.exec(text) ?? []
            return date === undefined ? [] : [Date.parse(`${date}T${time}Z`)]
          })
      )
      expect([...new Set(found)].sort((a, b) => a - b).slice(0, 12)).toEqual(dues)
    }
  )
})
