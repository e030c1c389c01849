import { describe, expect, it } from "vitest"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import { byRules, dataCandidates } from "#extract/byRules"
import { maxValues } from "#extract/page/Budget"

const text = { type: "string" } as const
const number = { type: "number" } as const
const day = { type: "string", format: "date" } as const
const object = (properties: { readonly [name: string]: Json }): JsonSchema => ({ type: "object", properties })
const list = (items: Json): JsonSchema => ({ type: "array", items })

const read = (html: string, schema: JsonSchema) =>
  byRules({ url: "https://api.test/answer", html, metadata: {} }, { schema, prompt: undefined })

describe("an answer that is data", () => {
  it("in JSON fills lists from its lists, and objects from its objects", () => {
    const products = [
      { id: 1, title: "Arc lamp", price: "129.00", vendor: { name: "Lumen" }, tags: ["floor", "led"], note: null },
      { id: 2, title: "Bulb", price: "5.00", vendor: { name: "Nord" }, tags: [] }
    ]
    const row = object({ name: text, price: number, vendor: object({ name: text }), tags: list(text), note: text })

    const { data, sources } = read(JSON.stringify({ page: 1, products }), object({ products: list(row) }))

    expect(data).toEqual({
      products: [
        { name: "Arc lamp", price: 129, vendor: { name: "Lumen" }, tags: ["floor", "led"], note: null },
        { name: "Bulb", price: 5, vendor: { name: "Nord" }, tags: null, note: null }
      ]
    })
    expect(sources.get("/products/1/price")).toMatchObject({ kind: "data", path: "/products/1/price" })
  })

  it("in JSON is one thing, wherever in it the thing stands", () => {
    const answer = { status: "ok", data: { product: { name: "Arc lamp", price: { amount: 129, currency: "EUR" } } } }

    expect(read(JSON.stringify(answer), object({ name: text, price: number, currency: text })).data).toEqual({
      name: "Arc lamp",
      price: 129,
      currency: "EUR"
    })
  })

  it("says nothing of itself that the first of its list says", () => {
    const answer = JSON.stringify({ total: 2, products: [{ price: 1 }, { price: 2 }] })

    expect(read(answer, object({ price: number, total: number })).data).toEqual({ price: null, total: 2 })
  })

  it("in lines of JSON is a list", () => {
    expect(read('{"name":"Arc"}\n{"name":"Bow"}\n', list(object({ name: text }))).data).toEqual([
      { name: "Arc" },
      { name: "Bow" }
    ])
  })

  it("in RSS is its entries, whose HTML is read as text", () => {
    const item = (title: string, rest: string) => `<item><title>${title}</title>${rest}</item>`
    const feed = `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title>${item(
      "We moved &amp; grew",
      "<link>https://b.test/1</link><pubDate>Wed, 25 Nov 2026 09:00:00 GMT</pubDate><dc:creator><![CDATA[Nora Blum]]></dc:creator><description><![CDATA[<p>In <b>Bergen</b>.</p>]]></description>"
    )}${item("Hello", "<link>https://b.test/2</link>")}</channel></rss>`
    const row = object({ title: text, link: text, published: day, author: text, description: text })

    expect(read(feed, object({ title: text, posts: list(row) })).data).toEqual({
      title: "News",
      posts: [
        {
          title: "We moved & grew",
          link: "https://b.test/1",
          published: "2026-11-25",
          author: "Nora Blum",
          description: "In Bergen."
        },
        { title: "Hello", link: "https://b.test/2", published: null, author: null, description: null }
      ]
    })
  })

  it("in Atom has the addresses of its entries, and not its own", () => {
    const entry = (n: number) =>
      `<entry><id>tag:${n}</id><link rel="edit" href="https://r.test/edit/${n}"/><link rel="alternate" href="https://r.test/${n}"/><title>v${n}</title><author><name>ada</name></author></entry>`
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title><link href="https://r.test/"/>${entry(2)}${entry(1)}</feed>`

    expect(read(feed, list(object({ title: text, url: text, author: text }))).data).toEqual([
      { title: "v2", url: "https://r.test/2", author: "ada" },
      { title: "v1", url: "https://r.test/1", author: "ada" }
    ])
  })

  it.each([
    [",", 'Name,Opened,Note\r\n"Old Town, North",2019-04-01,"Says ""hi"""\r\nHarbour,2021-06-15,\r\n'],
    [";", 'Name;Opened;Note\n"Old Town, North";2019-04-01;"Says ""hi"""\nHarbour;2021-06-15;\n']
  ])("in CSV with %s is its rows, by the names of its first row", (_, csv) => {
    expect(read(csv, list(object({ name: text, opened: day, note: text }))).data).toEqual([
      { name: "Old Town, North", opened: "2019-04-01", note: 'Says "hi"' },
      { name: "Harbour", opened: "2021-06-15", note: null }
    ])
  })

  it.each([
    ["CSV", `a,b,c\n${"1,2,3\n".repeat(70_000)}`],
    ["JSON", JSON.stringify(Array.from({ length: 70_000 }, () => ({ a: 1, b: 2, c: 3 })))]
  ])("with more than is read is whole rows and a warning, in %s", (_, much) => {
    const found = dataCandidates(much, "https://api.test/")

    expect(found?.isCut).toBe(true)
    expect(found?.things).toHaveLength(Math.floor(maxValues / 3))
    expect(found?.things.at(-1)?.properties.map(({ name }) => name)).toEqual(["a", "b", "c"])
  })

  it.each([
    ["a page", "<html><p>1, 2</p></html>"],
    ["a page in XML", '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"></html>'],
    ["sentences", "Hello, world.\nIt rains, again.\n"],
    ["one column", "Name\nAda\n"],
    ["JSON that is broken", '{"name": "Ada"'],
    ["an open quote", '"a,b\n"c,d'],
    ["nothing", ""]
  ])("is not %s", (_, other) => {
    expect(dataCandidates(other, "https://api.test/")).toBeUndefined()
  })
})
