import { expect, it } from "vitest"
import * as Instant from "#engine/Instant"

it("a text is a point in time by its offset, to the microsecond", () => {
  expect(Instant.microsOf("2026-11-21T04:23:05.25+01:00")).toBe(1_795_231_385_250_000n)
  expect(Instant.microsOf("2026-11-21t03:23:05.250000999z")).toBe(1_795_231_385_250_000n)
  expect(Instant.microsOf("1969-12-31T23:59:59.999999Z")).toBe(-1n)
})

it("the leap second is the first of the next minute, and only the last minute of a day has it", () => {
  expect(Instant.microsOf("1990-12-31T15:59:60-08:00")).toBe(Instant.microsOf("1991-01-01T00:00:00Z"))
  expect(Instant.microsOf("1998-12-31T23:58:60Z")).toBeUndefined()
})

it("what the calendar or the clock does not have is no point in time", () => {
  for (const text of [
    "2026-02-29T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:61Z",
    "2026-01-01T00:00:00",
    "2026-01-01",
    "2026-01-01T00:00:00+24:00",
    "2026-13-01T00:00:00Z",
    "tomorrow"
  ]) {
    expect(Instant.microsOf(text)).toBeUndefined()
  }
})

it("every point in time reads as it is written, as JavaScript's own dates do", () => {
  for (let millis = -62_167_219_200_000; millis < 253_402_300_800_000; millis += 7_777_777_777_777) {
    const text = new Date(millis).toISOString()
    expect(Instant.microsOf(text)).toBe(BigInt(millis) * 1000n)
    expect(Instant.microsOf(Instant.textOf(BigInt(millis) * 1000n))).toBe(BigInt(millis) * 1000n)
  }
  expect(Instant.textOf(0n)).toBe("1970-01-01T00:00:00Z")
  expect(Instant.textOf(-1n)).toBe("1969-12-31T23:59:59.999999Z")
  expect(Instant.textOf(1_500_000n)).toBe("1970-01-01T00:00:01.500Z")
  expect(Instant.textOf(9_223_372_036_854_775_806n)).toBe("+294247-01-10T04:00:54.775806Z")
  expect(Instant.textOf(-9_223_372_022_400_000_000n)).toBe("-290308-12-22T00:00:00Z")
})

it("what has no end or no beginning, and days of any year, read as they are written", () => {
  for (const [micros, text] of [
    [9_223_372_036_854_775_807n, "infinity"],
    [-9_223_372_036_854_775_807n, "-infinity"]
  ] as const) {
    expect([Instant.textOf(micros), Instant.writtenMicrosOf(text)]).toEqual([text, micros])
  }
  for (const [days, text] of [
    [2_147_483_647, "infinity"],
    [-2_147_483_647, "-infinity"],
    [2_147_483_646, "+5881580-07-10"],
    [-735_226, "-000043-01-08"],
    [-719_468, "0000-03-01"],
    [0, "1970-01-01"]
  ] as const) {
    expect([Instant.dayTextOf(days), Instant.writtenDaysOf(text)]).toEqual([text, days])
  }
  expect(Instant.writtenDaysOf("yesterday")).toBeUndefined()
})
