import { describe, expect, it } from "vitest"
import * as Day from "../../../src/extract/value/Day.ts"

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
