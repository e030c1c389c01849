import { describe, expect, it } from "vitest"
import type { Thing } from "#extract/Candidates"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/declared/JsonLd"
import { outline } from "../outline.ts"

const html = (...documents: ReadonlyArray<unknown>): string =>
  documents.map((json) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`).join("\n")

const things = (text: string): ReadonlyArray<Thing> => read(new Page(text, "https://shop.test/a/b"))
const outlines = (...documents: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  things(html(...documents)).map(outline)

describe("JSON-LD", () => {
  it("becomes things with short types and names, parts in their parts", () => {
    expect(
      outlines({
        "@context": "https://schema.org",
        "@type": "https://schema.org/Product",
        "@id": "#it",
        name: "Anvil",
        "schema:sku": 7,
        offers: [
          { "@type": "Offer", price: 1.5, inStock: true },
          { "@type": ["Offer", "Deal"], price: null }
        ]
      })
    ).toEqual([
      {
        type: "Product",
        id: "https://shop.test/a/b#it",
        name: "Anvil",
        sku: 7,
        offers: [{ type: "Offer", price: 1.5, inStock: true }, { type: "Offer Deal" }]
      }
    ])
  })

  it("says where each value stands", () => {
    const text = `<p>x</p>${html({ "@type": "Product", offers: [{ price: "1.50" }, { price: "2.50" }] })}`
    const [product] = things(text)
    const offer = product?.properties[1]?.value
    const price = offer?._tag === "Thing" ? offer.properties[0]?.value.source : undefined

    expect(price).toMatchObject({ kind: "json-ld", path: "Product/offers[2]/price" })
    expect(text.slice(...(price?.span ?? [0, 0]))).toBe('"2.50"')
  })

  it("takes the things out of a graph, and joins what is only named", () => {
    expect(
      outlines({
        "@graph": [
          { "@type": "Article", publisher: { "@id": "#org" }, image: { "@id": "/i.png" } },
          { "@type": "Organization", "@id": "#org", name: "Acme" }
        ]
      })
    ).toEqual([
      {
        type: "Article",
        publisher: { type: "Organization", id: "https://shop.test/a/b#org", name: "Acme" },
        image: "https://shop.test/i.png"
      },
      { type: "Organization", id: "https://shop.test/a/b#org", name: "Acme" }
    ])
  })

  it("joins across scripts, and never a thing into itself", () => {
    const [page] = outlines(
      { "@type": "WebPage", "@id": "#page", about: { "@id": "#it" } },
      { "@type": "Product", "@id": "#it", isPartOf: { "@id": "#page" } }
    )

    expect(page).toMatchObject({ about: { type: "Product", isPartOf: "https://shop.test/a/b#page" } })
  })

  it("gives few copies of things that name each other", () => {
    const graph = Array.from({ length: 60 }, (_, i) => ({
      "@id": `#${i}`,
      knows: Array.from({ length: 60 }, (_, k) => ({ "@id": `#${k}` }))
    }))

    expect(JSON.stringify(outlines({ "@graph": graph })).length).toBeLessThan(2_000_000)
  })

  it("reads names as the context of the document explains them", () => {
    expect(
      outlines({
        "@context": [
          "https://schema.org",
          {
            s: "https://schema.org/",
            kind: "@type",
            ref: "@id",
            titel: "s:name",
            seite: { "@id": "s:url", "@type": "@id" },
            label: { "@id": "s:headline", "@container": "@language" },
            von: { "@reverse": "s:author" }
          }
        ],
        kind: "s:Book",
        ref: "/b",
        titel: "Faust",
        seite: "c",
        label: { de: "eins", en: "one" },
        von: { "@type": "Person" }
      })
    ).toEqual([
      {
        type: "Book",
        id: "https://shop.test/b",
        name: "Faust",
        url: "https://shop.test/a/c",
        headline: ["eins", "one"]
      }
    ])
  })

  it("reads values with a language or a type, lists and sets as plain values", () => {
    expect(
      outlines({
        "@type": "Thing",
        name: { "@value": "Anvil", "@language": "en" },
        date: { "@value": "2024-01-01", "@type": "xsd:date" },
        steps: { "@list": ["one", "two"] },
        tags: { "@set": ["three"] },
        "@reverse": { author: { "@type": "Book" } }
      })
    ).toEqual([{ type: "Thing", name: "Anvil", date: "2024-01-01", steps: ["one", "two"], tags: "three" }])
  })

  it("decodes references in texts and resolves addresses that lead from the page", () => {
    expect(
      outlines({
        "@type": "Thing",
        name: "A &amp; B",
        url: "/c",
        image: ["d.png", "https://x.test/e"],
        logo: "www.x.test/y"
      })
    ).toEqual([
      {
        type: "Thing",
        name: "A & B",
        url: "https://shop.test/c",
        image: ["https://shop.test/a/d.png", "https://x.test/e"],
        logo: "www.x.test/y"
      }
    ])
  })

  it("reads what is broken, and goes on with the next script", () => {
    const broken = `<script type="application/ld+json">{"@type": "Product", "name": "A "big" one", }</script>`

    expect(
      things(broken + html({ "@type": "Offer" }) + `<script type="application/ld+json">nothing</script>`).map(outline)
    ).toEqual([{ type: "Product", name: 'A "big" one' }, { type: "Offer" }])
  })

  it("ends soon where parts nest without end", () => {
    const text = `<script type="application/ld+json">${'{"@type":"A","a":'.repeat(10_000)}</script>`

    expect(things(text).length).toBeLessThan(2)
  })
})
