import { describe, expect, it } from "vitest"
import * as Stems from "#law/rank/Stems"
import * as Terms from "#law/rank/Terms"

const term = (word: string, others: ReadonlyArray<string> = [], weight = 1): Terms.Term => ({
  word,
  weight,
  others,
  otherWeight: weight / 2
})
const of = (terms: ReadonlyArray<Terms.Term>, said = "") => Terms.of(terms, said === "" ? [] : said.split(" "))

describe("terms", () => {
  it("are counted in the forms of their words", () => {
    const { count } = of([term("liabilities"), term("evicting"), term("policy")])
    expect([...count("Liability, evicted; policies of a POLICY").own]).toEqual([1, 1, 2])
    expect([...count("liable victims of the police unevict").own]).toEqual([0, 0, 0])
  })

  it("are counted where their first letters are not those of the stem", () => {
    expect([...of([term("eyed")]).count("eyed, and eyed again").own]).toEqual([2])
  })

  it("that are numbers are counted as they are", () => {
    expect([...of([term("101")]).count("101, 1012 and 10-1").own]).toEqual([1])
  })

  it("are counted apart by other words, of which several stand in a row", () => {
    const { count } = of([term("car", ["motor vehicle", "automobile"])])
    const { others, own } = count("A car, two motor vehicles, an automobile; a vehicle without motor")
    expect([[...own], [...others]]).toEqual([[1], [2]])
  })

  it("are paired as they follow each other in the query, common words too", () => {
    const { count, pairs } = of([term("court")], "in the court of the district")
    expect(pairs).toBe(5)
    expect([...count("in the court; of a district of the court").pairs]).toEqual([1, 2, 1, 1, 0])
  })

  it("say what share of the query a text has in runs of three words and more", () => {
    const { count } = of([], "any section of an act of congress")
    expect(count("in ANY section of an Act of Congress shall").run).toBe(1)
    expect(count("any section of the act of Congress").run).toBeCloseTo(6 / 7)
    expect(count("of any act, congress sections").run).toBe(0)
  })

  it("cover a query by what they weigh, other words by less", () => {
    const { shares } = of([term("late", ["overdue"], 1), term("fee", [], 3)])
    expect([...shares("The fees of libraries").values()]).toEqual([0.75])
    expect([...shares("Overdue books").values()]).toEqual([0.125])
  })

  it("weigh by how few sections have them", () => {
    expect(Terms.rarity(1, 1000)).toBeGreaterThan(Terms.rarity(900, 1000) * 10)
    expect(Terms.rarity(5000, 1000)).toBeCloseTo(0, 2)
    expect(Terms.rarity(5, 0)).toBeGreaterThanOrEqual(0)
  })
})

describe("the words of a section as numbers", () => {
  it("are the same for all forms of a word, and for no other word", () => {
    const [plural, past, other] = Stems.of("Liabilities liability liable")
    expect(plural).toBe(past)
    expect(plural).not.toBe(other)
  })

  it("come back from their bytes as they were kept, also from the middle of a buffer", () => {
    const packed = Stems.packed({ heading: "Quiet hours", context: "", body: "No noise at night" })
    const moved = Buffer.concat([Buffer.from([1]), packed]).subarray(1)
    for (const { body, context, heading } of [Stems.unpacked(packed), Stems.unpacked(moved)]) {
      expect([heading, context, body]).toEqual([Stems.of("quiet hour"), Stems.of(""), Stems.of("no noise at night")])
    }
  })

  it("stand out where they are more of a text than in an ordinary one", () => {
    expect(Stems.often(`noise ${"lorem ipsum ".repeat(500)} noise of dogs`)).toBe("lorem ipsum")
    expect(Stems.often("Noise at night")).toBe("noise at night")
  })
})

const formsOfWords =
  "use used using us user day days daily eye eyed fly flies die dies ties tied gas gases hop hopped hopping hoped agree agreed rate rating ration rational size sized sizing able ability oxides axe axes as is ease easing obey obeyed oyez relay relaid cry cries cried"

describe("the words of a text as numbers", () => {
  it("are the same where only those are sought that begin like the words of a query, whatever ending they have", () => {
    const all = Stems.of(formsOfWords)
    for (const word of formsOfWords.split(" ")) {
      const own = Stems.hashOf(word)
      const some = Stems.of(formsOfWords, Stems.beginningsOf([word]))
      expect([...some].map((one) => one === own)).toEqual([...all].map((one) => one === own))
    }
  })

  it("are 0 for a word that begins otherwise", () => {
    const [first, second] = Stems.of("dogs bark", Stems.beginningsOf(["barking"]))
    expect([first, second]).toEqual([0, Stems.hashOf("bark")])
  })
})
