import { describe, expect, it } from "vitest"
import type { Wanted } from "#extract/Extractor"
import { linkScore } from "#extract/linkScore"
import { linkTexts } from "#extract/linkTexts"

const wanted: Wanted = {
  prompt: "prices of lamps",
  schema: {
    type: "object",
    properties: {
      unitPrice: { type: "number", description: "net amount" },
      product_name: { type: "string" },
      offers: { type: "array", items: { type: "object", properties: { warranty: { type: "string" } } } }
    }
  }
}

const score = linkScore(wanted)
const of = (path: string, text = "") => score(`http://site.test${path}`, text)

describe("the linkScore of a link", () => {
  it("is the words that its path shares with the prompt, names, titles and descriptions", () => {
    expect([of("/lamp"), of("/lamps/prices"), of("/product/warranty"), of("/unit-price/net-amount")]).toEqual([
      1, 2, 2, 4
    ])
    expect([of("/"), of("/about"), of("/imprint?lamp=1")]).toEqual([0, 0, 0])
  })

  it("counts a word once, and twice where it stands in the text of the link", () => {
    expect([of("/lamp/lamp"), of("/x", "All lamps"), of("/lamp", "Lamp")]).toEqual([1, 2, 2])
  })

  it("is none of an address that is none, and of nothing that is wanted", () => {
    expect(score("no address", "")).toBe(0)
    expect(linkScore({ schema: undefined, prompt: undefined })("http://site.test/lamp", "lamp")).toBe(0)
  })

  it("looks at the upper levels of a schema, however deep it goes", () => {
    const nested = (depth: number): Wanted["schema"] =>
      depth === 0
        ? { type: "object", properties: { needle: { type: "string" } } }
        : { type: "object", properties: { [`level${depth}`]: nested(depth - 1) ?? null } }
    const found = [3, 4, 90].map((depth) =>
      linkScore({ schema: nested(depth), prompt: undefined })("http://site.test/needle", "")
    )

    expect(found).toEqual([1, 0, 0])
  })

  it("weighs a hundred thousand links in no long time", () => {
    let sum = 0
    for (let index = 0; index < 100_000; index++) sum += of(`/lamps/${index}`)

    expect(sum).toBe(100_000)
  })

  it("is a little of a link that means what is wanted in other words", () => {
    const asked = (prompt: string) => (text: string) =>
      linkScore({ schema: undefined, prompt })("http://site.test/p/1", text)

    expect(["Opening hours", "News", "Products"].map(asked("When is the library open on Saturday?"))).toEqual([1, 0, 0])
    expect(["Prices", "Contact"].map(asked("How much is the membership fee?"))).toEqual([1, 0])
    expect(["Kontakt", "Services"].map(asked("What is the phone number?"))).toEqual([1, 0])
  })
})

const texts = (html: string) => Object.fromEntries(linkTexts(html, "http://site.test/a/b"))

describe("linkTexts", () => {
  it("says what leads where, by absolute addresses without fragments", () => {
    expect(texts(`<a href="c#top">Closing a <b>gate</b></a><a href="/d">All</a><a>none</a>`)).toEqual({
      "http://site.test/a/c": "Closing a gate",
      "http://site.test/d": "All"
    })
  })

  it("takes the longest text of all links to one page, and the title where there is no text", () => {
    expect(texts(`<a href="/c">c</a><a href="/c">Ash lamp</a><a href="/e" title="Elm"><img src=e></a>`)).toEqual({
      "http://site.test/c": "Ash lamp",
      "http://site.test/e": "Elm"
    })
  })

  it("reads a page of very many open links in time", () => {
    expect(linkTexts("<a href=/x>".repeat(60_000), "http://site.test/").size).toBe(1)
  })
})
