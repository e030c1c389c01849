import { describe, expect, it } from "vitest"
import * as Stems from "#law/rank/Stems"

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
