import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BlockWriter from "#engine/BlockWriter"
import * as Column from "#engine/Column"
import * as ColumnBlock from "#engine/ColumnBlock"
import { columnFromSql } from "#engine/columnFromSql"
import * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
import * as Footer from "#engine/ParquetFooter"
import { footerOf } from "#engine/parquetMetadata"
import type * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { canonical, draw, everything, randomFrom, seed, special } from "#testing/specimens"
import { columnTypes } from "../../connectors/columnTypes.ts"
import { timesOf } from "../../thoroughness.ts"
import { encode, fromBytes, toBytes } from "./blockFile.ts"

const codecs = ["zstd", "snappy", "gzip", "uncompressed"] as const

/** A table of one column. */
const tableOf = (sql: string): Table.Table => ({
  name: "cells",
  description: "cells of one type",
  key: [],
  columns: [{ name: "cell", type: columnFromSql(sql) ?? expect.fail(`${sql} is no type`), nullable: true }]
})
const cells = (of: ReadonlyArray<unknown>): ReadonlyArray<Table.Row> => of.map((cell) => ({ cell }))
const backOf = (sql: string, of: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  ColumnBlock.decode(encode(tableOf(sql).columns, cells(of))).map(({ cell }) => cell)

it(`a block with one flipped bit in its pages is refused, whatever its codec (MILLRACE_SEED=${seed})`, () => {
  const rows = Array.from({ length: 500 }, (_, at) => ({ cell: at * 7919 }))
  const random = randomFrom(seed)
  for (const codec of codecs) {
    const block = encode(tableOf("BIGINT").columns, rows, { codec })
    const flipped = ({ parts, ...chunk }: (typeof block.chunks)[number], at: number) => ({
      ...chunk,
      parts: parts.map((part, place) =>
        place === at ? Buffer.from(part).map((byte, n) => (n === 40 ? byte ^ 4 : byte)) : part
      )
    })
    for (let time = 0; time < 5; time++) {
      const pages = block.chunks.map((chunk) => flipped(chunk, 1 + 2 * random(chunk.parts.length / 2)))
      expect(() => ColumnBlock.decode({ ...block, chunks: pages })).toThrow(
        "a page of cell has other bytes than were written"
      )
    }
  }
})

/** The rows that DuckDB reads out of a block, which is a Parquet file. */
const readByDuckDb = Effect.fnUntraced(function* (table: Table.Table, block: ColumnBlock.ColumnBlock) {
  const directory = yield* folder
  const path = join(directory, "block.parquet")
  yield* Effect.promise(() => Fs.writeFile(path, toBytes(block)))
  const database = yield* Database.open({ threads: 1, memory: "512MB", spill: join(directory, "spill") })
  return yield* database.query(
    `SELECT ${table.columns.map(Cell.selected).join(", ")} FROM read_parquet('${path}')`,
    table.columns
  )
}, Effect.scoped)

const drawn = [...special, ...draw(seed, timesOf(150, 500, 1500))].map((row, id) => ({ ...row, id }))
const tables = [
  { type: "everything", table: everything, rows: drawn },
  ...columnTypes.map(({ type, table, rowsFrom }) => ({ type, table, rows: rowsFrom(seed, timesOf(50, 150, 400)) }))
]

describe.each(tables)(`$type (MILLRACE_SEED=${seed})`, ({ table, rows }) => {
  const expected = rows.map((row) => canonical(table, row))

  it("comes out of a block as it went in, with each codec, and out of its bytes", () => {
    for (const codec of codecs) {
      const block = encode(table.columns, rows, { codec })
      expect(ColumnBlock.decode(block).map((row) => canonical(table, row))).toEqual(expected)
      const read = fromBytes(toBytes(block))
      expect(read.columns.map(({ name, type }) => [name, Column.toSql(type)])).toEqual(
        table.columns.map(({ name, type }) => [name, Column.toSql(type)])
      )
      expect(ColumnBlock.decode(read)).toEqual(ColumnBlock.decode(block))
    }
  })

  it.effect("is read by DuckDB out of the file that a block is", () =>
    Effect.gen(function* () {
      for (const codec of codecs) {
        expect(yield* readByDuckDb(table, encode(table.columns, rows, { codec }))).toEqual(expected)
      }
    })
  )

  it.effect("has the schema that DuckDB writes of the same columns, byte for byte", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const database = yield* Database.open({ threads: 1, memory: "128MB", spill: join(directory, "spill") })
      const select = table.columns.map(({ name, type }) => `NULL::${Column.toSql(type)} AS ${Column.quote(name)}`)
      const path = join(directory, "theirs.parquet")
      yield* database.run(`COPY (SELECT ${select.join(", ")}) TO '${path}' (FORMAT parquet)`)
      const bytes = yield* Effect.promise(() => Fs.readFile(path))
      const length = Footer.lengthIn(bytes, bytes.length) ?? 0
      const theirs = Footer.parse(bytes.subarray(bytes.length - 8 - length, -8), bytes.length)

      expect(Footer.schemaOf(footerOf(encode(table.columns, [])))).toBe(Footer.schemaOf(theirs))
    })
  )
})

it("nothing comes out of a block of nothing", () => {
  const block = fromBytes(toBytes(encode(everything.columns, [])))

  expect(block.rows).toBe(0)
  expect(block.columns.map(({ name }) => name)).toEqual(everything.columns.map(({ name }) => name))
  expect(ColumnBlock.decode(block)).toEqual([])
})

it.effect(
  "cells of tens of megabytes come out whole, in DuckDB too, and their pages hold no more than one row beyond their size",
  () =>
    Effect.gen(function* () {
      const table = tableOf("VARCHAR")
      const rows = cells([
        "x".repeat(30_000_000),
        null,
        "é漢𝄞".repeat(4_000_000),
        "",
        "y".repeat(1_999_999),
        "z".repeat(10)
      ])
      const block = encode(table.columns, rows)

      expect(ColumnBlock.decode(block)).toEqual(rows)
      expect(yield* readByDuckDb(table, block)).toEqual(rows)
      // Three rows end a page each, and the block ends the fourth: a header and a body each.
      expect(block.chunks[0]?.parts.length).toBe(8)
    })
)

it.effect("lists of many items stay whole over pages that end with rows", () =>
  Effect.gen(function* () {
    const table = tableOf("VARCHAR[]")
    const rows = cells(
      Array.from({ length: 12 }, (_, row) => Array.from({ length: 30_000 }, (_, at) => `item ${row} ${at * row}`))
    )
    const block = encode(table.columns, [...rows, { cell: [] }, { cell: null }, { cell: [null] }])

    expect(block.chunks[0]?.parts.length).toBeGreaterThan(4)
    expect(ColumnBlock.decode(block)).toEqual([...rows, { cell: [] }, { cell: null }, { cell: [null] }])
    expect(yield* readByDuckDb(table, block)).toEqual(ColumnBlock.decode(block))
  })
)

it("an absent cell is null, half a surrogate pair is U+FFFD, and JSON is what its text says", () => {
  expect(backOf("VARCHAR", [undefined, "a\ud800b", "\udfff", "\u0000", "\ufeffx"])).toEqual([
    null,
    "a\ufffdb",
    "\ufffd",
    "\u0000",
    "\ufeffx"
  ])
  expect(ColumnBlock.decode(encode(tableOf("VARCHAR").columns, [{}]))).toEqual([{ cell: null }])
  expect(backOf("JSON", [{ a: undefined, b: "\ud800" }, [], "null", 0])).toEqual([{ b: "\ufffd" }, [], "null", 0])
  expect(backOf("BIGINT", [5, 5n, 2n ** 53n, -(2n ** 63n), -0])).toEqual([5, 5, 2n ** 53n, -(2n ** 63n), 0])
  expect(backOf("DECIMAL(5, 2)", ["1", "-0.5", "+12.50"])).toEqual(["1.00", "-0.50", "12.50"])
  expect(backOf("DOUBLE", [-0, Number.NaN, -Infinity, 5e-324])).toEqual([-0, Number.NaN, -Infinity, 5e-324])
})

it.each([
  ["VARCHAR", 5, "column cell: a number is not a valid VARCHAR: 5"],
  ["BIGINT", 1.5, "column cell: a number is not a valid BIGINT: 1.5"],
  ["BIGINT", 2n ** 63n, "column cell: a bigint is not a valid BIGINT: 9223372036854775808n"],
  ["DATE", "2026-02-30", 'column cell: a string is not a valid DATE: "2026-02-30"'],
  ["DECIMAL(4, 2)", "1.234", 'column cell: a string is not a valid DECIMAL: "1.234"'],
  ["DECIMAL(4, 2)", "100", 'column cell: a string is not a valid DECIMAL: "100"'],
  ["TIMESTAMP", 5, "column cell: a number is not a valid TIMESTAMP: 5"],
  ["VARCHAR[]", "a", 'column cell: a string is not a valid LIST: "a"'],
  ["STRUCT(a BIGINT)", [1], "column cell: a object is not a valid STRUCT: [1]"],
  ["STRUCT(a BIGINT)[]", [{ a: "1" }], 'column cell: a string is not a valid BIGINT: "1"']
])("a cell that is no %s is refused: %s", (sql, cell, message) => {
  expect(() => encode(tableOf(sql).columns, [{ cell }])).toThrow(message)
})

it("a dictionary that stops to pay is given up, also when pages have used it", () => {
  const random = randomFrom(7)
  const many = Array.from({ length: 400_000 }, (_, at) =>
    at < 200_000 ? `of few ${random(9)}` : at % 17 === 0 ? null : `of many ${random(2 ** 31)}`
  )
  const block = encode(tableOf("VARCHAR").columns, cells(many))
  const [chunk] = block.chunks

  expect(chunk?.dictionaryBytes).toBeGreaterThan(0)
  expect(chunk?.distinct).toBeUndefined()
  expect(ColumnBlock.decode(block)).toEqual(cells(many))
})

it("values that repeat are kept once, and counted", () => {
  const few = Array.from({ length: 10_000 }, (_, at) => (at % 10 === 0 ? null : `host ${at % 7}`))
  const block = encode(tableOf("VARCHAR").columns, cells(few), { codec: "uncompressed" })
  const [chunk] = block.chunks

  expect(chunk).toMatchObject({ nulls: 1000, distinct: 7, bounds: { min: "host 0", max: "host 6" } })
  expect(chunk?.bytes).toBeLessThan(10_000)
})

it("a writer makes one block after the other, and what it had does not leak into the next", () => {
  const writer = BlockWriter.create(everything.columns)
  for (let at = 0; at < drawn.length; at += 100) {
    const some = drawn.slice(at, at + 100)
    writer.add(some.slice(0, 50))
    writer.add(some.slice(50))
    expect(writer.rows).toBe(some.length)
    expect(writer.bytes).toBeGreaterThan(0)
    const block = writer.take()
    expect(writer.rows).toBe(0)
    expect(ColumnBlock.decode(block).map((row) => canonical(everything, row))).toEqual(
      some.map((row) => canonical(everything, row))
    )
  }
})

it("bytes that are damaged or cut off are refused, never read as other rows", () => {
  const bytes = toBytes(encode(everything.columns, drawn.slice(0, 50)))
  for (const length of [0, 3, 12, bytes.length >> 1, bytes.length - 1]) {
    expect(() => fromBytes(bytes.subarray(0, length))).toThrow()
  }
  const cut = Buffer.concat([bytes.subarray(0, 100), bytes.subarray(400)])
  expect(() => ColumnBlock.decode(fromBytes(cut))).toThrow()
})

it("a STRUCT without fields is refused, which Parquet does not have", () => {
  const columns: ReadonlyArray<Column.Column> = [{ name: "cell", type: { _tag: "STRUCT", fields: [] }, nullable: true }]

  expect(() => encode(columns, [])).toThrow("column cell is a STRUCT without fields")
})
