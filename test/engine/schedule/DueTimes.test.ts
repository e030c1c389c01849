import { describe, expect, it } from "@effect/vitest"
import * as Cron from "effect/Cron"
import * as DueTimes from "#engine/DueTimes"
import { decideDue } from "#engine/DueTimes"
import { sampleOf } from "../../thoroughness.ts"

const dues = (expression: string, timezone: string, from: string, until: string): ReadonlyArray<string> =>
  DueTimes.between(DueTimes.of({ expression, timezone }), Date.parse(from), Date.parse(until)).map((due) =>
    new Date(due).toISOString().slice(5, 16).replace("T", " ")
  )

describe("clocks that go forward", () => {
  it("make a time that does not exist due once, at the first moment after it", () => {
    expect(dues("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00Z", "2026-03-31T00:00Z")).toEqual([
      "03-28 01:30",
      "03-29 01:00",
      "03-30 00:30"
    ])
    expect(dues("30 2 * * *", "America/New_York", "2026-03-07T00:00Z", "2026-03-10T00:00Z")).toEqual([
      "03-07 07:30",
      "03-08 07:00",
      "03-09 06:30"
    ])
    expect(dues("10 2 * * *", "Australia/Lord_Howe", "2026-10-02T20:00Z", "2026-10-05T00:00Z")).toEqual([
      "10-03 15:30",
      "10-04 15:10"
    ])
  })

  it("make several times that do not exist due once together, and with what is due then anyway", () => {
    expect(dues("*/15 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", "2026-03-29T12:00Z")).toEqual(["03-29 01:00"])
    expect(dues("30 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00Z", "2026-03-29T12:00Z")).toEqual([
      "03-29 01:00",
      "03-29 01:30"
    ])
    expect(dues("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:00Z", "2026-03-29T02:00Z")).toEqual([
      "03-29 00:30",
      "03-29 01:00",
      "03-29 01:30",
      "03-29 02:00"
    ])
  })
})

describe("clocks that go back", () => {
  it("make a time that comes twice due once, the first time", () => {
    expect(dues("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", "2026-10-27T00:00Z")).toEqual([
      "10-25 00:30",
      "10-26 01:30"
    ])
    expect(dues("0,30 1-3 * * *", "Europe/Berlin", "2026-10-24T12:00Z", "2026-10-25T12:00Z")).toEqual([
      "10-24 23:00",
      "10-24 23:30",
      "10-25 00:00",
      "10-25 00:30",
      "10-25 02:00",
      "10-25 02:30"
    ])
  })

  it("leave no hole where every hour is meant", () => {
    expect(dues("0 * * * *", "America/New_York", "2026-11-01T04:30Z", "2026-11-01T08:30Z")).toEqual([
      "11-01 05:00",
      "11-01 06:00",
      "11-01 07:00",
      "11-01 08:00"
    ])
  })

  it("are asked from anywhere in the hour that comes twice", () => {
    const times = DueTimes.of({ expression: "*/20 2 * * *", timezone: "Europe/Berlin" })
    const next = (from: string) => new Date(times.next(Date.parse(from)) ?? 0).toISOString().slice(5, 16)
    expect(next("2026-10-25T00:21Z")).toBe("10-25T00:40")
    expect(next("2026-10-25T00:40Z")).toBe("10-26T01:00")
    expect(next("2026-10-25T01:10Z")).toBe("10-26T01:00")
  })
})

describe("due times", () => {
  /** Every minute of the wall, asked whether the expression means it, and where it falls: slow, and by another way. */
  const counted = (expression: string, timezone: string, from: number, until: number): ReadonlyArray<number> => {
    const cron = Cron.parseUnsafe(expression, "UTC")
    const isHourly = cron.hours.size === 0
    const format = new Intl.DateTimeFormat("en-CA", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit"
    })
    const wallOf = (instant: number): number => {
      const [date = "", time = ""] = format.format(instant).split(", ")
      return Date.parse(`${date}T${time}Z`)
    }
    const found = new Set<number>()
    const seen = new Set<number>()
    let before = wallOf(from - 60_000)
    for (let past = from - 180 * 60_000; past < from; past += 60_000) seen.add(wallOf(past))
    for (let instant = from; instant <= until; instant += 60_000) {
      const wall = wallOf(instant)
      for (let skipped = before + 60_000; skipped < wall; skipped += 60_000) {
        if (Cron.match(cron, skipped)) found.add(instant)
      }
      if (Cron.match(cron, wall) && (isHourly || !seen.has(wall))) found.add(instant)
      seen.add(wall)
      before = wall
    }
    return [...found].sort((a, b) => a - b)
  }

  const around = [
    ["Europe/Berlin", "2026-03-29T01:00Z"],
    ["Europe/Berlin", "2026-10-25T01:00Z"],
    ["America/New_York", "2026-03-08T07:00Z"],
    ["America/New_York", "2026-11-01T06:00Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00Z"],
    ["Australia/Lord_Howe", "2026-10-03T15:30Z"],
    ["America/Santiago", "2026-09-06T04:00Z"],
    ["Asia/Kathmandu", "2026-05-01T00:00Z"]
  ] as const

  it.each(sampleOf(around, 3, String))(
    "of %s around %s are those that a count of all minutes finds",
    (timezone, middle) => {
      const [from, until] = [Date.parse(middle) - 36 * 3_600_000, Date.parse(middle) + 36 * 3_600_000]
      for (const expression of [
        "30 2 * * *",
        "*/10 * * * *",
        "0,45 0-4 * * *",
        "15 */2 * * *",
        "5 1 * * 0",
        "0 0 1,8,25,29 * 1",
        "59 23 * * *"
      ]) {
        const times = DueTimes.of({ expression, timezone })
        expect([expression, DueTimes.between(times, from - 1, until)]).toEqual([
          expression,
          counted(expression, timezone, from, until)
        ])
      }
    }
  )

  it("of a year of minutes are the newest, and quickly found", () => {
    const times = DueTimes.of({ expression: "* * * * *", timezone: "Europe/Berlin" })
    const until = Date.parse("2026-06-01T00:00Z")
    const found = DueTimes.between(times, Date.parse("2025-06-01T00:00Z"), until)

    expect(found.length).toBeGreaterThan(400)
    expect(found.length).toBeLessThanOrEqual(1000)
    expect(found).toEqual(found.map((_, at) => until - (found.length - 1 - at) * 60_000))
  })

  it("of a day that no calendar has are none", () => {
    expect(DueTimes.of({ expression: "0 0 30 2 *", timezone: "UTC" }).next(0)).toBe(undefined)
  })
})

const hour = 3_600_000
const hourly = [1, 2, 3, 4].map((nth) => nth * hour)
const decided = (catchUp: "none" | "last" | "all", now: number) => {
  const { missed, run } = decideDue(catchUp, hourly, now, 60_000)
  return {
    run: run.map(({ due, makesUp }) => `${due / hour}${makesUp ? " made up" : ""}`),
    missed: missed.map((due) => due / hour)
  }
}

describe("times that came while nobody was there", () => {
  it("are left out, and counted, with none", () => {
    expect(decided("none", 4.5 * hour)).toEqual({ run: [], missed: [1, 2, 3, 4] })
  })
  it("are made up for by one run with last", () => {
    expect(decided("last", 4.5 * hour)).toEqual({ run: ["4 made up"], missed: [1, 2, 3] })
  })
  it("are made up for one by one with all", () => {
    expect(decided("all", 4.5 * hour)).toEqual({
      run: ["1 made up", "2 made up", "3 made up", "4 made up"],
      missed: []
    })
  })
})

describe("a time that is on time", () => {
  it("runs whatever is said of others, and makes up for those before it with last", () => {
    expect(decided("none", 4 * hour + 60_000)).toEqual({ run: ["4"], missed: [1, 2, 3] })
    expect(decided("last", 4 * hour + 60_000)).toEqual({ run: ["4"], missed: [1, 2, 3] })
    expect(decided("all", 4 * hour)).toEqual({ run: ["1 made up", "2 made up", "3 made up", "4"], missed: [] })
  })
})
