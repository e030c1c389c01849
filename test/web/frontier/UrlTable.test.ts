import { describe, expect, test } from "vitest"
import * as UrlTable from "#web/frontier/UrlTable"

describe("a table of URLs", () => {
  test("gives every key its own newest number, among many that are alike", () => {
    const table = UrlTable.create()
    const keys = Array.from({ length: 200_000 }, (_, index) => `site.test/p/${index.toString(36)}?page=${index % 10}`)
    keys.forEach((key, index) => table.set(key, index))
    keys.slice(0, 1000).forEach((key, index) => table.set(key, 1_000_000 + index))

    const wrong = keys.filter((key, index) => table.get(key) !== (index < 1000 ? 1_000_000 + index : index))
    expect(wrong).toEqual([])
  })

  test("does not know keys that were never entered", () => {
    const table = UrlTable.create()
    for (let index = 0; index < 50_000; index++) table.set(`site.test/${index}`, index)

    expect(table.get("")).toBeUndefined()
    expect(Array.from({ length: 50_000 }, (_, index) => table.get(`other.test/${index}`)).filter(Boolean)).toEqual([])
    expect(table.get("site.test/0")).toBe(0)
  })
})
