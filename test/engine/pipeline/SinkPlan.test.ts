import { expect, it } from "@effect/vitest"
import type * as Sink from "#engine/Sink"
import { fingerprintFault, planFault, rowFault } from "#engine/SinkPlan"
import * as Table from "#engine/Table"
import { everything, links, pages } from "#testing/specimens"

const merge = (...tables: ReadonlyArray<typeof pages>) => tables.map((table) => ({ table, write: "merge" as const }))

it("a table is merged by its key or with its parent", () => {
  expect(planFault(merge(pages, links))).toBeUndefined()
  expect(planFault(merge(links, pages))).toBeUndefined()
  expect(planFault(merge(everything))).toBe("table everything has no key to merge by; give it one, or append")
  expect(planFault(merge(links))).toBe("table links cannot merge without its parent pages; merge both, or append both")
  expect(planFault([...merge(links), { table: pages, write: "append" }])).toContain("cannot merge without")
  expect(planFault([{ table: everything, write: "append" }])).toBeUndefined()
})

it("a table whose columns SQL cannot tell apart is refused, however it is written", () => {
  const twice = Table.extend(pages, [{ name: "URL", type: { _tag: "VARCHAR" }, nullable: true }])
  expect(planFault([{ table: twice, write: "append" }])).toBe(
    "table pages: url and URL are one name to SQL; rename one"
  )
})

it("a table that is not shared has no column by which shared tables are known", () => {
  const table = Table.extend(pages, [{ name: "_Pipeline", type: { _tag: "VARCHAR" }, nullable: true }])
  expect(planFault([{ table, write: "append" }])).toBe(
    "table pages: it has a column _Pipeline, which Millrace adds to shared tables; rename it"
  )
  expect(planFault([{ table, write: "append" }], true)).toBeUndefined()
})

it("a row of a merged table names itself and its parent", () => {
  const [page, link] = merge(pages, links)
  if (page === undefined || link === undefined) return expect.fail("two tables were planned")
  expect(rowFault(page, [{ url: "/" }, { url: "" }])).toBeUndefined()
  expect(rowFault(page, [{ url: "/" }, { title: "lost" }])).toBe(
    "table pages: a row has no url, which merge needs; fill it, or append"
  )
  expect(rowFault(link, [{ page_url: null, at: 1 }])).toContain("has no page_url")
  expect(rowFault({ table: pages, write: "append" }, [{ url: null }])).toBeUndefined()
})

it("a table with a history has a key, a fingerprint of its own columns, and none of the columns that scd2 adds", () => {
  const history = (table: Table.Table, fingerprint?: ReadonlyArray<string>): ReadonlyArray<Sink.TablePlan> => [
    { table, write: "scd2", ...(fingerprint === undefined ? {} : { fingerprint }) },
    { table: links, write: "merge" }
  ]
  expect(planFault(history(pages, ["title"]))).toBeUndefined()
  expect(planFault(history(pages, []))).toBeUndefined()
  expect(planFault(history(pages))).toContain("table pages has no fingerprint")
  expect(fingerprintFault(history(pages, ["color"]), () => [])).toContain("table pages has no column color")
  const color = { name: "color", type: { _tag: "VARCHAR" }, nullable: true } as const
  expect(fingerprintFault(history(pages, ["title", "color"]), () => [color])).toBeUndefined()
  expect(planFault(history(everything, ["text"]))).toContain("table everything has no key to tell versions by")
  expect(planFault(history(links, ["href"]))).toContain("table links belongs to pages")
  const taken = Table.extend(pages, [{ name: "is_current", type: { _tag: "BOOLEAN" }, nullable: false }])
  expect(planFault(history(taken, ["title"]))).toContain("has a column is_current")
  expect(rowFault({ table: pages, write: "scd2" }, [{ title: "lost" }])).toBe(
    "table pages: a row has no url, which scd2 needs; fill it, or append"
  )
})
