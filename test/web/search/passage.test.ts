import { describe, expect, it } from "vitest"
import { passage } from "#web/bestPages"

const weights = (...words: ReadonlyArray<string>) => new Map(words.map((word) => [word, 1]))
const filler = "Nothing of it is said in this sentence, which goes on for a while so that it takes its room. "

describe("the passage that answers", () => {
  it("is the sentences that have the most of what is asked, as they stand", () => {
    const text = `${filler.repeat(5)}The oak lamp costs 89 euros. It is sent within two days. ${filler.repeat(5)}A lamp.`

    expect(passage(text, weights("oak", "lamp", "euro"))).toMatch(
      /^The oak lamp costs 89 euros\. It is sent within two days\. Nothing/
    )
  })

  it("takes sentences together that say together what is asked", () => {
    const text = `A lamp is light.\n${filler}\nAll oak is old.\nEach lamp of it glows.\n${filler}`

    expect(passage(text, weights("oak", "lamp"))).toContain("All oak is old. Each lamp of it glows.")
  })

  it("goes on after a heading into what stands below it", () => {
    const found = passage(`Oak lamp\n${"It is made of wood and ".repeat(30)}`, weights("oak", "lamp"))

    expect(found).toMatch(/^Oak lamp It is made of wood .* …$/)
    expect(found.length).toBeLessThan(340)
  })

  it("finds terms of several words, and words in another form than they are asked", () => {
    expect(passage(`${filler.repeat(4)}東京は大きい。`, weights("東 京"))).toContain("東京は大きい。")
    expect(passage(`${filler.repeat(4)}LÁMPS are sold.`, weights("lamp"))).toMatch(/^LÁMPS are sold\./)
  })

  it("is the beginning where nothing of it is there, and nothing of an empty page", () => {
    expect(passage(`First of all. ${filler.repeat(10)}`, weights("lamp"))).toMatch(/^First of all\. Nothing/)
    expect(passage("", weights("lamp"))).toBe("")
  })

  it("is cut where a sentence has no end, around what was found", () => {
    const found = passage(`${"hay ".repeat(500)}needle ${"hay ".repeat(500)}`, weights("needle"))

    expect(found).toMatch(/^… (hay )+needle (hay )+…$/)
    expect(found.length).toBeLessThan(340)
    expect(passage("x".repeat(100_000), weights("x")).length).toBeLessThan(340)
  })
})
