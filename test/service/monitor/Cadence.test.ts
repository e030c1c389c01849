import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Cadence from "#service/monitor/Cadence"

const now = Date.parse("2026-03-02T10:07:00Z")
const cronOf = (text: string) => Result.getOrUndefined(Cadence.parse({ text }, now))?.cron
const faultOf = (asked: Cadence.ScheduleText) => Result.getOrUndefined(Result.flip(Cadence.parse(asked, now)))
const times = (cadence: Cadence.Cadence, from: string, count: number) => {
  const found: Array<string> = []
  let at = Date.parse(from)
  while (found.length < count) {
    at = Cadence.nextAfter(cadence, at) ?? Number.NaN
    found.push(new Date(at).toISOString())
  }
  return found
}

describe("the words that clients write", () => {
  it("are the cron expressions that they mean", () => {
    const said = {
      "every 30 minutes": "*/30 * * * *",
      "every 5 minutes": "*/5 * * * *",
      "every 60 minutes": "0 * * * *",
      hourly: "0 * * * *",
      "Hourly at :15": "15 * * * *",
      "every 6 hours": "0 */6 * * *",
      "every 6 hours at :20": "20 */6 * * *",
      "every 24 hours": "0 0 * * *",
      daily: "0 0 * * *",
      "daily at 9:00": "0 9 * * *",
      "every night": "0 0 * * *",
      "every night at 2am": "0 2 * * *",
      "first monday of the month at noon": "0 12 */31,1-7 * 1",
      "on the first friday of every month": "0 0 */31,1-7 * 5",
      "@hourly": "0 * * * *",
      "every day at 9:30 pm": "30 21 * * *",
      "daily at 12am": "0 0 * * *",
      "weekdays at 9am": "0 9 * * 1-5",
      weekly: "0 0 * * 1",
      "weekly on friday at 17:05": "5 17 * * 5",
      "every monday at 9": "0 9 * * 1",
      "monthly on the 15th at noon": "0 12 15 * *"
    }

    expect(Object.fromEntries(Object.keys(said).map((text) => [text, cronOf(text)]))).toEqual(said)
  })

  it("that no expression can keep are refused and say which can", () => {
    expect(faultOf({ text: "every 7 hours" })?.message).toMatch(/7 hours do not divide a day/)
    expect(faultOf({ text: "every 45 minutes" })?.message).toMatch(/45 minutes do not divide an hour/)
    expect(faultOf({ text: "when the moon is full" })?.message).toMatch(/is not understood; use every 30 minutes/)
    expect(faultOf({ text: "daily at 25:00" })?.message).toMatch(/not a time of day/)
    expect(faultOf({ text: "hourly at :75" })?.message).toMatch(/:00 to :59/)
  })
})

describe("a schedule", () => {
  it("of less than five minutes is refused, however it is written", () => {
    for (const cron of ["* * * * *", "*/4 * * * *", "0,3 9 * * *", "58,1 * * * *", "0,59 0,23 * * *"]) {
      expect([cron, faultOf({ cron })?.message]).toEqual([cron, expect.stringMatching(/every 5 minutes/)])
    }
    expect(faultOf({ text: "every minute" })?.message).toMatch(/every 5 minutes/)
    expect(Result.isSuccess(Cadence.parse({ cron: "*/5 * * * *" }, now))).toBe(true)
    expect(Result.isSuccess(Cadence.parse({ cron: "2,59 9 * * *" }, now))).toBe(true)
  })

  it("that is no cron expression, or in no time zone, or that never comes, says what is wrong", () => {
    expect(faultOf({ cron: "every day" })).toMatchObject({
      field: "cron",
      message: expect.stringMatching(/five fields/)
    })
    expect(faultOf({ cron: "0 0 9 * * *" })?.message).toMatch(/five fields/)
    expect(faultOf({ cron: "0 25 * * *" })).toMatchObject({ field: "cron" })
    expect(faultOf({ cron: "0 9 * * *", timezone: "Mars/Base" })).toMatchObject({ field: "timezone" })
    expect(faultOf({ cron: "0 9 30 2 *" })?.message).toMatch(/never occurs/)
  })

  it("keeps local time over changes of clocks: what is left out comes at the next moment, what comes twice comes once", () => {
    const nightly = { cron: "30 2 * * *", timezone: "Europe/Berlin" }

    expect(times(nightly, "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:30:00.000Z",
      "2026-03-30T00:30:00.000Z"
    ])
    expect(times(nightly, "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"])
  })

  it("on the first monday of the month is on no other day", () => {
    const cron = cronOf("first monday of the month at noon") ?? ""

    expect(times({ cron, timezone: "UTC" }, "2026-01-01T00:00:00Z", 4)).toEqual([
      "2026-01-05T12:00:00.000Z",
      "2026-02-02T12:00:00.000Z",
      "2026-03-02T12:00:00.000Z",
      "2026-04-06T12:00:00.000Z"
    ])
  })

  it("says how many checks a month has", () => {
    expect(Cadence.inMonth({ cron: "*/5 * * * *", timezone: "UTC" }, now)).toBeCloseTo(8640, -2)
    expect(Cadence.inMonth({ cron: "0 9 * * *", timezone: "UTC" }, now)).toBe(30)
    expect(Cadence.inMonth({ cron: "0 0 * * 1", timezone: "UTC" }, now)).toBe(4)
  })
})
