import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { expect } from "vitest"
import { mappedSource } from "#engine/mappedSource"
import type { Element, Reader } from "#engine/Source"
import * as Table from "#engine/Table"

const pages = Table.make({
  name: "pages",
  description: "a page",
  key: ["url"],
  schema: Schema.Struct({ url: Schema.String })
})
const links = Table.make({
  name: "links",
  description: "a link of a page",
  key: ["page_url", "link"],
  schema: Schema.Struct({ page_url: Schema.String, link: Schema.String }),
  parent: { table: "pages", on: { page_url: "url" } }
})
const link = (page_url: string) => ({ page_url, link: "/x" })

/** A source whose one answer says pages, and the links of some. */
const source = {
  type: "site",
  tables: [pages, links],
  decode: () =>
    Effect.succeed([
      ...Table.batches(pages, [{ url: "/a" }, { url: "/b" }, { url: "/bad" }]),
      ...Table.batches(links, [link("/a"), link("/b"), link("/bad"), link("/elsewhere")])
    ])
} as unknown as Reader<never>

const answer = { kind: "page", at: 0, cursor: null, text: "" }
const rowsOf = (elements: ReadonlyArray<Element<unknown>>, table: string) =>
  elements.flatMap((element) => (element._tag === "Batch" && element.table.name === table ? element.rows : []))

const mapped = (columns: Table.Table["columns"], map: (row: Readonly<Record<string, unknown>>) => unknown) =>
  Effect.map(mappedSource(source, { name: "./map.ts", columns, map }).decode(answer), (elements) => ({
    pages: rowsOf(elements, "pages"),
    links: rowsOf(elements, "links").map(({ page_url }) => page_url)
  }))

it.effect("rows that belong to others follow them where a map changes what they are called", () =>
  Effect.gen(function* () {
    const moved = yield* mapped(pages.columns, ({ url }) => {
      if (url === "/bad") throw new Error("no")
      return { url: url === "/b" ? url : `https://site.test${String(url)}` }
    })

    expect(moved.pages).toEqual([{ url: "https://site.test/a" }, { url: "/b" }])
    expect(moved.links).toEqual(["https://site.test/a", "/b", "/bad", "/elsewhere"])
  })
)

it.effect("they stay as they are where the column is of another type then", () =>
  Effect.gen(function* () {
    const size = [{ name: "url", type: { _tag: "BIGINT" }, nullable: false }] as const
    const moved = yield* mapped(size, ({ url }) => ({ url: String(url).length }))

    expect(moved.links).toEqual(["/a", "/b", "/bad", "/elsewhere"])
  })
)
