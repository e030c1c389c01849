import { describe, expect, it } from "vitest"
import { passage } from "#law/rank/passage"
import * as Terms from "#law/rank/Terms"

const terms = Terms.of(
  [
    { word: "deposit", weight: 2, others: [], otherWeight: 0 },
    { word: "return", weight: 1, others: ["give back"], otherWeight: 0.5 }
  ],
  ["deposit", "return"]
)
const of = (text: string, paragraph?: string) => passage(text, terms, paragraph)

describe("a passage", () => {
  it("is the lines that have the most of the query, as the text has them", () => {
    const found = of("(a) A deposit may be asked.\n(b) Cats sleep.\n(c) It is returned, the deposit, in 30 days.")
    expect(found).toBe("(c) It is returned, the deposit, in 30 days.")
  })

  it("goes over several lines where they share what is asked", () => {
    const found = of("(a) Cats sleep.\n(b) The deposit\n(c) is returned in 30 days.")
    expect(found).toBe("(b) The deposit\n(c) is returned in 30 days.")
  })

  it("is the beginning of a text where nothing was found", () => {
    expect(of("First.\nSecond.")).toBe("First.\nSecond.")
    expect(of("")).toBe("")
  })

  it("is a sentence of a long line, and is cut at a blank where that is too long", () => {
    const long = `${"Cats sleep. ".repeat(60)}The deposit is returned. ${"Dogs bark. ".repeat(60)}`
    expect(of(long)).toMatch(/^The deposit is returned\. Dogs bark\./)
    const endless = of(`The deposit ${"and so on ".repeat(200)}`)
    expect(endless.length).toBeLessThanOrEqual(603)
    expect(endless).toMatch(/^The deposit and .* …$/)
  })

  it("is the paragraph that is cited, below the one that it stands in", () => {
    const text = "(a) One.\n(1) of a\n(b) Two.\n(1) of b has a deposit\n(2) more of b"
    expect(of(text, "(b)(1)")).toMatch(/^\(1\) of b/)
    expect(of(text, "(b)")).toMatch(/^\(b\) Two/)
  })

  it("has another word for a term before one that has nothing, and the term itself before both", () => {
    const apart = `${"Cats sleep at noon. ".repeat(20)}\n`
    expect(of(`${apart}They give back what is left.\n${apart}`)).toMatch(/^They give back/)
    expect(of(`${apart}They give back what is left.\n${apart}They return it.\n${apart}`)).toMatch(/^They return/)
  })

  it("is the one that has the words as they were asked, where several have them all", () => {
    const apart = `${"Cats sleep at noon. ".repeat(20)}\n`
    expect(of(`Return of a deposit.\n${apart}A deposit returned late.`)).toBe("A deposit returned late.")
  })
})
