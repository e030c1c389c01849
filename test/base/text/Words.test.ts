import { describe, expect, it } from "vitest"
import { eachWord, folded, isDense, wordsIn, wordsOf } from "#base/Words"

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

  it("are one word in capitals and in letters of two, in German, French, Danish and Greek", () => {
    expect(wordsOf("Straße cœur æble")).toEqual(wordsOf("STRASSE coeur AEBLE"))
    expect(wordsOf("ΑΘΗΝΑΣ Αθηνάς")).toEqual(["αθηνασ", "αθηνασ"])
    expect(wordsIn("Straße")).toEqual(["strasse"])
  })

  it("are one word in capitals and without marks, in Turkish, Polish, Vietnamese, Arabic and Hebrew", () => {
    expect(wordsOf("IĞDIR IŞIK")).toEqual(wordsOf("ığdır ışık"))
    expect(wordsOf("Zażółć Đường Smørrebrød")).toEqual(["zazolc", "duong", "smorrebrod"])
    expect(wordsIn("Zażółć ığdır")).toEqual(["zazolc", "igdir"])
    expect(wordsOf("مَدْرَسَةٌ أحمد ـــــ")).toEqual(["مدرسة", "احمد"])
    expect(wordsOf("שָׁלוֹם")).toEqual(["שלום"])
  })

  it("are syllables in Korean, so that a word is found behind which an ending stands, and letters in Khmer", () => {
    expect(wordsOf("철도역이 Seoul에서")).toEqual(["철", "도", "역", "이", "seoul", "에", "서"])
    expect(wordsOf("ភាសា")).toEqual(["ភា", "សា"])
  })

  it("are single letters where a script sets no blanks, and whole with their marks where one has marks", () => {
    expect(wordsOf("東京タワーfor3日")).toEqual(["東", "京", "タ", "ワ", "ー", "for3", "日"])
    expect(wordsOf("हिन्दी भाषा")).toEqual(["हिन्दी", "भाषा"])
    expect([isDense("東"), isDense("lamp")]).toEqual([true, false])
  })

  it("are no more than are asked for, and none is longer than anybody types", () => {
    expect(wordsOf("a b c d", 2)).toEqual(["a", "b"])
    expect(wordsOf("x".repeat(1000))[0]).toHaveLength(64)
  })

  it("are as they are written where they are not counted, and stand where they are found", () => {
    expect(wordsIn("Lamps of Zürich's “ﬁne” №5 — § 2451aa")).toEqual([
      "lamps",
      "of",
      "zurich",
      "s",
      "fine",
      "no5",
      "2451aa"
    ])
    expect(wordsIn("ZU\u0308RICH")).toEqual(wordsIn("zürich"))
    const found: Array<readonly [number, number]> = []
    eachWord(folded("A 🦆duck"), (from, to) => found.push([from, to]))
    expect(found).toEqual([
      [0, 1],
      [2, 8]
    ])
  })

  it("have nothing in them that means something to a database", () => {
    const words = wordsOf(`a'b "c" \\d 'e':1A & | ! <-> ( ) * ^ : - ; -- \0 NEAR(x) \u2402ff`)

    expect(words.every((word) => /^[\p{L}\p{N}]+$/u.test(word))).toBe(true)
  })
})
