import { describe, expect, it } from "vitest"
import * as Day from "#extract/value/Day"

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
