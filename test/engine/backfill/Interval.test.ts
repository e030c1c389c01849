import { describe, expect, it } from "vitest"
import * as Interval from "#engine/Interval"

const at = (text: string): number => Interval.parseMoment(text) ?? Number.NaN
const every = (text: string): Interval.Every => Interval.parseEvery(text) ?? { millis: Number.NaN }
const split = (from: string, to: string, step: string) =>
  Interval.split(at(from), at(to), every(step))?.map(Interval.shown)

describe("a stretch of time", () => {
  it("is split without a gap, and the last interval ends where it ends", () => {
    expect(split("2026-02-27", "2026-03-01T12:00", "1d")).toEqual([
      "2026-02-27 .. 2026-02-28",
      "2026-02-28 .. 2026-03-01",
      "2026-03-01T00:00:00Z .. 2026-03-01T12:00:00Z"
    ])
    expect(split("2026-01-01", "2026-01-01T01:00", "30m")).toHaveLength(2)
    expect(split("2026-01-01", "2026-01-01", "1h")).toEqual([])
  })

  it("is split by months of the calendar, of which the shorter ones end sooner", () => {
    expect(split("2026-01-31", "2026-05-01", "1 month")).toEqual([
      "2026-01-31 .. 2026-02-28",
      "2026-02-28 .. 2026-03-31",
      "2026-03-31 .. 2026-04-30",
      "2026-04-30 .. 2026-05-01"
    ])
    expect(split("2025-12-01T06:00", "2026-02-01T06:00", "1 month")).toEqual([
      "2025-12-01T06:00:00Z .. 2026-01-01T06:00:00Z",
      "2026-01-01T06:00:00Z .. 2026-02-01T06:00:00Z"
    ])
  })

  it("is not split into more than anybody can mean", () => {
    expect(split("2000-01-01", "2026-01-01", "1m")).toBeUndefined()
  })
})

describe("an interval", () => {
  it("has one name as a pipeline, which says what it is, and nobody else has it", () => {
    const interval = { start: at("2026-01-01"), end: at("2026-01-01T06:30:05+01:00") }
    const name = Interval.pipelineOf("shop", interval)

    expect(name).toBe("shop@20260101T000000Z..20260101T053005Z")
    expect(Interval.ofPipeline("shop", name)).toEqual(interval)
    expect(
      ["shop", "sho", "shop.b", "shop@backfill"].map((other) => Interval.ofPipeline(other, name) ?? other)
    ).toEqual([interval, "sho", "shop.b", "shop@backfill"])
    expect(Interval.ofPipeline("shop", "shop@20261301T000000Z..20260102T000000Z")).toBeUndefined()
  })

  it("overlaps another where they share a moment; its end is not in it", () => {
    const [one, two] = Interval.split(at("2026-01-01"), at("2026-01-03"), every("1d")) ?? []
    const across = { start: at("2026-01-01T12:00"), end: at("2026-01-02T12:00") }
    if (one === undefined || two === undefined) throw new Error("there are two")

    expect([Interval.overlaps(one, two), Interval.overlaps(one, across), Interval.overlaps(across, two)]).toEqual([
      false,
      true,
      true
    ])
  })

  it("fills in its bounds, as times and as days", () => {
    expect(Interval.variables({ start: at("2026-01-01"), end: at("2026-01-01T06:00") })).toEqual({
      start: "2026-01-01T00:00:00Z",
      end: "2026-01-01T06:00:00Z",
      start_date: "2026-01-01",
      end_date: "2026-01-01"
    })
  })
})

describe("what is written", () => {
  it("is a day, a time of UTC, or a time that says its offset; no part of a second", () => {
    expect(["2026-01-02", "2026-01-02T00:00", "2026-01-02 00:00:00", "2026-01-02T01:00:00+01:00"].map(at)).toEqual(
      Array(4).fill(Date.UTC(2026, 0, 2))
    )
    expect(["2026-02-30", "today", "", "2026-01-02T00:00:00.5Z"].map(Interval.parseMoment)).toEqual(
      Array(4).fill(undefined)
    )
  })

  it("is a step that is longer than nothing", () => {
    expect(["90s", "1h", "2 days", "1w", "3 months", "1month"].map(Interval.parseEvery)).toEqual([
      { millis: 90_000 },
      { millis: 3_600_000 },
      { millis: 172_800_000 },
      { millis: 604_800_000 },
      { months: 3 },
      { months: 1 }
    ])
    expect(["0d", "d", "1y", "-1d", "99999999999999d"].map(Interval.parseEvery)).toEqual(Array(5).fill(undefined))
  })
})
