import { describe, expect, it } from "vitest"
import * as SpreadsheetText from "#base/SpreadsheetText"
import { randomFrom, seed } from "#testing/specimens"

describe(`a text for a spreadsheet (MILLRACE_SEED=${seed})`, () => {
  it("is shown with an apostrophe where it would run, and comes back as it was", () => {
    const random = randomFrom(seed)
    const marks = [
      "'",
      "=",
      "+",
      "-",
      "@",
      "＝",
      "＠",
      "\t",
      "\r",
      "\n",
      " ",
      "\ufeff",
      "\u0000",
      "1",
      ".",
      "%",
      "e",
      "a",
      "ä"
    ]
    for (let times = 0; times < 20_000; times++) {
      const text = Array.from({ length: random(8) }, () => marks[random(marks.length)] ?? "").join("")
      const shown = SpreadsheetText.shown(text)

      expect(SpreadsheetText.original(shown), JSON.stringify(text)).toBe(text)
      if (!/^[+-]?\d[\d.,]*(e[+-]?\d+)?%?$/.test(shown)) expect(shown).not.toMatch(/^[\s\ufeff\p{Cc}]*[=+\-@＝＋－＠]/u)
    }
  })
})
