import { describe, expect, it } from "vitest"
import * as WeekHours from "#extract/value/WeekHours"

describe("days of the week", () => {
  it.each([
    ["Monday", "en", [0]],
    ["Mon–Fri", "en", [0, 1, 2, 3, 4]],
    ["Sat & Sun", "en", [5, 6]],
    ["Sa-Mo", "de", [5, 6, 0]],
    ["Montag bis Freitag", "de", [0, 1, 2, 3, 4]],
    ["Lundi au vendredi", "fr", [0, 1, 2, 3, 4]],
    ["segunda-feira a sexta-feira", "pt", [0, 1, 2, 3, 4]],
    ["пн–пт", "ru", [0, 1, 2, 3, 4]],
    ["月〜金", "ja", [0, 1, 2, 3, 4]],
    ["الاثنين", "ar", [0]]
  ])("are read from %s", (text, language, days) => {
    expect(WeekHours.daysIn(text, language)).toEqual(days)
  })

  it.each(["Monday special", "Price", "–", "Mon–", "Sun cream", "Mon Mon"])("are not read from %s", (text) => {
    expect(WeekHours.daysIn(text, "en")).toEqual([])
  })
})

describe("hours of a day", () => {
  it.each([
    ["08:00 – 18:00", "08:00", "18:00"],
    ["9 am to 5:30 pm", "9 am", "5:30 pm"],
    ["9.00 bis 13.00 Uhr", "9.00", "13.00 Uhr"],
    ["10h - 13h", "10h", "13h"],
    ["с 9:00 до 18:00", "9:00", "18:00"]
  ])("have two ends in %s", (text, opens, closes) => {
    expect(WeekHours.areHours(text)).toBe(true)
    expect(WeekHours.endsOf(text)).toEqual([opens, closes])
  })

  it("have no ends where a day is closed, or opens twice", () => {
    for (const text of ["Closed", "geschlossen", "定休日", "9–12, 14–18 Uhr"]) {
      expect(WeekHours.areHours(text)).toBe(true)
      expect(WeekHours.endsOf(text)).toBeUndefined()
    }
  })

  it("are nothing else", () => {
    for (const text of ["10:00 – 11:00 Yoga", "5", "2024-05-12", "12 – 14 °C", "closed on holidays"])
      expect(WeekHours.areHours(text)).toBe(false)
  })
})
