import { describe, expect, it } from "vitest"
import * as Day from "#extract/value/Day"

describe("Day", () => {
  it.each([
    ["2026-05-03", undefined, "2026-05-03"],
    ["20260503", undefined, "2026-05-03"],
    ["May 3rd, 2026", undefined, "2026-05-03"],
    ["Sunday, 3 May 2026", undefined, "2026-05-03"],
    ["3. Mai 2026", "de", "2026-05-03"],
    ["12-Mär-2014", "de", "2014-03-12"],
    ["le 1er février 2026", "fr", "2026-02-01"],
    ["21 de octubre de 2014", "es", "2014-10-21"],
    ["26 gennaio 2014", "it", "2014-01-26"],
    ["10 de junho de 2014", "pt", "2014-06-10"],
    ["14 maart 2014", "nl", "2014-03-14"],
    ["2026年5月3日", undefined, "2026-05-03"],
    ["13/03/2014", "en", "2014-03-13"],
    ["03/05/2026", "en", "2026-03-05"],
    ["03/05/2026", "en-GB", "2026-05-03"],
    ["03.05.26", "de", "2026-05-03"]
  ])("%s in %s is %s", (text, language, day) => {
    expect(Day.parse(text, language === undefined ? {} : { language })).toBe(day)
  })

  it.each([
    ["٣ مايو ٢٠٢٦", undefined, "2026-05-03"],
    ["3 كانون الثاني 2024", "ar", "2024-01-03"],
    ["5 جانفي 2024", "ar-DZ", "2024-01-05"],
    ["3 במאי 2026", "he", "2026-05-03"],
    ["5 مئی 2024", "ur", "2024-05-05"],
    ["24 मई 1997", "hi", "1997-05-24"],
    ["सन् 1989 11 फ़रवरी", "hi", "1989-02-11"],
    ["28 दिसम्बर 2000", undefined, "2000-12-28"],
    ["३ मे २०२६", "mr", "2026-05-03"],
    ["২৫শে মার্চ ১৯৭১", "bn", "1971-03-25"],
    ["15 பிப்ரவரி 2023", "ta", "2023-02-15"],
    ["5 tháng 3 năm 2026", "vi", "2026-03-05"],
    ["05 Tháng một 2015", "vi", "2015-01-05"],
    ["12 Hulyo 2003", "fil", "2003-07-12"],
    ["17 Agustus 2024", "id", "2024-08-17"],
    ["2011 წლის 17 მარტი", "ka", "2011-03-17"],
    ["15 փետրվարի 2023", "hy", "2023-02-15"],
    ["5 жніўня 2015", "be", "2015-08-05"],
    ["15. фебруар 2023.", "sr", "2023-02-15"],
    ["2026년 5월 3일", undefined, "2026-05-03"],
    ["２０２６年５月３日", undefined, "2026-05-03"],
    ["二〇二六年十二月三十一日", undefined, "2026-12-31"]
  ])("%s in %s is %s, in the scripts of the world", (text, language, day) => {
    expect(Day.parse(text, language === undefined ? {} : { language })).toBe(day)
  })

  it.each([
    ["۱۲ مرداد ۱۴۰۳", "fa", "2024-08-02"],
    ["12 مرداد 1403", undefined, "2024-08-02"],
    ["1403/05/12", "fa-IR", "2024-08-02"],
    ["30 اسفند 1403", "fa", "2025-03-20"],
    ["1 فروردین 1404", "fa", "2025-03-21"],
    ["31 اسفند 1403", "fa", undefined],
    ["۲۶ نوامبر ۲۰۲۶", "fa", "2026-11-26"],
    ["11 ก.พ. 2563", "th", "2020-02-11"],
    ["5 มกราคม พ.ศ. 2567", "th", "2024-01-05"],
    ["12/05/2567", "th", "2024-05-12"],
    ["1 เดือนตุลาคม 2005", undefined, "2005-10-01"],
    ["令和8年5月3日", "ja", "2026-05-03"],
    ["令和元年5月1日", undefined, "2019-05-01"],
    ["昭和64年1月7日", undefined, "1989-01-07"],
    ["民國115年5月3日", undefined, "2026-05-03"],
    ["24年5月3日", "ja", undefined],
    ["平成30年度", "ja", undefined]
  ])("%s in %s is %s, of calendars that count other years", (text, language, day) => {
    expect(Day.parse(text, language === undefined ? {} : { language })).toBe(day)
  })

  it.each([
    ["2025年（令和7年）5月3日", "ja", "2025-05-03"],
    ["令和7年（2025年）5月3日", "ja", "2025-05-03"],
    ["R7.5.3", "ja", "2025-05-03"],
    ["㍻31年4月30日", "ja", "2019-04-30"],
    ["２０２５／０５／０３", "ja", "2025-05-03"],
    ["25/05/03", "ja", "2025-05-03"],
    ["25. 5. 3.", "ko", "2025-05-03"],
    ["114年5月3日", "zh-TW", "2025-05-03"],
    ["民國114/05/03", "zh-TW", "2025-05-03"],
    ["114/05/03", "zh-TW", "2025-05-03"],
    ["3-го мая 2025 года", "ru", "2025-05-03"],
    ["«3» мая 2025 г.", "ru", "2025-05-03"],
    ["1η Ιουνίου 2025", "el", "2025-06-01"],
    ["15 KASIM 2025", "tr", "2025-11-15"],
    ["3 MAYIS 2025", "tr", "2025-05-03"],
    ["3 أيار/مايو 2025", "ar", "2025-05-03"],
    ["\u200f3\u200f مايو 2025", "ar", "2025-05-03"],
    ["5 ذو القعدة 1446 هـ", "ar", "2025-05-03"],
    ["١٠ رمضان ١٤٤٦ هـ", "ar", "2025-03-10"],
    ["05/11/1446", "ar", "2025-05-03"],
    ["۱۳ اردیبهشت‌ماه ۱۴۰۴", "fa", "2025-05-03"],
    ["3 พ.ค. 68", "th", "2025-05-03"],
    ["3/5/68", "th", "2025-05-03"],
    ["1ᵉʳ mai 2025", "fr", "2025-05-01"],
    ["2025 m. gegužės 3 d.", "lt", "2025-05-03"],
    ["3. maj 2025.", "sr", "2025-05-03"]
  ])("%s in %s is %s", (text, language, day) => {
    expect(Day.parse(text, { language })).toBe(day)
  })

  it.each([
    ["3/5/25", "th"],
    ["3 رمضان 2025", "ar"],
    ["R7.5.3", "en"],
    ["114年5月3日", "ja"]
  ])("%s in %s is none: its year may be of another count", (text, language) => {
    expect(Day.parse(text, { language })).toBeUndefined()
  })

  it("says where each day stands, in the text as it was", () => {
    const text = "公開日：２０２６年５月３日、更新 2026-06-01"
    expect(Day.all(text).map(({ from, to }) => text.slice(from, to))).toEqual(["２０２６年５月３日", "2026-06-01"])
  })

  it.each([
    ["3 May", "has no year"],
    ["03/05/2026", "may be March or May where no language is known"],
    ["31 February 2026", "is no day"],
    ["version 10.2.14.3", "is a version"],
    ["3 May 2026 or 4 May 2026", "are two"],
    ["2026", "is a year"]
  ])("%s is none: it %s", (text) => {
    expect(Day.parse(text)).toBeUndefined()
  })

  it("takes a text of any length in little time", () => {
    expect(Day.parse("1 ".repeat(100_000))).toBeUndefined()
  })
})

const days = (text: string, language: string) => Day.all(text, { language }).map(Day.iso)

describe("a range of days whose one end is cut off", () => {
  it.each([
    ["12.–14. September 2025", "de", "2025-09-12", "2025-09-14"],
    ["12.09.–14.09.2025", "de", "2025-09-12", "2025-09-14"],
    ["12 au 14 septembre 2025", "fr", "2025-09-12", "2025-09-14"],
    ["du 1er au 24 décembre 2025", "fr", "2025-12-01", "2025-12-24"],
    ["del 30 al 2 de octubre de 2025", "es", "2025-09-30", "2025-10-02"],
    ["12 września – 3 października 2025", "pl", "2025-09-12", "2025-10-03"],
    ["May 30 – June 2, 2026", "en", "2026-05-30", "2026-06-02"],
    ["9/12 - 9/14/2025", "en-US", "2025-09-12", "2025-09-14"],
    ["12–14 сентября 2025", "ru", "2025-09-12", "2025-09-14"],
    ["2025年9月12日～14日", "ja", "2025-09-12", "2025-09-14"],
    ["从2025年9月12日至10月4日", "zh", "2025-09-12", "2025-10-04"],
    ["2025년 9월 12일(금) ~ 14일", "ko", "2025-09-12", "2025-09-14"]
  ])("%s is two days", (text, language, first, last) => {
    expect(days(text, language)).toEqual([first, last])
    expect(Day.parse(text, { language })).toBeUndefined()
  })

  it.each([
    ["14-14 сентября 2025", "ru"],
    ["19:30 - 14.09.2025", "de"],
    ["3 Zimmer - 14. September 2025", "de"],
    ["Quay 3 reopens - 14 September 2025", "en"],
    ["2025年9月14日～", "ja"]
  ])("%s is one day", (text, language) => {
    expect(Day.parse(text, { language })).toBe("2025-09-14")
  })
})
