import { describe, expect, it } from "vitest"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import type { Extracted, Kind, Source } from "#extract/Candidates"
import { merge } from "#extract/merge"

const text = { type: "string" } as const
const object = (properties: { readonly [name: string]: Json }): JsonSchema => ({ type: "object", properties })

/** What a page gave, with a source of one kind for each value. */
const page = (url: string, data: Json, kind: Kind = "json-ld") => {
  const sources = new Map<string, Source>()
  const missing: Array<string> = []
  const visit = (json: Json, pointer: string): void => {
    if (json === null) missing.push(pointer)
    else if (Array.isArray(json)) json.forEach((item: Json, i) => visit(item, `${pointer}/${i}`))
    else if (typeof json === "object")
      for (const [key, value] of Object.entries(json)) visit(value, `${pointer}/${key}`)
    else sources.set(pointer, { kind, path: `${kind} ${pointer}`, span: [0, 1] })
  }
  visit(data, "")
  const extracted: Extracted = { data, sources, missing }
  return { url, extracted }
}

describe("merge", () => {
  it("fills an object from several pages, and says which page said what", () => {
    const schema = object({ name: text, phone: text, fax: text })
    const merged = merge(
      [
        page("/a", { name: "Mill", phone: null, fax: null }),
        page("/b", { name: "Mill", phone: "555 1234", fax: null })
      ],
      schema
    )

    expect(merged.data).toEqual({ name: "Mill", phone: "555 1234", fax: null })
    expect(merged.sources.get("/name")?.map(({ url }) => url)).toEqual(["/a", "/b"])
    expect(merged.sources.get("/phone")).toEqual([{ kind: "json-ld", path: "json-ld /phone", span: [0, 1], url: "/b" }])
    expect(merged.missing).toEqual(["/fax"])
  })

  it("takes what more pages say, or better sources, else what the first says", () => {
    const schema = object({ name: text })
    const named = (name: string, kind?: Kind) => page(`/${name}`, { name }, kind)
    const name = (...pages: ReadonlyArray<ReturnType<typeof page>>) => merge(pages, schema).data

    expect(name(named("a"), named("b"), named("b"))).toEqual({ name: "b" })
    expect(name(named("a", "text"), named("b", "json-ld"))).toEqual({ name: "b" })
    expect(name(named("a"), named("b"))).toEqual({ name: "a" })
  })

  it("says where what is in a value of no type stands, and not what is in its neighbours", () => {
    const some = Array.from({ length: 12 }, (_, at) => ({ deep: { a: `a${at}`, "a b": "beside", z: { more: at } } }))
    const merged = merge(
      [page("/a", { things: some })],
      object({ things: { type: "array", items: object({ deep: {} }) } })
    )

    expect(merged.data).toEqual({ things: some })
    expect([...merged.sources.keys()].toSorted()).toEqual(
      some.flatMap((_, at) => ["a", "a b", "z/more"].map((key) => `/things/${at}/deep/${key}`)).toSorted()
    )
    expect(merged.sources.get("/things/1/deep/a")).toEqual([
      { kind: "json-ld", path: "json-ld /things/1/deep/a", span: [0, 1], url: "/a" }
    ])
  })

  it("gives 50,000 rows of all pages, and says where there are more", () => {
    const schema = object({ rows: { type: "array", items: object({ sku: text }) } })
    const rows = (url: string, count: number) =>
      page(url, { rows: Array.from({ length: count }, (_, at) => ({ sku: `${url}-${at}` })) })
    const countOf = ({ data }: ReturnType<typeof merge>) =>
      data !== null && typeof data === "object" && "rows" in data && Array.isArray(data.rows) ? data.rows.length : 0
    const all = merge([rows("/a", 20_000), rows("/b", 10_001)], schema)
    const cut = merge([rows("/a", 20_000), rows("/b", 20_000), rows("/c", 10_001)], schema)

    expect([countOf(all), all.warning]).toEqual([30_001, undefined])
    expect([countOf(cut), cut.warning]).toEqual([
      50_000,
      "the pages have more than 50,000 rows: the rest is not in the data; ask for fewer pages at a time"
    ])
  })

  it("joins rows by what identifies them and fills their gaps", () => {
    const schema = object({
      jobs: { type: "array", items: object({ title: text, link: { ...text, format: "uri" }, pay: { type: "number" } }) }
    })
    const merged = merge(
      [
        page("/1", {
          jobs: [
            { title: "Clerk", link: "http://x.test/1", pay: null },
            { title: "Clerk", link: "http://x.test/2", pay: 5 }
          ]
        }),
        page("/2", { jobs: [{ title: "Clerk", link: "http://x.test/1/?utm_source=a", pay: 7 }] })
      ],
      schema
    )

    expect(merged.data).toEqual({
      jobs: [
        { title: "Clerk", link: "http://x.test/1", pay: 7 },
        { title: "Clerk", link: "http://x.test/2", pay: 5 }
      ]
    })
    expect(merged.sources.get("/jobs/0/pay")?.[0]?.url).toBe("/2")
  })

  it("joins a list at the top, and lists of values without their doubles", () => {
    expect(
      merge([page("/1", ["red", "Green"]), page("/2", ["green", "blue"])], { type: "array", items: text }).data
    ).toEqual(["red", "Green", "blue"])
    const rows = { type: "array", items: object({ name: text }) }
    expect(merge([page("/1", [{ name: "A" }]), page("/2", null), page("/3", [{ name: "B" }])], rows).data).toEqual([
      { name: "A" },
      { name: "B" }
    ])
  })

  it("keeps rows apart that nothing identifies, but for those that say no more than another", () => {
    const schema = { type: "array", items: object({ ward: text, votes: { type: "number" } }) }
    const merged = merge(
      [
        page("/1", [
          { ward: "Mill", votes: 3 },
          { ward: "Mill", votes: 4 }
        ]),
        page("/2", [{ ward: "Mill", votes: 4 }])
      ],
      schema
    )

    expect(merged.data).toEqual([
      { ward: "Mill", votes: 3 },
      { ward: "Mill", votes: 4 }
    ])
  })

  it("finds the shape in the data where there is no schema", () => {
    expect(merge([page("/1", { price: 5 }), page("/2", { price: 5, rows: [{ a: 1 }] })], undefined).data).toEqual({
      price: 5,
      rows: [{ a: 1 }]
    })
  })

  it("says where the values in an object stand that has no schema", () => {
    const merged = merge([page("/a", { facts: { Gewicht: "3,4 kg" } }, "label")], undefined)

    expect(merged.sources.get("/facts/Gewicht")).toEqual([
      { kind: "label", path: "label /facts/Gewicht", span: [0, 1], url: "/a" }
    ])
  })

  it("keeps equal items of one page, and has once what two pages say", () => {
    const steps = object({ steps: { type: "array", items: text } })
    const pages = [page("/a", { steps: ["Stir.", "Wait.", "Stir."] }), page("/b", { steps: ["Stir.", "Serve."] })]

    expect(merge(pages, steps).data).toEqual({ steps: ["Stir.", "Wait.", "Stir.", "Serve."] })
  })

  it("ends soon with very many rows", () => {
    const schema = { type: "array", items: object({ a: text }) }
    const rows = Array.from({ length: 5000 }, (_, i) => ({ a: `value ${i % 2500}` }))

    expect(merge([page("/1", rows)], schema).data).toHaveLength(2500)
  })
})
