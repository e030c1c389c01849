import { expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Partition from "#connectors/parquet/manifest/Partition"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"

const table = Table.make({
  name: "t",
  description: "t",
  schema: Schema.Struct({
    day: Schema.NullOr(Column.Day),
    n: Schema.BigInt,
    at: Column.Timestamp,
    tags: Schema.Array(Schema.String)
  })
})

it("values name folders as Hive writes them", () => {
  const columns = Partition.columnsOf(table, ["day", "n", "at"])
  const folder = (row: Table.Row) => Partition.route(columns, [row])[0]?.folder

  expect(folder({ day: "2026-11-21", n: 7n, at: 1n })).toBe("day=2026-11-21/n=7/at=1970-01-01T00%3A00%3A00.000001Z/")
  expect(folder({ n: -1, at: -1n })).toBe("day=__HIVE_DEFAULT_PARTITION__/n=-1/at=1969-12-31T23%3A59%3A59.999999Z/")
})

it("a text that is the word for null is not among the rows of null", () => {
  const columns = Partition.columnsOf(table, ["tags"])
  const shares = Partition.route(columns, [{ tags: null }, { tags: Partition.hiveNull }, { tags: null }])

  expect(shares.map(({ folder, partitions, rows }) => [folder, partitions[0]?.value, rows.length])).toEqual([
    ["tags=__HIVE_DEFAULT_PARTITION__/", null, 2],
    ["tags=%5F_HIVE_DEFAULT_PARTITION__/", Partition.hiveNull, 1]
  ])
})

it("a row that cannot have a folder has a reason: a moment that few readers know, and a text that is too long", () => {
  const texts = Table.make({ name: "t", description: "", schema: Schema.Struct({ p: Schema.NullOr(Schema.String) }) })
  const [at, p] = [Partition.columnsOf(table, ["at"]), Partition.columnsOf(texts, ["p"])]
  const [first, last] = [-62_135_596_800_000_000n, 253_402_300_799_999_999n]

  for (const moment of [first, last]) expect(Partition.rowFault(at, { at: moment })).toBeUndefined()
  for (const moment of [first - 1n, last + 1n]) {
    expect(Partition.rowFault(at, { at: moment })).toEqual({
      column: "at",
      message: "column at: a moment outside of the years 1 to 9999 cannot name a folder"
    })
  }
  for (const text of [null, "x".repeat(253), "漢".repeat(28)])
    expect(Partition.rowFault(p, { p: text })).toBeUndefined()
  expect(Partition.rowFault(p, { p: "x".repeat(254) })?.message).toBe(
    "column p: a text of 254 characters is too long to name a folder (256 bytes of at most 255)"
  )
  expect(Partition.rowFault(p, { p: "漢".repeat(29) })?.message).toContain("(263 bytes of at most 255)")
})

it("a path cannot be left by a value", () => {
  const columns = Partition.columnsOf(table, ["day"])
  const folders = Partition.route(columns, [{ day: "../../etc" }, { day: "\ud800" }]).map(({ folder }) => folder)
  expect(folders).toEqual(["day=..%2F..%2Fetc/", "day=%EF%BF%BD/"])
})

it("columns name folders as they are, since no reader decodes them, without what a path would mean", () => {
  const folder = (column: string) => Partition.folderOf([{ column, value: "é" }])

  expect(folder("商品名")).toBe("商品名=%C3%A9/")
  expect(folder("a/b=*")).toBe("a%2Fb%3D%2A=%C3%A9/")
})

it("columns that cannot name folders, and columns of no table, are refused", () => {
  expect(Partition.fault([table], ["day", "n"])).toBeUndefined()
  expect(Partition.fault([table], ["tags"])).toBe("column tags holds LIST values, which cannot name folders")
  expect(Partition.fault([table], ["dya"])).toBe("no table has the column dya to partition by; name one of its columns")
})

it("a table without the column is not partitioned by it", () => {
  const child = { ...table, name: "child", columns: table.columns.filter(({ name }) => name !== "day") }
  expect(Partition.fault([table, child], ["day"])).toBeUndefined()
  expect(Partition.columnsOf(child, ["day"])).toEqual([])
})
