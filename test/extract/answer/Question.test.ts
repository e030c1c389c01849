import { describe, expect, it } from "vitest"
import * as Question from "#extract/answer/Question"

const read = (prompt: string) =>
  Question.all(prompt).map(({ kind, terms, text }) => ({ text, kind, terms: terms.map(({ stem }) => stem) }))

describe("the questions of a prompt", () => {
  it("are its sentences that ask, each with its words that say something", () => {
    expect(read("When does the council meet, and who is the member for Quarry?")).toEqual([
      { text: "When does the council meet", kind: "date", terms: ["council", "meet"] },
      { text: "who is the member for Quarry?", kind: "person", terms: ["memb", "quarry"] }
    ])
  })

  it("are none where a prompt names what it wants", () => {
    expect(read("Get the name and price of every product.")).toEqual([])
  })

  it("go on about what was asked before", () => {
    const [, second] = read("Who is the member for Bridge? How many votes did they get?")

    expect(second?.terms).toEqual(["vot", "memb", "bridg"])
  })

  it("are understood in several languages, also without blanks", () => {
    expect(read("Was kostet der Eintritt?")).toEqual([
      { text: "Was kostet der Eintritt?", kind: "money", terms: ["kost", "eintrit"] }
    ])
    expect(read("من هو المدير؟")).toEqual([{ text: "من هو المدير؟", kind: undefined, terms: ["مدير"] }])
    expect(read("入場料はいくらですか？")[0]?.terms).toEqual(["入場", "場料", "料は"])
  })

  it("only name a value where all their words are names of values", () => {
    const isName = (prompt: string) => Question.all(prompt).every(Question.isName)

    expect(isName("What is the price?")).toBe(true)
    expect(isName("What is the price of the annual ticket?")).toBe(false)
    expect(isName("When was it published?")).toBe(false)
  })
})
