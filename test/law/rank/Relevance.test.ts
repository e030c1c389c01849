import { describe, expect, it } from "vitest"
import * as Relevance from "#law/rank/Relevance"
import * as Stems from "#law/rank/Stems"
import * as Terms from "#law/rank/Terms"

const average = { heading: 5, context: 17, cited: 33, body: 33, notes: 33 }
type Texts = Partial<Record<keyof Relevance.Fields, string>>
const section = (texts: Texts): Relevance.Fields => ({
  heading: Stems.of(texts.heading ?? ""),
  context: Stems.of(texts.context ?? ""),
  cited: Stems.of(texts.cited ?? ""),
  body: Stems.of(texts.body ?? ""),
  notes: Stems.of(texts.notes ?? "")
})
const terms = (query: string, others: ReadonlyArray<string> = []) =>
  Terms.of(
    query.split(" ").map((word) => ({ word, weight: 2, others, otherWeight: 1 })),
    query.split(" ")
  )
const scores = (query: string, ...sections: ReadonlyArray<Texts>) =>
  Relevance.of(sections.map(section), terms(query), average).map(({ score }) => score)
/** Whether each scores more than the next. */
const isFalling = (list: ReadonlyArray<number>): boolean =>
  list.every((score, at) => at === 0 || score < (list[at - 1] ?? 0))

const filler = "lorem ipsum dolor sit amet ".repeat(8)

describe("relevance", () => {
  it("counts a heading more than a text, and both more than nothing", () => {
    expect(isFalling(scores("noise", { heading: "Noise" }, { body: `noise ${filler}` }, { body: filler }))).toBe(true)
  })

  it("counts what is said where a section is cited", () => {
    expect(isFalling(scores("noise", { cited: "the limits of noise in section 5" }, { body: "quiet hours" }))).toBe(
      true
    )
  })

  it("counts a word of a short text more than of a long one, and the twentieth time hardly", () => {
    expect(isFalling(scores("noise", { body: "noise" }, { body: `noise ${filler.repeat(5)}` }))).toBe(true)
    const [two = 0, twenty = 0] = scores("noise", { body: "noise noise" }, { body: "noise ".repeat(20) })
    expect(twenty).toBeLessThan(two * 2)
  })

  it("counts two words of the query more where they follow each other as there", () => {
    expect(
      isFalling(scores("fair use", { body: "a fair use of" }, { body: "use is fair to" }, { body: "a fair is far" }))
    ).toBe(true)
  })

  it("counts another word for a term less than the term, however often it stands there", () => {
    const sought = terms("landlord", ["lessor"])
    const [own = 0, other = 0] = Relevance.of(
      [section({ body: "the landlord pays" }), section({ body: "the lessor ".repeat(50) })],
      sought,
      average
    ).map(({ score }) => score)
    expect(other).toBeGreaterThan(0)
    expect(other).toBeLessThan(own)
  })

  it("tells what share of the query a body has in runs, and what cites a section has none of it", () => {
    const query = terms("the secretary shall pay the tax")
    const [body, cited] = Relevance.of(
      [section({ body: "The Secretary shall pay the tax." }), section({ cited: "The Secretary shall pay the tax." })],
      query,
      average
    )
    expect([body?.run, cited?.run]).toEqual([1, 0])
  })
})
