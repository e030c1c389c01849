import { execFileSync, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Arrow from "apache-arrow"
import * as Effect from "effect/Effect"
import * as arrowBatch from "#engine/arrowBatch"
import type * as Column from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import type * as Table from "#engine/Table"
import { folder } from "#testing/folder"

/** A Python that has pyarrow. */
const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const hasPyarrow = spawnSync(python, ["-c", "import pyarrow"]).status === 0
if (!hasPyarrow) {
  console.warn(`SKIPPED: ${python} has no pyarrow, so it does not read our Arrow batches (MILLRACE_TEST_PYTHON)`)
}

const column = (name: string, sql: string): Column.Column => {
  const type = columnFromSql(sql)
  if (type === undefined) throw new Error(`${sql} is not a type`)
  return { name, type, nullable: true }
}
const columns = [
  column("id", "BIGINT"),
  column("times", "TIMESTAMP[]"),
  column("nested", "STRUCT(at TIMESTAMP, day DATE, price DECIMAL(30, 3), any JSON, more STRUCT(on DATE)[])"),
  column("deep", "DATE[][]"),
  column("prices", "DECIMAL(9, 2)[]")
]
const rows: ReadonlyArray<Table.Row> = [
  {
    id: 9007199254740993n,
    times: [-1n, null, 253402300799999999n],
    nested: {
      at: -62135596800000000n,
      day: "0001-01-01",
      price: "-123456789012345678901234567.125",
      any: { a: [1, null] },
      more: [{ on: "1969-12-31" }, null, { on: null }]
    },
    deep: [["2024-02-29"], [], null],
    prices: ["-0.01"]
  },
  { id: null, times: null, nested: null, deep: null, prices: null },
  { id: 1n, times: [], nested: { at: null, day: null, price: null, any: null, more: null }, deep: [], prices: [null] },
  {
    id: 2n,
    times: [0n],
    nested: { at: 1n, day: "9999-12-31", price: "0.000", any: "", more: [] },
    deep: [[null]],
    prices: []
  }
]
const schema = arrowBatch.schemaOf(columns)

it("times, days and decimals have their Arrow types within lists and structs", () => {
  expect(schema.fields.map(({ name, type }) => `${name}: ${type}`)).toEqual([
    "id: Int64",
    "times: List<Timestamp<MICROSECOND, UTC>>",
    "nested: Struct<{at:Timestamp<MICROSECOND, UTC>, day:Date32<DAY>, price:Decimal[30e+3], any:Utf8, more:List<Struct<{on:Date32<DAY>}>>}>",
    "deep: List<List<Date32<DAY>>>",
    "prices: List<Decimal[9e+2]>"
  ])
})

it("rows come back as they were, also through a file", () => {
  const batch = arrowBatch.batchOf(schema, columns, rows)
  expect(arrowBatch.rowsOf(batch, columns)).toEqual(rows)
  const [read] = Arrow.tableFromIPC(Arrow.tableToIPC(new Arrow.Table([batch]), "file")).batches
  expect(read && arrowBatch.rowsOf(read, columns)).toEqual(rows)
  expect(arrowBatch.rowsOf(arrowBatch.batchOf(schema, columns, []), columns)).toEqual([])
})

const judge = `
import sys, json, decimal, datetime, pyarrow
def text(value):
    if isinstance(value, dict): return {name: text(inner) for name, inner in value.items()}
    if isinstance(value, list): return [text(inner) for inner in value]
    return value if value is None or isinstance(value, int) else str(value)
table = pyarrow.ipc.open_file(sys.argv[1]).read_all()
table.validate(full=True)
print(json.dumps([str(table.schema.field("times").type), str(table.schema.field("nested").type)]))
print(json.dumps(text(table.to_pylist())))
`
it.effect.skipIf(!hasPyarrow)("pyarrow reads them as times, days and decimals", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "rows.arrow")
    writeFileSync(file, Arrow.tableToIPC(new Arrow.Table([arrowBatch.batchOf(schema, columns, rows)]), "file"))

    const lines = execFileSync(python, ["-c", judge, file], { encoding: "utf8" }).trim().split("\n")
    const [times, nested]: ReadonlyArray<unknown> = JSON.parse(lines[0] ?? "")
    expect(times).toBe("list<item: timestamp[us, tz=UTC]>")
    expect(nested).toBe(
      "struct<at: timestamp[us, tz=UTC], day: date32[day], price: decimal128(30, 3), any: string, more: list<item: struct<on: date32[day]>>>"
    )
    expect(JSON.parse(lines[1] ?? "")).toEqual([
      {
        id: 9007199254740992,
        times: ["1969-12-31 23:59:59.999999+00:00", null, "9999-12-31 23:59:59.999999+00:00"],
        nested: {
          at: "0001-01-01 00:00:00+00:00",
          day: "0001-01-01",
          price: "-123456789012345678901234567.125",
          any: '{"a":[1,null]}',
          more: [{ on: "1969-12-31" }, null, { on: null }]
        },
        deep: [["2024-02-29"], [], null],
        prices: ["-0.01"]
      },
      { id: null, times: null, nested: null, deep: null, prices: null },
      {
        id: 1,
        times: [],
        nested: { at: null, day: null, price: null, any: null, more: null },
        deep: [],
        prices: [null]
      },
      {
        id: 2,
        times: ["1970-01-01 00:00:00+00:00"],
        nested: { at: "1970-01-01 00:00:00.000001+00:00", day: "9999-12-31", price: "0.000", any: '""', more: [] },
        deep: [[null]],
        prices: []
      }
    ])
  })
)

it("days that no row of a source has are the days that they are, and a cell that is none is refused by its column", () => {
  const days = [column("d", "DATE")]
  const batch = (d: string) => arrowBatch.batchOf(arrowBatch.schemaOf(days), days, [{ d }])
  for (const d of ["-000043-03-15", "+050000-01-01", "infinity"]) {
    expect(arrowBatch.rowsOf(batch(d), days)).toEqual([{ d }])
  }
  expect(() => batch("0044-03-15 BC")).toThrow(`column d: a string is not a valid DATE: "0044-03-15 BC"`)
  const digits = [column("n", "DECIMAL(38, 0)")]
  const large = "9".repeat(39)
  expect(() => arrowBatch.batchOf(arrowBatch.schemaOf(digits), digits, [{ n: large }])).toThrow("column n:")
})
