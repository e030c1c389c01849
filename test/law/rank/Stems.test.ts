import { describe, expect, it } from "vitest"
import * as Stems from "#law/rank/Stems"

const words =
  "use used using us user day days daily eye eyed fly flies die dies ties tied gas gases hop hopped hopping hoped agree agreed rate rating ration rational size sized sizing able ability oxides axe axes as is ease easing obey obeyed oyez relay relaid cry cries cried"

describe("the words of a text as numbers", () => {
  it("are the same where only those are sought that begin like the words of a query, whatever ending they have", () => {
    const all = Stems.of(words)
    for (const word of words.split(" ")) {
      const own = Stems.hashOf(word)
      const some = Stems.of(words, Stems.beginningsOf([word]))
      expect([...some].map((one) => one === own)).toEqual([...all].map((one) => one === own))
    }
  })

  it("are 0 for a word that begins otherwise", () => {
    const [first, second] = Stems.of("dogs bark", Stems.beginningsOf(["barking"]))
    expect([first, second]).toEqual([0, Stems.hashOf("bark")])
  })
})
