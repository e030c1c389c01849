import { expect, it } from "@effect/vitest"
import { mergeFault, rowFault } from "../../src/pipeline/mergeFault.ts"
import { everything, links, pages } from "../../src/testing/specimens.ts"

const merge = (...tables: ReadonlyArray<typeof pages>) => tables.map((table) => ({ table, write: "merge" as const }))

it("a table is merged by its key or with its parent", () => {
  expect(mergeFault(merge(pages, links))).toBeUndefined()
  expect(mergeFault(merge(links, pages))).toBeUndefined()
  expect(mergeFault(merge(everything))).toBe("table everything has no key to merge by; give it one, or append")
  expect(mergeFault(merge(links))).toBe("table links cannot merge without its parent pages; merge both, or append both")
  expect(mergeFault([...merge(links), { table: pages, write: "append" }])).toContain("cannot merge without")
  expect(mergeFault([{ table: everything, write: "append" }])).toBeUndefined()
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
