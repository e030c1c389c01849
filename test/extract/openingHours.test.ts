import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"

const text = { type: "string" }
const rows = {
  properties: {
    hours: { type: "array", items: { type: "object", properties: { day: text, opens: text, closes: text } } }
  }
}
const days = { properties: { monday: text, wednesday: text, saturday: text, sunday: text } }
const ends = { type: "object", properties: { open: text, close: text } }
const nested = { properties: { hours: { type: "object", properties: { monday: ends, tuesday: ends, sunday: ends } } } }

const dataOf = (main: string, schema: JsonSchema, lang = "en") =>
  byRules(
    { url: "http://x.test/library", html: `<html lang="${lang}"><h1>Library</h1>${main}`, metadata: {} },
    { schema, prompt: undefined }
  ).data

const table = `<table><tr><td>Mon</td><td>9:00 – 17:00</td></tr><tr><td>Sat</td><td>10:00 – 14:00</td></tr><tr><td>Sun</td><td>Closed</td></tr></table>`
const list = `<ul><li><span>Mon</span><span>9:00 – 17:00</span></li><li><span>Sat</span><span>10:00 – 14:00</span></li><li><span>Sun</span><span>Closed</span></li></ul>`
const definitions = `<dl><dt>Mon</dt><dd>9:00 – 17:00</dd><dt>Sat</dt><dd>10:00 – 14:00</dd><dt>Sun</dt><dd>Closed</dd></dl>`
const lines = `<p>Mon: 9:00 – 17:00<br>Sat: 10:00 – 14:00<br>Sun: Closed</p>`

describe("opening hours", () => {
  it.each([
    ["a table", table],
    ["a list", list],
    ["definitions", definitions],
    ["lines", lines]
  ])("of %s are rows of a day and its hours, and a value of each day", (_, html) => {
    expect(dataOf(html, rows)).toEqual({
      hours: [
        { day: "Mon", opens: "9:00", closes: "17:00" },
        { day: "Sat", opens: "10:00", closes: "14:00" },
        { day: "Sun", opens: null, closes: null }
      ]
    })
    expect(dataOf(html, days)).toEqual({
      monday: "9:00 – 17:00",
      wednesday: null,
      saturday: "10:00 – 14:00",
      sunday: "Closed"
    })
    expect(dataOf(html, nested)).toEqual({
      hours: {
        monday: { open: "9:00", close: "17:00" },
        tuesday: { open: null, close: null },
        sunday: { open: null, close: null }
      }
    })
  })

  it("of several days are those of each, in the language of the page", () => {
    const html = "<ul><li>Montag bis Freitag: 8–18 Uhr</li><li>Samstag: 9.00 bis 13.00 Uhr</li></ul>"
    expect(dataOf(html, days, "de")).toEqual({
      monday: "8–18 Uhr",
      wednesday: "8–18 Uhr",
      saturday: "9.00 bis 13.00 Uhr",
      sunday: null
    })
  })

  it("are those that the page declares, each day for itself", () => {
    const specification = (day: unknown, opens: string, closes: string) => ({
      "@type": "OpeningHoursSpecification",
      dayOfWeek: day,
      opens,
      closes
    })
    const html = `<script type="application/ld+json">${JSON.stringify({
      "@context": "https://schema.org",
      "@type": "Library",
      name: "Library",
      openingHoursSpecification: [
        specification(["https://schema.org/Monday", "https://schema.org/Tuesday"], "09:00", "17:00"),
        specification("Saturday", "10:00", "14:00")
      ]
    })}</script>`
    expect(dataOf(html, rows)).toEqual({
      hours: [
        { day: "Monday", opens: "09:00", closes: "17:00" },
        { day: "Tuesday", opens: "09:00", closes: "17:00" },
        { day: "Saturday", opens: "10:00", closes: "14:00" }
      ]
    })
    expect(dataOf(html, days)).toEqual({
      monday: "09:00–17:00",
      wednesday: null,
      saturday: "10:00–14:00",
      sunday: null
    })
    expect(dataOf(html, nested)).toEqual({
      hours: {
        monday: { open: "09:00", close: "17:00" },
        tuesday: { open: "09:00", close: "17:00" },
        sunday: { open: null, close: null }
      }
    })
  })

  it("are null where the page has those of two places", () => {
    const html = `<h2>North</h2>${definitions}<h2>South</h2><dl><dt>Mon</dt><dd>8–12</dd><dt>Sat</dt><dd>Closed</dd></dl>`
    expect(dataOf(html, rows)).toEqual({ hours: null })
    expect(dataOf(html, days)).toEqual({ monday: null, wednesday: null, saturday: null, sunday: null })
  })
})
