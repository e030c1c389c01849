import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import { duckdb } from "#connectors/duckdb/index"
import { parquet } from "#connectors/parquet/index"
import type * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import * as Stage from "#engine/Stage"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { rowValidator } from "#engine/validateRow"
import { folder } from "#testing/folder"
import { commitOf } from "#testing/SinkBench"
import { canonical, seed } from "#testing/specimens"
import { alter, query } from "../app/millrace.ts"
import { timesOf } from "../thoroughness.ts"
import { columnTypes } from "./columnTypes.ts"
import { readTable } from "./duckdb/readTable.ts"
import { filesOf, readLake, stores } from "./parquet/lake.ts"

const load = <R>(sink: Sink.Destination<R>, directory: string, table: Table.Table, rows: ReadonlyArray<Table.Row>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const tables = [{ table, write: "append" as const }]
      const writer = yield* sink.open({ pipeline: "suite", runId: "run", directory, evolve: true, tables })
      for (let at = 0; at < rows.length; at += 700) yield* writer.write(Table.batch(table, rows.slice(at, at + 700)))
      return yield* writer.commit(commitOf("run", 1))
    })
  )

/** Every row of some Parquet files as hyparquet reads it, as cells of ours. */
const readIndependently = async (
  paths: ReadonlyArray<string>,
  table: Table.Table
): Promise<ReadonlyArray<Table.Row>> => {
  const read: Array<Table.Row> = []
  for (const path of paths) {
    const file = await asyncBufferFromFile(path)
    const metadata = await parquetMetadataAsync(file)
    // hyparquet makes a double of a DECIMAL. Told that it is a plain number or plain bytes, it hands out the integer that
    // is stored, and no digit is lost.
    for (const element of metadata.schema) {
      if (element.converted_type !== "DECIMAL") continue
      delete element.converted_type
      delete element.logical_type
    }
    const rows = await parquetReadObjects({
      file,
      metadata,
      compressors,
      parsers: {
        // A Date has milliseconds: the microseconds that are stored are taken as they are, and so are the days.
        timestampFromMicroseconds: (micros: bigint) => micros,
        dateFromDays: (days: number) => days,
        // Its own decoder takes a byte order mark at the beginning of a text away.
        stringFromBytes: (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : utf8.decode(bytes))
      }
    })
    for (const row of rows) {
      read.push(Object.fromEntries(table.columns.map(({ name, type }) => [name, cellOf(type, row[name])])))
    }
  }
  return read
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A value of hyparquet as the cell that it stands for; a value of another kind is left as it is, and is not equal. */
const cellOf = (type: Column.ColumnType, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  switch (type._tag) {
    case "DECIMAL":
      return typeof value === "bigint" || value instanceof Uint8Array ? decimalOf(unscaled(value), type.scale) : value
    case "DATE":
      return typeof value === "number" ? new Date(value * 86_400_000).toISOString().slice(0, 10) : value
    case "LIST":
      return Array.isArray(value) ? value.map((item) => cellOf(type.of.type, item)) : value
    case "STRUCT":
      return Object.fromEntries(
        type.fields.map((field) => [field.name, cellOf(field.type, Reflect.get(value, field.name))])
      )
    case "JSON":
      // Text in the file, which says so in its footer.
      return typeof value === "string" ? JSON.parse(value) : value
    case "BIGINT":
    case "BOOLEAN":
    case "DOUBLE":
    case "TIMESTAMP":
    case "VARCHAR":
      // The cell itself; of a TIMESTAMP by the parser above.
      return value
  }
}

/** An integer in big-endian bytes, two's complement, or as it is. */
const unscaled = (value: bigint | Uint8Array): bigint =>
  typeof value === "bigint" ? value : BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString("hex")}`))

const decimalOf = (value: bigint, scale: number): string => {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0")
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The rows that differ, the first three: five thousand in a message are of no use. */
const differences = (expected: ReadonlyArray<Table.Row>, read: ReadonlyArray<Table.Row>) => {
  const length = Math.max(expected.length, read.length)
  const rows = Array.from({ length }, (_, at) => ({ expected: expected[at], read: read[at] }))
  return rows.filter(({ expected: row, read: other }) => !isDeepStrictEqual(row, other)).slice(0, 3)
}

/**
 * A cell whose zeros have no sign. To SQL 0 and -0 are one number, and a DuckDB file that packs what is equal keeps one of
 * them for both (the last test of this file): only what was read from such a file is compared so.
 */
const unsigned = (cell: unknown): unknown => {
  if (cell === 0) return 0
  if (Array.isArray(cell)) return cell.map(unsigned)
  if (typeof cell !== "object" || cell === null) return cell
  return Object.fromEntries(Object.entries(cell).map(([name, inner]) => [name, unsigned(inner)]))
}

const unsignedRow = (row: Table.Row): Table.Row =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, unsigned(cell)]))

const count = timesOf(150, 600, 5000)

describe.each(columnTypes)("$type", ({ rowsFrom, table }) => {
  it.effect(
    `${count} rows read equal in DuckDB, in Parquet by DuckDB and by hyparquet, and as the sinks tell (MILLRACE_SEED=${seed})`,
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const rows = rowsFrom(seed, count)
        const expected = rows.map((row) => canonical(table, row))
        const misfit = rowValidator(table)
        expect(rows.flatMap((row) => misfit(row)?.message ?? [])).toEqual([])

        const database = duckdb.with({ path: "cells.duckdb" })
        const parquetLake = parquet.with({ path: "lake", row_group: 700 })
        yield* load(database, directory, table, rows)
        yield* load(parquetLake, directory, table, rows)

        const unsignedRows = expected.map(unsignedRow)
        const inFile = yield* readTable(join(directory, "cells.duckdb"), table)
        expect(differences(unsignedRows, inFile.map(unsignedRow))).toEqual([])
        const lake = join(directory, "lake")
        expect(differences(expected, yield* readLake(lake, table))).toEqual([])
        const seen = yield* database.rows(directory, table)
        expect(differences(unsignedRows, seen.map(unsignedRow))).toEqual([])
        expect(differences(expected, yield* parquetLake.rows(directory, table))).toEqual([])
        const files = yield* filesOf(lake, table.name)
        const paths = files.map(({ path }) => join(lake, path))
        expect(differences(expected, yield* Effect.promise(() => readIndependently(paths, table)))).toEqual([])
      }).pipe(Effect.provide(stores))
  )

  it.effect(`${count} rows come out of a stage with a step as they went in (MILLRACE_SEED=${seed})`, () =>
    Effect.gen(function* () {
      const rows = rowsFrom(seed, count)
      const stage = yield* (yield* Stage.Stages).open({
        folder: yield* folder,
        tables: [table],
        steps: [{ where: "id >= 0" }],
        checks: [],
        key: undefined,
        fingerprint: () => [],
        fingerprints: undefined,
        reopen: false
      })
      yield* stage.write(
        table.name,
        rows.map((row) => ({ row, presence: "seen" }))
      )
      yield* stage.finish

      const chunks = yield* Stream.runCollect(stage.rows(table.name))

      const expected = rows.map((row) => canonical(table, row))
      expect(
        differences(
          expected,
          chunks.flat().map(({ row }) => row)
        )
      ).toEqual([])
    }).pipe(Effect.provide(Stages.layer))
  )
})

describe("the zeros of a DOUBLE", () => {
  it.effect("lose their sign in a DuckDB file that holds nothing else, and nobody but DuckDB has written it", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "zeros.duckdb")
      const signs = "SELECT count(*) FILTER (WHERE zero::VARCHAR = '-0.0')::INTEGER AS negative FROM zeros"
      yield* Effect.promise(() =>
        alter(path, "CREATE TABLE zeros AS SELECT unnest([0.0::DOUBLE, -0.0::DOUBLE]) AS zero")
      )
      expect(yield* Effect.promise(() => query(path, signs))).toEqual([{ negative: 0 }])
    })
  )
})
