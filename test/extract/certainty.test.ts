import { describe, expect, it } from "vitest"
import type { JsonSchema } from "#contract/JsonSchema"
import { byRules } from "#extract/byRules"
import { merge } from "#extract/merge"
import * as Support from "#extract/Support"

const text = { type: "string" }
const number = { type: "number" }
const read = (html: string, properties: { readonly [name: string]: JsonSchema }, url = "http://x.test/p") =>
  byRules(
    { url, html: `<html lang="en"><main>${html}</main></html>`, metadata: {} },
    { schema: { properties }, prompt: undefined }
  )
const certaintyOf = (html: string, properties: { readonly [name: string]: JsonSchema }) =>
  Object.fromEntries([...read(html, properties).sources].map(([pointer, { certainty }]) => [pointer, certainty]))

describe("how sure a value is", () => {
  it("is high of declared data and beside a label, medium of a heading, low of a sentence", () => {
    const declared = `<script type="application/ld+json">{"@type":"Product","name":"Ash lamp","sku":"A-1"}</script>`

    expect(certaintyOf(declared, { sku: text })).toEqual({ "/sku": "high" })
    expect(certaintyOf("<table><tr><th>Weight:</th><td>5 kg</td></tr></table>", { weight: text })).toEqual({
      "/weight": "high"
    })
    expect(certaintyOf("<h1>Ash lamp</h1><p>It costs £140.00 here.</p>", { title: text, price: number })).toEqual({
      "/title": "medium",
      "/price": "low"
    })
  })

  it("rises where another place says the same, and falls where another says something else", () => {
    const price = (one: string, other: string) =>
      certaintyOf(`<h1>Ash</h1><p class="price">${one}</p><p>Now for ${other} each.</p><p>Nothing else.</p>`, {
        price: number
      })["/price"]

    expect([price("£140.00", "£140.00"), price("£140.00", "very little")]).toEqual(["high", "medium"])
    const two = "<p>It costs £140.00 here.</p><p>It costs £150.00 there.</p>"
    expect(certaintyOf(two, { price: number })["/price"] ?? "low").toBe("low")
  })

  it("is said of every value, of lists and without a schema too", () => {
    const rows = [1, 2, 3].map((n) => `<tr><td>Lamp ${n}</td><td>£${n}.50</td></tr>`).join("")
    const page = {
      url: "http://x.test/",
      metadata: {},
      html: `<table><tr><th>Name</th><th>Price</th></tr>${rows}</table>`
    }
    const list = { type: "array", items: { type: "object", properties: { name: text, price: number } } }

    for (const wanted of [
      { schema: list, prompt: undefined },
      { schema: undefined, prompt: "everything" },
      { schema: undefined, prompt: "What does Lamp 2 cost?" }
    ]) {
      const { sources } = byRules(page, wanted)
      expect(sources.size).toBeGreaterThan(0)
      expect([...sources.values()].filter(({ certainty }) => certainty === undefined)).toEqual([])
    }
  })

  it("rises where two pages say the same, and where a model says what rules have found", () => {
    const html = "<h1>Ash lamp</h1>"
    const [one, other] = ["http://x.test/a", "http://x.test/b"].map((url) => read(html, { title: text }, url))
    if (one === undefined || other === undefined) throw new Error("two pages are read")
    const pages = [
      { url: "http://x.test/a", extracted: one },
      { url: "http://x.test/b", extracted: other }
    ]

    expect(
      merge(pages, { properties: { title: text } })
        .sources.get("/title")
        ?.map(({ certainty }) => certainty)
    ).toEqual(["high", "high"])
    const { sources } = Support.of({ title: "Ash lamp", maker: "Pike", boss: "Rook" }, "Ash lamp by Pike", [], one)
    expect(Array.from(sources, ([pointer, { certainty }]) => [pointer, certainty])).toEqual([
      ["/title", "high"],
      ["/maker", "low"],
      ["/boss", "low"]
    ])
  })
})
