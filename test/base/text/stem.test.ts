import { describe, expect, it } from "vitest"
import { stem } from "#base/stem"

describe("a stem", () => {
  it("is the same for the forms of a word", () => {
    const groups = [
      ["regulate", "regulates", "regulated", "regulating", "regulation", "regulations"],
      ["liability", "liabilities"],
      ["evict", "evicts", "evicted", "evicting", "eviction"],
      ["policy", "policies"],
      ["happy", "happiness"],
      ["agree", "agreed", "agrees"],
      ["hop", "hopped", "hopping"]
    ]
    for (const group of groups) expect(new Set(group.map(stem)).size).toBe(1)
  })

  it("tells words apart that are two", () => {
    for (const [one = "", other = ""] of [
      ["police", "policy"],
      ["liable", "liability"],
      ["tax", "taxi"]
    ]) {
      expect(stem(one)).not.toBe(stem(other))
    }
  })

  it("leaves numbers, short words and other scripts as they are", () => {
    for (const word of ["101", "2451a", "as", "is", "straße", "законы"]) expect(stem(word)).toBe(word)
  })

  it("keeps the first two letters, but for a y that becomes an i", () => {
    for (const word of ["ties", "dies", "being", "used", "ions", "ally"]) {
      expect(stem(word).slice(0, 2)).toBe(word.slice(0, 2))
    }
    expect(stem("eyed")).toBe("ei")
  })
})
