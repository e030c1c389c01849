import * as fs from "node:fs"
import { describe, expect, it } from "vitest"
import { Babble } from "#web/frontier/Babble"
import { sketchOf } from "#web/frontier/TextSketch"

/** Numbers from 0 to 1, the same for the same seed. */
const dice = (seed: number) => {
  let state = seed * 7919 + 1
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) / 2 ** 23
  }
}
const letters = "abcdefghijklmnopqrst"
const wordOf = (id: number): string => (id < 20 ? "" : wordOf(Math.floor(id / 20))) + letters[id % 20]

/** Pages of 150 words, each of which is drawn by itself, frequent or rare, from so many. */
const randomPages = (words: number, isUneven = false) =>
  Array.from({ length: 300 }, (_, page) => {
    const throwDice = dice(page)
    const drawn = () => Math.floor(isUneven ? words ** throwDice() : words * throwDice())
    return Array.from({ length: 150 }, () => wordOf(drawn())).join(" ")
  })

/** The pages of these docs, in parts of some paragraphs. */
const manual = fs
  .readdirSync("docs")
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => fs.readFileSync(`docs/${name}`, "utf8").match(/[^]{1,1200}(?:\n\n|$)/g) ?? [])

/** What is known after the levels. */
const isFound = (budget: number, ...levels: ReadonlyArray<ReadonlyArray<string>>) => {
  const babble = new Babble(budget)
  for (const level of levels) {
    for (const text of level) {
      const sketch = sketchOf(text)
      if (sketch !== undefined) babble.take(sketch)
    }
    babble.endLevel()
  }
  return babble.isFound
}
const halves = (pages: ReadonlyArray<string>) => [pages.slice(0, 100), pages.slice(100)] as const

describe("pages of random words", () => {
  it("are recognised by many words and by few, by even and by uneven ones", () => {
    const kinds = [randomPages(100_000), randomPages(5000), randomPages(500), randomPages(5000, true)]

    expect(kinds.map((pages) => isFound(1000, ...halves(pages)))).toEqual([true, true, true, true])
  })

  it("are recognised by characters of a script that does not part words", () => {
    const pages = Array.from({ length: 300 }, (_, page) => {
      const throwDice = dice(page)
      return Array.from({ length: 200 }, () => String.fromCharCode(0x4e00 + Math.floor(throwDice() * 3000))).join("")
    })

    expect(isFound(1000, ...halves(pages))).toBe(true)
  })

  it("are no manual, and no manual with some of them beside it", () => {
    expect(manual.length).toBeGreaterThan(200)
    expect(isFound(1000, ...halves(manual))).toBe(false)
    expect(isFound(1000, ...halves(manual.flatMap((text, at) => [text, randomPages(5000)[at % 10] ?? ""])))).toBe(false)
  })

  it("are no catalogue of part numbers and values, and no list of its parts", () => {
    const kinds = ["bolt", "nut", "washer", "screw", "bearing"]
    const part = (n: number) =>
      `PN-${n} is a ${kinds[n % 5]}. Length: ${n * 7} mm. Thread: M${n % 24}. Weight: ${n / 10} g. Price: ${n % 97} EUR. In stock: ${n}.` +
      " Delivery within two days. Add to cart. Back to list. See also the data sheet of this part."
    const parts = Array.from({ length: 300 }, (_, n) => part(n))
    const lists = parts.map((_, n) =>
      kinds.map((kind, at) => `[PN-${n * 5 + at} ${kind}](/pn/${at})`.repeat(6)).join("\n")
    )

    expect(isFound(1000, ...halves(parts))).toBe(false)
    expect(isFound(1000, ...halves(lists))).toBe(false)
  })

  it("are not recognised before there are enough, nor in one level alone, nor with a budget of 0", () => {
    const pages = randomPages(5000)

    expect(isFound(1000, pages.slice(0, 60), pages.slice(60, 120))).toBe(false)
    expect(isFound(1000, pages)).toBe(false)
    expect(isFound(0, ...halves(pages))).toBe(false)
  })

  it("are forgotten as soon as a level says something again", () => {
    const pages = randomPages(5000)

    expect(isFound(1000, ...halves(pages), manual)).toBe(false)
  })
})

describe("the sketch of a text", () => {
  it("is the same for the same words, whatever their case, their marks and the targets of their links", () => {
    const text =
      "The river flows under the old bridge and past the mill where the miller grinds the corn of the village "
    const marked = text.replace("old bridge", "**old** [Bridge](/b?x=y)").replace("mill ", "MILL, ")

    expect(sketchOf(text.repeat(2))).toBe(sketchOf(marked.repeat(2)))
    expect(sketchOf(text.repeat(2))).toMatch(/^[\w+/=]+\.[\w+/=]+$/)
  })

  it("is none for a page with few words, nor for a table of values", () => {
    expect(sketchOf("a few words say too little")).toBeUndefined()
    expect(sketchOf(Array.from({ length: 500 }, (_, n) => `${n}mm`).join(" | "))).toBeUndefined()
  })
})
