import { describe, expect, it } from "vitest"
import { listedParts } from "#extract/match/CandidateValue"
import { thing } from "../offered.ts"

describe("the parts of a thing that are a list", () => {
  const named = { product: [{ name: "Arc" }, { name: "Bow" }], vendor: { name: "Lumen" } }

  it("are those that have a name together, in an answer that is data", () => {
    const answer = thing(named, "data")

    expect(listedParts(answer).map(({ properties }) => properties[0]?.value)).toMatchObject([
      { data: "Arc" },
      { data: "Bow" }
    ])
  })

  it("do not exist in what a page declares: the first of several authors is an author", () => {
    expect(listedParts(thing(named))).toEqual([])
  })
})
