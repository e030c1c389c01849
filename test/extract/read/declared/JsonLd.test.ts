import { describe, expect, it, test } from "vitest"
import type { Thing } from "#extract/Candidates"
import { Page } from "#extract/page/Page"
import { documents, JsonLdContext, read } from "#extract/read/declared/JsonLd"
import type { Node } from "#extract/read/declared/JsonParser"
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

const context = (json: unknown, before = JsonLdContext.empty): JsonLdContext => {
  const [node] = documents(JSON.stringify({ "@context": json }), 0)
  return node?._tag === "Object" ? before.with(node) : before
}

test("terms mean what a context says, and what is added counts on", () => {
  const outer = context(["https://schema.org", { s: "https://schema.org/", titel: "s:name", id: "@id" }])
  const inner = context(
    { seite: { "@id": "s:url", "@type": "@id" }, text: { "@id": "s:text", "@container": "@language" } },
    outer
  )

  expect(["titel", "id", "s:sku", "seite", "@type", "s"].map((key) => inner.nameOf(key))).toEqual([
    "name",
    "@id",
    "sku",
    "url",
    "@type",
    "s"
  ])
  expect([inner.isAddress("seite"), inner.isAddress("titel"), inner.isMap("text"), inner.isMap("titel")]).toEqual([
    true,
    false,
    true,
    false
  ])
})

test("the context of schema.org has short forms of keywords, others have not", () => {
  expect(["type", "id", "name"].map((key) => context("https://schema.org/").nameOf(key))).toEqual([
    "@type",
    "@id",
    "name"
  ])
  expect(context("https://schema.org.evil.test/").nameOf("type")).toBe("type")
})

test("a context that is only an address is not fetched and says nothing", () => {
  expect(context("https://evil.test/context.json")).toBe(JsonLdContext.empty)
})

const plain = (node: Node): unknown =>
  node._tag === "Plain"
    ? node.data
    : node._tag === "List"
      ? node.items.map(plain)
      : Object.fromEntries(node.entries.map(([name, value]) => [name, plain(value)]))

const readPlaced = (text: string): ReadonlyArray<unknown> => documents(text, 0).map(plain)

describe("JSON with places", () => {
  it("reads what is JSON as JSON.parse does", () => {
    const text = ' {"a": [1, -2.5e3, true, null, {}], "b\\u00e9\\n\\"": {"c": "\\/ d, \\"e\\": f"}, "": []} '

    expect(readPlaced(text)).toEqual([JSON.parse(text)])
  })

  it("knows where each value stands", () => {
    const text = '{"a": ["one", 2]}'
    const [root] = documents(text, 100)
    const list = root?._tag === "Object" ? root.entries[0]?.[1] : undefined
    const items = list?._tag === "List" ? list.items : []

    expect([root, list, ...items].map((node) => text.slice((node?.from ?? 0) - 100, (node?.to ?? 0) - 100))).toEqual([
      text,
      '["one", 2]',
      '"one"',
      "2"
    ])
  })

  it.each([
    ["a byte order mark", '\ufeff{"a": 1}'],
    ["comments", '// one { \n{"a": /* two */ 1} // three'],
    ["commas too many", '{"a": 1,,},'],
    ["CDATA", '<![CDATA[{"a": 1}]]>'],
    ["CDATA in comments", '//<![CDATA[\n{"a": 1}\n//]]>'],
    ["CDATA in comments on its line", '/*<![CDATA[*/{"a": 1}/*]]>*/'],
    ["an HTML comment around it", '<!-- {"a": 1} -->'],
    ["an HTML comment before it", '<!-- what {this} is -->\n{"a": 1}'],
    ["names without quotes", "{a: 1}"],
    ["a semicolon", '{"a": 1};'],
    ["an end that is missing", '{"a": 1']
  ])("mends %s", (_, text) => {
    expect(readPlaced(text)).toEqual([{ a: 1 }])
  })

  it("keeps what looks like a comment in a text", () => {
    expect(readPlaced('{"a": "// <!-- b --> /* c */"}')).toEqual([{ a: "// <!-- b --> /* c */" }])
  })

  it("reads raw line ends in a text", () => {
    expect(readPlaced('{"a": "one\n\ttwo"}')).toEqual([{ a: "one\n\ttwo" }])
  })

  it("reads quotes in a text where the text cannot end there", () => {
    expect(readPlaced('{"a": "the "best", they say", "b": ["4" wide", "c"]}')).toEqual([
      { a: 'the "best", they say', b: ['4" wide', "c"] }
    ])
  })

  it("reads a text that was escaped for HTML", () => {
    expect(readPlaced("{&quot;a&quot;: &quot;b&quot;}")).toEqual([{ a: "b" }])
  })

  it("reads on where a comma is missing, and values without quotes", () => {
    expect(readPlaced(`{"a": "b" "c": 'd', "e": 12 EUR, "f": undefined, "g": 5}`)).toEqual([
      { a: "b", c: "d", e: "12 EUR", f: null, g: 5 }
    ])
  })

  it("reads several documents in a row", () => {
    expect(readPlaced('{"a": 1}{"b": 2}\n[3]')).toEqual([{ a: 1 }, { b: 2 }, [3]])
  })

  it("keeps what came before the break, and leaves out the text that has no end", () => {
    expect(readPlaced('{"a": "b", "c": {"d": 1, "e": "f')).toEqual([{ a: "b", c: { d: 1 } }])
  })

  it.each(["", "   ", "window.x", "]", "<p>none</p>"])("finds no object in %j", (text) => {
    expect(readPlaced(text).filter((value) => typeof value === "object")).toEqual([])
  })

  it.each([
    ["[".repeat(200_000)],
    ['{"a":'.repeat(100_000)],
    ["<!--{}".repeat(100_000)],
    ['"'.repeat(200_000)],
    [`{"a": "${'", "'.repeat(100_000)}`],
    ["/*".repeat(100_000)],
    ['{"a": 1 '.repeat(100_000)]
  ])("ends soon on an attack", (text) => {
    expect(documents(text, 0).length).toBeLessThan(200_001)
  })
})
