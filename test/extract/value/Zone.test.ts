import { describe, expect, it } from "vitest"
import { offsetOf, zoneBehind } from "#extract/value/Instant"

describe("a zone", () => {
  it.each([
    ["CST", "zh-CN", "+08:00"],
    ["CST", "en", "-06:00"],
    ["IST", "en-IN", "+05:30"],
    ["IST", "he", "+02:00"],
    ["IST", "en", undefined],
    ["UTC+5:30", undefined, "+05:30"],
    ["МСК", "ru", "+03:00"],
    ["XYZ", "en", undefined]
  ])("%s on a page in %s is %s", (zone, language, offset) => {
    expect(offsetOf(zone, language)).toBe(offset)
  })

  it("is seen behind a time where it is not known", () => {
    expect([" ET", " (ACST)", " Europe/Berlin", " TSİ"].map(zoneBehind)).toEqual(["ET", "ACST", "Europe/Berlin", "TSİ"])
    expect([" EVENTS", " Uhr", " at the quay", " LIVE", ""].map(zoneBehind)).toEqual(Array(5).fill(undefined))
  })
})
