import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as DueTimes from "#engine/DueTimes"
import { systemdUnits } from "#engine/systemdUnits"
import { task } from "../simulated.ts"
import { fileOf, nightly, options, seconds, strict, tasks } from "./exported.ts"

/** A unit by its sections; a key that comes twice has both. */
const units = (text: string): Record<string, Record<string, ReadonlyArray<string>>> => {
  const sections: Record<string, Record<string, Array<string>>> = {}
  let section: Record<string, Array<string>> = {}
  for (const line of text.split("\n").filter((line) => line !== "")) {
    const name = /^\[(.+)\]$/.exec(line)?.[1]
    if (name !== undefined) section = sections[name] = {}
    else {
      const [, key = "", value = ""] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? []
      expect(key).not.toBe("")
      section[key] = [...(section[key] ?? []), value]
    }
  }
  return sections
}

describe("units of systemd", () => {
  const made = systemdUnits(options)
  const { files, losses } = made

  it("are a service and a timer for each pipeline", () => {
    expect(files.map(({ name }) => name)).toEqual(
      tasks.flatMap(({ name }) => [`millrace-${name}.service`, `millrace-${name}.timer`])
    )
  })

  it("say when, in which zone, with which jitter, and whether one missed time is made up for", () => {
    expect(units(fileOf(made, "millrace-nightly.timer"))).toMatchObject({
      Timer: {
        OnCalendar: ["Mon,Tue,Wed,Thu,Fri *-*-* 02:30:00 Europe/Berlin"],
        Persistent: ["true"],
        RandomizedDelaySec: ["300"]
      },
      Install: { WantedBy: ["timers.target"] }
    })
    // It would delay each run by the same time.
    expect(fileOf(made, "millrace-nightly.timer")).not.toContain("FixedRandomDelay")
    expect(units(fileOf(made, "millrace-strict.timer"))["Timer"]).toEqual({
      OnCalendar: ["*-*-* 06:00:00 UTC"],
      Persistent: ["false"],
      AccuracySec: ["1s"]
    })
  })

  it("run the file as its schedule says, whatever its path, and let a run end that is under way", () => {
    expect(units(fileOf(made, "millrace-Odd.One_2.service"))["Service"]).toMatchObject({
      Type: ["oneshot"],
      WorkingDirectory: ["/srv/it's 100%% $HOME"],
      ExecStart: [`/opt/millrace/bin/millrace schedule run --var "host=a b" "/srv/it's 100%% $$HOME/odd one.yaml"`],
      KillMode: ["mixed"]
    })
  })

  it("tell what systemd does otherwise", () => {
    expect(losses).toEqual([
      "Odd.One_2: systemd skips a time while the previous run has not finished",
      "Odd.One_2: systemd runs one missed time later, not all"
    ])
    const night = { ...strict, timing: { ...strict.timing, expression: "30 2 * * *", timezone: "Europe/Berlin" } }
    expect(systemdUnits({ ...options, tasks: [night] }).losses).toEqual([
      "strict: on the day when clocks go forward, its time does not exist, and systemd does not run it"
    ])
  })

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0

  it.runIf(hasSystemd)("are good in the eyes of systemd", () => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-units-"))
    try {
      const { files } = systemdUnits({ ...options, command: "/bin/true", tasks: [nightly, strict, seconds] })
      for (const { name, text } of files) writeFileSync(join(folder, name), text)
      const { stderr, status } = spawnSync(
        "systemd-analyze",
        ["verify", ...files.map(({ name }) => join(folder, name))],
        { encoding: "utf8" }
      )
      expect(stderr.split("\n").filter((line) => line.includes("millrace-"))).toEqual([])
      expect(status).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** The lines of a timer that say when it is due. */
const make = (expression: string): ReadonlyArray<string> => {
  const { files } = systemdUnits({ ...options, tasks: [task("due", expression, { timezone: "UTC" })] })
  return [...fileOf({ files, losses: [] }, "millrace-due.timer").matchAll(/^OnCalendar=(.+)$/gm)].map(
    ([, line = ""]) => line
  )
}

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
      const times = DueTimes.of(timing)
      const dues: Array<number> = []
      for (let due = times.next(Date.parse("2026-05-31T23:59:59Z")); dues.length < 12 && due !== undefined; ) {
        dues.push(due)
        due = times.next(due)
      }
      const found = make(expression).flatMap((line) =>
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
