import { describe, expect, it } from "vitest"
import * as Instant from "#extract/value/Instant"

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

  it.each([
    ["2025年5月3日15時半", "ja", "2025-05-03T15:30:00Z"],
    ["2025年5月3日 正午", "ja", "2025-05-03T12:00:00Z"],
    ["2025年5月3日 夜8時", "ja", "2025-05-03T20:00:00Z"],
    ["2025年5月3日下午三时", "zh", "2025-05-03T15:00:00Z"],
    ["2025年5月3日 上午9点一刻", "zh", "2025-05-03T09:15:00Z"],
    ["2025년 5월 3일 오후 3시 반", "ko", "2025-05-03T15:30:00Z"],
    ["3 мая 2025, 15:05 мск", "ru", "2025-05-03T15:05:00+03:00"],
    ["3 мая 2025, 9:30 вечера", "ru", "2025-05-03T21:30:00Z"],
    ["3 مايو 2025 الساعة 3:05 مساءً", "ar", "2025-05-03T15:05:00Z"],
    ["3 मई 2025, शाम 5:30 बजे", "hi", "2025-05-03T17:30:00Z"],
    ["3 मई 2025, रात 12:30 बजे", "hi", "2025-05-03T00:30:00Z"],
    ["3 Mayıs 2025 ÖS 3:05", "tr", "2025-05-03T15:05:00Z"],
    ["03/05/2025 3:05 CH", "vi", "2025-05-03T15:05:00Z"],
    ["03/05/2025, 15:05 (GMT+7)", "vi", "2025-05-03T15:05:00+07:00"],
    ["3 พ.ค. 2568 เวลา 15.05 น.", "th", "2025-05-03T15:05:00Z"],
    ["3. Mai 2025 um 15:05 Uhr MESZ", "de", "2025-05-03T15:05:00+02:00"],
    ["3. maj 2025 kl. 15.05", "da", "2025-05-03T15:05:00Z"],
    ["3 Mei 2025, 15.05 WIB", "id", "2025-05-03T15:05:00+07:00"],
    ["3 mai 2025 à 15 h 05", "fr", "2025-05-03T15:05:00Z"],
    ["3 mai 2025 à 15h", "fr", "2025-05-03T15:00:00Z"],
    ["2025-05-03 15:05 UTC−5", "en", "2025-05-03T15:05:00-05:00"]
  ])("%s in %s is %s: halves of the day, points and zones", (text, language, instant) => {
    expect(Instant.parse(text, { language })).toBe(instant)
  })

  it.each([
    ["3. Mai 2025, 12.50 Euro", "de"],
    ["3 mai 2025 (2 h)", "fr"],
    ["3 May 2025, version 2.10 of 4", "en"]
  ])("%s says no time of day", (text, language) => {
    expect(Instant.parse(text, { language })).toBe("2025-05-03T00:00:00Z")
  })

  it.each([
    ["Sep 12, 2025 7:30 PM IST", "en-IN", "2025-09-12T19:30:00+05:30"],
    ["Sep 12, 2025 7:30 PM IST", "en", undefined],
    ["2025-09-12 19:30 CST", "zh-CN", "2025-09-12T19:30:00+08:00"],
    ["Sep 12, 2025, 7:30 p.m. ET", "en", undefined],
    ["12 Sep 2025, 19:30 (Europe/Berlin)", "en", undefined],
    ["12.09.2025 24:00", "de", undefined],
    ["12 Sep 2025 19:30 LIVE", "en", "2025-09-12T19:30:00Z"]
  ])("%s in %s is %s, because a zone that is not known is not UTC", (text, language, instant) => {
    expect(Instant.parse(text, { language })).toBe(instant)
  })

  it("is none where the hour is one that no clock has", () => {
    expect(Instant.parse("2025年5月3日 25時00分", { language: "ja" })).toBeUndefined()
  })

  it("is none without a day", () => {
    expect(Instant.parse("14:40")).toBeUndefined()
  })

  it("knows whether a text says a point in time and nothing else", () => {
    expect(Instant.isWhole("Monday, 3 May 2026 at 10:00")).toBe(true)
    expect(Instant.isWhole("Posted by Ada, 3 May 2026")).toBe(false)
  })
})

describe("a zone", () => {
  it.each([
    ["CST", "zh-CN", "+08:00"],
    ["CST", "en", "-06:00"],
    ["IST", "en-IN", "+05:30"],
    ["IST", "he", "+02:00"],
    ["IST", "en", undefined],
    ["UTC+5:30", undefined, "+05:30"],
    ["МСК", "ru", "+03:00"],
    ["XYZ", "en", "Z"]
  ])("%s on a page in %s is %s", (zone, language, offset) => {
    const said = Instant.parse(`3 May 2026 09:00 ${zone}`, language === undefined ? {} : { language })
    expect(said).toBe(offset === undefined ? undefined : `2026-05-03T09:00:00${offset}`)
  })

  it("is seen behind a time where it is not known", () => {
    const at = (behind: string) => Instant.parse(`3 May 2026 09:00${behind}`)
    expect([" ET", " (ACST)", " Europe/Berlin", " TSİ"].map(at)).toEqual(Array(4).fill(undefined))
    expect([" EVENTS", " Uhr", " at the quay", " LIVE", ""].map(at)).toEqual(Array(5).fill("2026-05-03T09:00:00Z"))
  })
})
