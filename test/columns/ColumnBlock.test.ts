import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ColumnBlock from "../../src/columns/ColumnBlock.ts"
import * as Cell from "../../src/duckdb/Cell.ts"
import * as Database from "../../src/duckdb/Database.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { folder } from "../../src/testing/folder.ts"
import { canonical, draw, everything, seed, special } from "../../src/testing/specimens.ts"
import { columnTypes } from "../connectors/columnTypes.ts"

/** The rows that DuckDB reads out of a block, which is a Parquet file. */
const readByDuckDb = Effect.fnUntraced(function* (table: Table.Table, block: ColumnBlock.ColumnBlock) {
  const directory = yield* folder
  const path = join(directory, "block.parquet")
  yield* Effect.promise(() => Fs.writeFile(path, ColumnBlock.toBytes(block)))
  const database = yield* Database.open({ threads: 1, memory: "512MB", spill: join(directory, "spill") })
  return yield* database.query(
    `SELECT ${table.columns.map(Cell.selected).join(", ")} FROM read_parquet('${path}')`,
    table.columns
  )
}, Effect.scoped)

const drawn = [...special, ...draw(seed, 1500)].map((row, id) => ({ ...row, id }))
const tables = [
  { type: "everything", table: everything, rows: drawn },
  ...columnTypes.map(({ type, table, rowsFrom }) => ({ type, table, rows: rowsFrom(seed, 400) }))
]

describe.each(tables)(`$type (MILLRACE_SEED=${seed})`, ({ table, rows }) => {
  const expected = rows.map((row) => canonical(table, row))

  it("comes out of a block as it went in, with each codec, and out of its bytes", () => {
    for (const codec of ["zstd", "snappy", "gzip", "uncompressed"] as const) {
      const block = ColumnBlock.encode(table.columns, rows, { codec })
      expect(ColumnBlock.decode(block).map((row) => canonical(table, row))).toEqual(expected)
      const read = ColumnBlock.fromBytes(ColumnBlock.toBytes(block))
      expect(read.columns).toEqual(table.columns.map((column) => allNullable(column)))
      expect(ColumnBlock.decode(read)).toEqual(ColumnBlock.decode(block))
    }
  })

  it.effect("is read by DuckDB out of the file that a block is", () =>
    Effect.gen(function* () {
      for (const codec of ["zstd", "snappy", "gzip", "uncompressed"] as const) {
        expect(yield* readByDuckDb(table, ColumnBlock.encode(table.columns, rows, { codec }))).toEqual(expected)
      }
    })
  )
})
const allNullable = (column: any): any => ({
  ...column,
  nullable: true,
  type:
    column.type._tag === "STRUCT"
      ? { ...column.type, fields: column.type.fields.map(allNullable) }
      : column.type._tag === "LIST"
        ? { ...column.type, of: { ...allNullable(column.type.of), name: "element" } }
        : column.type
})
