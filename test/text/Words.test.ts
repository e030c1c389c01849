import { describe, expect, it } from "vitest"
import { isDense, isDull, wordsOf } from "../../src/text/Words.ts"

describe("the words of a text", () => {
  it("are letters and digits in lower case, without accents and without plural", () => {
    expect(wordsOf("Lamps, GLASS & Zürich's e-mail: v2.0 — Ελλάδα ﬁne it's")).toEqual([
      "lamp",
      "glass",
      "zurich",
      "s",
      "e",
      "mail",
      "v2",
      "0",
      "ελλαδα",
      "fine",
      "it",
      "s"
    ])
    expect(wordsOf("ZU\u0308RICH")).toEqual(wordsOf("zürich"))
  })

  it("are single letters where a script sets no blanks, and whole with their marks where one has marks", () => {
    expect(wordsOf("東京タワーfor3日")).toEqual(["東", "京", "タ", "ワ", "ー", "for3", "日"])
    expect(wordsOf("हिन्दी भाषा")).toEqual(["हिन्दी", "भाषा"])
    expect([isDense("東"), isDense("lamp")]).toEqual([true, false])
  })

  it("are no more than are asked for, and none is longer than anybody types", () => {
    expect(wordsOf("a b c d", 2)).toEqual(["a", "b"])
    expect(wordsOf("x".repeat(1000))[0]).toHaveLength(64)
    expect([isDull("the"), isDull("lamp")]).toEqual([true, false])
  })

  it("have nothing in them that means something to a database", () => {
    const words = wordsOf(`a'b "c" \\d 'e':1A & | ! <-> ( ) * ^ : - ; -- \0 NEAR(x) \u2402ff`)

    expect(words.every((word) => /^[\p{L}\p{N}]+$/u.test(word))).toBe(true)
  })
})
