import { describe, expect, it } from "vitest"
import * as Duration from "#extract/value/Duration"

describe("Duration", () => {
  it.each([
    ["PT1H30M", "PT1H30M"],
    ["1 hour 30 minutes", "PT1H30M"],
    ["90 min", "PT90M"],
    ["2 Std.", "PT2H"],
    ["1:02:03", "PT1H2M3S"],
    ["3 weeks", "P3W"],
    ["3 apples", undefined],
    ["soon", undefined]
  ])("%s is %s", (text, iso) => {
    expect(Duration.parse(text)).toBe(iso)
  })

  it.each([
    ["1 ώρα και 30 λεπτά", "el", "PT1H30M"],
    ["1 saat 30 dk.", "tr", "PT1H30M"],
    ["1 घंटा 30 मिनट", "hi", "PT1H30M"],
    ["1 ชั่วโมง 30 นาที", "th", "PT1H30M"],
    ["٤٥ دقيقة", "ar", "PT45M"],
    ["2 tygodnie", "pl", "P2W"],
    ["6ヶ月", "ja", "P6M"],
    ["1h30", "fr", "PT1H30M"],
    ["45 perc", "de", undefined]
  ])("%s in %s is %s", (text, language, iso) => {
    expect(Duration.parse(text, language)).toBe(iso)
  })

  it("has seconds where its parts have a length", () => {
    expect(Duration.seconds("PT1H30M")).toBe(5400)
    expect(Duration.seconds("P1M")).toBeUndefined()
  })
})
