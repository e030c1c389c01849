import { describe, expect, it } from "vitest"
import * as Instant from "../../../src/extract/value/Instant.ts"

describe("Instant", () => {
  it.each([
    ["2026-05-03T09:00:00+02:00", "2026-05-03T09:00:00+02:00"],
    ["2026-05-03T09:00Z", "2026-05-03T09:00:00Z"],
    ["2026-05-03", "2026-05-03T00:00:00Z"],
    ["8:25 p.m. Dec. 12, 2014", "2014-12-12T20:25:00Z"],
    ["Wed Aug 05 12:00:00 2015", "2015-08-05T12:00:00Z"],
    ["22 January 2015 at 14h40", "2015-01-22T14:40:00Z"],
    ["18.10.14 um 22:56 Uhr", "2014-10-18T22:56:00Z"],
    ["Fri, 09 Sep 2005 13:51:39 -0700", "2005-09-09T13:51:39-07:00"],
    ["November 19, 2014 at noon", "2014-11-19T12:00:00Z"]
  ])("%s is %s", (text, instant) => {
    expect(Instant.parse(text, { language: "en" })).toBe(instant)
  })

  it("is none without a day", () => {
    expect(Instant.parse("14:40")).toBeUndefined()
  })

  it("knows whether a text says a point in time and nothing else", () => {
    expect(Instant.isWhole("Monday, 3 May 2026 at 10:00")).toBe(true)
    expect(Instant.isWhole("Posted by Ada, 3 May 2026")).toBe(false)
  })
})
