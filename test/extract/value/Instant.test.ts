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

  it.each([
    ["2016年3月20日(日) 21時40分", "ja", "2016-03-20T21:40:00Z"],
    ["2026/05/03 午前0時", "ja", "2026-05-03T00:00:00Z"],
    ["2016年9月14日晚8:00", "zh", "2016-09-14T20:00:00Z"],
    ["2026年5月3日 下午3点5分", "zh", "2026-05-03T15:05:00Z"],
    ["2026년 5월 3일 오후 3:05", "ko", "2026-05-03T15:05:00Z"],
    ["12 जनवरी 1997 11:08 अपराह्न", "hi", "1997-01-12T23:08:00Z"],
    ["١٢ يناير ٢٠٢٤، ١١:٠٨ م", "ar", "2024-01-12T23:08:00Z"],
    ["۱۲ مرداد ۱۴۰۳ ساعت ۱۱:۰۸ ق.ظ", "fa", "2024-08-02T11:08:00Z"],
    ["3 Μαΐου 2026 8:15 μ.μ.", "el", "2026-05-03T20:15:00Z"]
  ])("%s in %s is %s", (text, language, instant) => {
    expect(Instant.parse(text, { language })).toBe(instant)
  })

  it("is none without a day", () => {
    expect(Instant.parse("14:40")).toBeUndefined()
  })

  it("knows whether a text says a point in time and nothing else", () => {
    expect(Instant.isWhole("Monday, 3 May 2026 at 10:00")).toBe(true)
    expect(Instant.isWhole("Posted by Ada, 3 May 2026")).toBe(false)
  })
})
