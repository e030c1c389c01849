import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import type * as Table from "#engine/Table"
import { isEvidenceFor } from "#see/why/evidenceOf"
import { notesWithout } from "#see/why/evidenceRows"
import { spanContext } from "#see/why/spanContext"
import { rowKey } from "#see/whyValue"

const table = (name: string, ...key: ReadonlyArray<string>): Table.Table => ({
  name,
  description: "",
  key,
  columns: ["a", "b", ...key].map((column) => ({ name: column, type: { _tag: "VARCHAR" }, nullable: true }))
})

it("a pointer is evidence for a column by its name, and for the row of a list by its positions", () => {
  const main = table("products", "sku")
  const of = (name: string, column: string, row: Table.Row = {}) => ({ main, table: table(name), row, column })
  const isFor = (pointer: string, place: ReturnType<typeof of>) => isEvidenceFor(pointer, place)

  expect(isFor("/articleNumber", of("products", "article_number"))).toBe(true)
  expect(isFor("/articleName", of("products", "article_number"))).toBe(false)
  expect(isFor("/offers/1/unitPrice", of("products__offers", "unit_price", { _index: 1 }))).toBe(true)
  expect(isFor("/offers/0/unitPrice", of("products__offers", "unit_price", { _index: 1 }))).toBe(false)
  expect(isFor("/tags/2", of("products__tags", "value", { _index: 2 }))).toBe(true)
  expect(isFor("/a/3/b/1/c", of("products__a__b", "c", { _index: 1, _parent_index: 3 }))).toBe(true)
  expect(isFor("/a/1/b/3/c", of("products__a__b", "c", { _index: 1, _parent_index: 3 }))).toBe(false)
  expect(isFor("/offers/0/unitPrice", of("products", "offers__count"))).toBe(true)
  expect(isFor("/a~1b", of("products", "a_b"))).toBe(true)
})

it("a key is a value, names with values, or JSON", async () => {
  const keyOf = (of: Table.Table, said: string) => Effect.runPromise(Effect.flip(Effect.flip(rowKey(of, said))))
  const one = table("pages", "url")
  const two = table("links", "page_url", "position")

  expect(await keyOf(one, "http://x.example/?a=1,b=2")).toEqual({ url: "http://x.example/?a=1,b=2" })
  expect(await keyOf(one, "url=x")).toEqual({ url: "x" })
  expect(await keyOf(two, "page_url=http://x.example/?a=1,2,position=3")).toEqual({
    page_url: "http://x.example/?a=1,2",
    position: "3"
  })
  expect(await keyOf(two, '{"page_url":"a,position=9","position":3}')).toEqual({
    page_url: "a,position=9",
    position: "3"
  })
  await expect(keyOf(two, "page_ulr=x,position=3")).rejects.toThrow("did you mean page_url?")
  await expect(keyOf(two, "{page}")).rejects.toThrow("begins with { but is not valid JSON")
  await expect(keyOf(table("events"), "x")).rejects.toThrow("table events has no key: name a row by its columns")
})

it("a span is shown in its context, and says whether its value still stands there", () => {
  const html = `<p>${"a".repeat(300)} <b data-price="60">£60.00</b> ${"z".repeat(300)}</p>`
  const at = html.indexOf("<b ")
  const shown = spanContext(html, [at, html.indexOf("</b>") + 4], "60", "raw_html of pages")

  expect(shown.marked).toBe('<b data-price="60">£60.00</b>')
  expect([shown.before.length, shown.after.length]).toEqual([200, 200])
  expect(shown.matches).toBe(true)
  expect(spanContext(html, [at, at + 5], "61", "").matches).toBe(false)
  expect(spanContext('"caf\\u00e9"', [0, 11], "Café", "").matches).toBe(true)
  expect(spanContext("short", [100, 200], "x", "")).toMatchObject({ marked: "", after: "", matches: false })
})

it("a value without evidence is null because no page says it, or follows from other columns", () => {
  expect(notesWithout("products", true, [], null)).toEqual([
    "the value is null: no page that was read for this row says it"
  ])
  expect(notesWithout("products", true, [], 60)).toEqual([
    "no page is recorded for this value: it follows from other columns"
  ])
  expect(notesWithout("products", true, ["a place"], null)).toEqual([])
})
