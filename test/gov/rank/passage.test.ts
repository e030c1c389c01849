import { describe, expect, it } from "vitest"
import { markEnd, markStart } from "../../../src/gov/index/GovWords.ts"
import { passage } from "../../../src/gov/rank/passage.ts"
import * as Terms from "../../../src/gov/rank/Terms.ts"

const terms = Terms.make([
  { word: "deposit", stem: "deposit", weight: 2, others: [] },
  { word: "return", stem: "return", weight: 1, others: [{ text: "give back", stems: ["give", "back"] }] }
])
const marked = (text: string): string => text.replace(/\*(\w+)\*/g, `${markStart}$1${markEnd}`)
const of = (text: string, paragraph?: string) => passage(marked(text), terms, paragraph)

describe("a passage", () => {
  it("is the lines that have the most of the query, as the text has them", () => {
    const found = of("(a) A *deposit* may be asked.\n(b) Cats sleep.\n(c) It is *returned*, the *deposit*, in 30 days.")
    expect(found.text).toBe("(c) It is returned, the deposit, in 30 days.")
    expect(found.coverage).toBe(1)
  })

  it("goes over several lines where they share what is asked", () => {
    const found = of("(a) Cats sleep.\n(b) The *deposit*\n(c) is *returned* in 30 days.")
    expect(found.text).toBe("(b) The deposit\n(c) is returned in 30 days.")
  })

  it("is the beginning of a text where nothing was found", () => {
    expect(of("First.\nSecond.")).toEqual({ text: "First.\nSecond.", coverage: 0, whole: 0 })
    expect(of("").text).toBe("")
  })

  it("is a sentence of a long line, and is cut at a blank where that is too long", () => {
    const long = `${"Cats sleep. ".repeat(60)}The *deposit* is *returned*. ${"Dogs bark. ".repeat(60)}`
    expect(of(long).text).toMatch(/^The deposit is returned\. Dogs bark\./)
    const endless = of(`The *deposit* ${"and so on ".repeat(200)}`).text
    expect(endless.length).toBeLessThanOrEqual(603)
    expect(endless).toMatch(/^The deposit and .* …$/)
  })

  it("is the paragraph that is cited, below the one that it stands in", () => {
    const text = "(a) One.\n(1) of a\n(b) Two.\n(1) of b has a *deposit*\n(2) more of b"
    expect(of(text, "(b)(1)").text).toMatch(/^\(1\) of b/)
    expect(of(text, "(b)").text).toMatch(/^\(b\) Two/)
  })

  it("counts another word for a term, and counts it less", () => {
    const own = of("It is *returned*.").coverage
    const other = of("They *give* it.").coverage
    expect(other).toBeGreaterThan(0)
    expect(other).toBeLessThan(own)
  })

  it("has no marks in it, even where they are not closed", () => {
    expect(of(`a ${markStart}deposit is`).text).toBe("a deposit is")
  })
})
