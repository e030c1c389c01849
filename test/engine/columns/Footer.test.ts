import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import * as Database from "#engine/Duckdb"
import * as GrowingFile from "#engine/GrowingParquetFile"
import * as Footer from "#engine/ParquetFooter"
import * as readFooter from "#engine/readParquetFooter"
import { folder } from "#testing/folder"

/** Makes a file of a query, in groups of 2048 rows, whose bloom filters DuckDB puts behind the last of them. */
const made = Effect.fnUntraced(function* (directory: string, name: string, query: string) {
  const database = yield* Database.open({ threads: 1, memory: "128MB", spill: join(directory, "spill") })
  const path = join(directory, name)
  yield* database.run(`COPY (${query}) TO '${path}' (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 2048)`)
  return path
}, Effect.scoped)

const footerOf = (path: string) => Effect.promise(() => readFooter.footerOf(path))

const numbers = "SELECT range AS n, range % 7 AS rest FROM range(6000)"

it.effect("row groups are taken one by one, and words about the file are said once", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const path = yield* made(directory, "plain", "SELECT range AS n FROM range(6000)")
    const groups = Footer.groupsOf(yield* footerOf(path))
    const growing = GrowingFile.create(join(directory, "grown"), new Uint8Array(1000), { run: "2" })
    for (const group of groups.toReversed()) yield* Effect.promise(() => growing.append(path, group))
    const finished = yield* Effect.promise(growing.finish)

    expect(groups.map(({ rows, standsAlone }) => [rows, standsAlone])).toEqual([
      [2048, true],
      [2048, true],
      [1904, true]
    ])
    const file = yield* Effect.promise(() => asyncBufferFromFile(finished.path))
    const rows = yield* Effect.promise(() => parquetReadObjects({ file }))
    expect(rows.map(({ n }) => Number(n))).toEqual(
      [4096, 2048, 0].flatMap((from, at) => Array.from({ length: at === 0 ? 1904 : 2048 }, (_, n) => from + n))
    )
    const metadata = yield* Effect.promise(() => parquetMetadataAsync(file))
    expect(metadata.key_value_metadata).toEqual([{ key: "run", value: "2" }])
    const again = Footer.describe(Footer.describe(yield* footerOf(finished.path), { run: "3" }), { table: "t" })
    expect(Buffer.from(Footer.tail(again)).toString("latin1")).toMatch(/run.*3.*table.*t/s)
  })
)

it.effect("a row group with parts elsewhere does not stand alone", () =>
  Effect.gen(function* () {
    const groups = Footer.groupsOf(yield* footerOf(yield* made(yield* folder, "filtered", numbers)))

    expect(groups.map(({ standsAlone }) => standsAlone)).toEqual([false, false, true])
  })
)

it.effect("files of different columns are not joined", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const growing = GrowingFile.create(join(directory, "grown"), new Uint8Array(1000), {})
    const one = yield* made(directory, "one", numbers)
    const other = yield* made(directory, "other", "SELECT range AS n, 'x' AS rest FROM range(10)")
    yield* Effect.promise(() => growing.append(one))

    const refused = yield* Effect.promise(() => growing.append(other).catch((cause: unknown) => String(cause)))
    expect(refused).toContain("Parquet files of different columns cannot be joined")
  })
)
