import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as PartialRowMerger from "#engine/PartialRowMerger"
import * as Table from "#engine/Table"

const cell = Schema.NullOr(Schema.String)
const items: Table.Table = {
  ...Table.make({
    name: "items",
    description: "",
    key: ["id"],
    schema: Schema.Struct({ id: Schema.Int, a: cell, b: cell })
  }),
  mergePartialRows: true
}
const sources = Table.make({
  name: "items__sources",
  description: "",
  key: ["of", "n"],
  parent: { table: "items", on: { of: "id" } },
  schema: Schema.Struct({ of: Schema.Int, n: Schema.Int })
})
const jobs = Table.make({ name: "jobs", description: "", schema: Schema.Struct({ id: Schema.Int }) })
const seen = (row: Table.Row) => ({ row, presence: "seen" as const })

describe("rows in parts", () => {
  it("are one row a key: the first counts, and later ones fill what it leaves empty", () => {
    const parts = PartialRowMerger.of([items, sources, jobs])

    expect(parts.take(items, [seen({ id: 1, a: "x", b: null }), seen({ id: 2, a: null })])).toBe(2)
    expect(parts.take(items, [seen({ id: 1n, a: "y", b: "z" }), seen({ id: 2, b: "" }), seen({ id: 3 })])).toBe(3)
    expect(parts.release()).toEqual([
      [items, [seen({ id: 1, a: "x", b: "z" }), seen({ id: 2, a: null, b: "" }), seen({ id: 3 })]]
    ])
    expect(parts.release()).toEqual([])
  })

  it("are held with what belongs to them, and let go before it, some at a time", () => {
    const parts = PartialRowMerger.of([items, sources, jobs])
    parts.take(sources, [seen({ of: 1, n: 0 }), seen({ of: 1, n: 1 })])
    parts.take(
      items,
      Array.from({ length: 2500 }, (_, id) => seen({ id }))
    )
    const released = parts.release()

    expect([items, sources, jobs].map(parts.holds)).toEqual([true, true, false])
    expect(released.map(([{ name }, rows]) => [name, rows.length])).toEqual([
      ["items", 1000],
      ["items", 1000],
      ["items", 500],
      ["items__sources", 2]
    ])
  })
})
