import { createHash } from "node:crypto"
import * as Fs from "node:fs/promises"
import { basename, join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { compressors } from "hyparquet-compressors"
import ParquetJs from "parquetjs-lite"
import { type Options, parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { canonical, draw, everything, pages, seed, special } from "#testing/specimens"
import { filesOf, manifestOf, readLake, stores } from "./lake.ts"

const load = (
  directory: string,
  options: Omit<Options, "path">,
  table: Table.Table,
  rows: ReadonlyArray<Table.Row>,
  write: Sink.WriteDisposition = "append"
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const tables = [{ table, write }]
      const writer = yield* parquet
        .with({ path: "lake", ...options })
        .open({ pipeline: "p", runId: "run", directory, evolve: true, tables })
      for (let at = 0; at < rows.length; at += 500) yield* writer.write(Table.batch(table, rows.slice(at, at + 500)))
      return yield* writer.commit({
        checkpoint: { runId: "run", state: 1 },
        run: { runId: "run", pipeline: "p", startedAt: 0n, committedAt: 1n, facts: { discovered: 2 }, rows: {} },
        checks: [],
        complete: true
      })
    })
  ).pipe(Effect.provide(stores))

const drawn = [...special, ...draw(seed, 1500)].map((row, id) => ({ ...row, id }))

it.effect(`joined row groups read equal in DuckDB and in hyparquet (MILLRACE_SEED=${seed})`, () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, { row_group: 200 }, everything, drawn)

    expect(yield* readLake(join(directory, "lake"), everything)).toEqual(drawn.map((row) => canonical(everything, row)))
    const [file] = yield* filesOf(join(directory, "lake"), "everything")
    const path = join(directory, "lake", file?.path ?? "")
    const buffer = yield* Effect.promise(() => asyncBufferFromFile(path))
    const metadata = yield* Effect.promise(() => parquetMetadataAsync(buffer))
    expect(metadata.row_groups.map((group) => Number(group.num_rows))).toEqual([200, 200, 200, 200, 200, 200, 200, 113])
    const rows = yield* Effect.promise(() =>
      parquetReadObjects({
        file: buffer,
        metadata,
        compressors,
        parsers: { timestampFromMicroseconds: (micros) => micros, dateFromDays: dayOf }
      })
    )
    expect(rows.map((row) => canonical(everything, withDecimal(withJson(row))))).toEqual(
      drawn.map((row) => canonical(everything, withDecimal(row)))
    )
  })
)

/** JSON is text in the files. */
const withJson = (row: Table.Row): Table.Row => ({
  ...row,
  any: typeof row["any"] === "string" ? JSON.parse(row["any"]) : row["any"]
})

it.effect("joined row groups read equal in parquetjs-lite, with snappy", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const flat = Table.make({
      name: "flat",
      description: "what parquetjs-lite understands",
      schema: Schema.Struct({ id: Schema.Int, text: Schema.NullOr(Schema.String), real: Schema.NullOr(Schema.Finite) })
    })
    const rows = drawn.map(({ id }, at) => ({ id, text: at % 5 === 0 ? null : `text ${at % 7} 𝄞`, real: at / 3 }))
    yield* load(directory, { row_group: 400, compression: "snappy" }, flat, rows)

    const [file] = yield* filesOf(join(directory, "lake"), "flat")
    const read = yield* Effect.promise(async () => {
      const reader = await ParquetJs.ParquetReader.openFile(join(directory, "lake", file?.path ?? ""))
      const cursor = reader.getCursor()
      const read: Array<unknown> = []
      for (let row = await cursor.next(); row; row = await cursor.next()) {
        read.push({ id: Number(row.id), text: row.text ?? null, real: row.real })
      }
      await reader.close()
      return read
    })

    expect(read).toEqual(rows)
  })
)

it.effect("types are real: nested, microseconds, decimal and date; JSON is text, which every reader knows", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, {}, everything, drawn)

    const [file] = yield* filesOf(join(directory, "lake"), "everything")
    const metadata = yield* Effect.promise(async () =>
      parquetMetadataAsync(await asyncBufferFromFile(join(directory, "lake", file?.path ?? "")))
    )
    const types = Object.fromEntries(
      metadata.schema
        .toReversed()
        .map((element) => [element.name, `${element.type ?? "group"} ${element.converted_type ?? ""}`.trim()])
    )
    expect(types).toMatchObject({
      id: "INT64 INT_64",
      text: "BYTE_ARRAY UTF8",
      truth: "BOOLEAN",
      real: "DOUBLE",
      exact: "INT64 DECIMAL",
      day: "INT32 DATE",
      moment: "INT64 TIMESTAMP_MICROS",
      any: "BYTE_ARRAY UTF8",
      tags: "group LIST"
    })
  })
)

it.effect("another reader finds codec, statistics and words in every row group of every file", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = Array.from({ length: 3000 }, (_, at) => ({
      url: `/${String(at).padStart(5, "0")}`,
      title: at % 7 === 0 ? null : `${Math.sin(at)}`,
      version: at
    }))
    yield* load(directory, { row_group: 500, rotate: 20_000 }, pages, rows)

    const files = yield* filesOf(join(directory, "lake"), "pages")
    expect(files.length).toBeGreaterThan(1)
    let first = 0
    for (const { path } of files) {
      const metadata = yield* Effect.promise(async () =>
        parquetMetadataAsync(await asyncBufferFromFile(join(directory, "lake", path)))
      )
      expect(metadata.key_value_metadata).toEqual([
        { key: "millrace.run_id", value: "run" },
        { key: "millrace.table", value: "pages" },
        { key: "millrace.file", value: basename(path) }
      ])
      for (const group of metadata.row_groups) {
        const [url, title, version] = group.columns.map(({ meta_data: meta }) => meta)
        const here = rows.slice(first, first + Number(group.num_rows))
        expect([url?.codec, title?.codec, version?.codec]).toEqual(["ZSTD", "ZSTD", "ZSTD"])
        expect(url?.statistics).toMatchObject({ min_value: here[0]?.url, max_value: here.at(-1)?.url, null_count: 0n })
        expect(version?.statistics).toMatchObject({
          min_value: BigInt(first),
          max_value: BigInt(here.at(-1)?.version ?? 0)
        })
        expect(title?.statistics?.null_count).toBe(BigInt(here.filter((row) => row.title === null).length))
        first += here.length
      }
    }
    expect(first).toBe(3000)
  })
)

it.effect("timestamps are in microseconds, and said to be so", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, {}, everything, drawn)

    const [file] = yield* filesOf(join(directory, "lake"), "everything")
    const { schema } = yield* Effect.promise(async () =>
      parquetMetadataAsync(await asyncBufferFromFile(join(directory, "lake", file?.path ?? "")))
    )
    const moment = schema.find(({ name }) => name === "moment")
    expect([moment?.type, moment?.converted_type]).toEqual(["INT64", "TIMESTAMP_MICROS"])
    expect(moment?.logical_type).toMatchObject({ type: "TIMESTAMP", unit: "MICROS" })
  })
)

it.effect("a file ends at its size, and the manifest says what is in it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = Array.from({ length: 3000 }, (_, at) => ({
      url: `/${String(at).padStart(5, "0")}`,
      title: `${Math.sin(at)}`.repeat(20),
      version: at
    }))

    const receipt = yield* load(directory, { row_group: 500, rotate: 30_000 }, pages, rows)

    const lake = join(directory, "lake")
    const files = yield* filesOf(lake, "pages")
    expect(files.length).toBeGreaterThan(1)
    expect(files.reduce((sum, file) => sum + file.rows, 0)).toBe(3000)
    expect(files.reduce((sum, file) => sum + file.bytes, 0)).toBe(receipt.bytes)
    let first = 0
    for (const file of files) {
      const bytes = yield* Effect.promise(() => Fs.readFile(join(lake, file.path)))
      expect(bytes.length).toBe(file.bytes)
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(file.sha256)
      expect([file.min["url"], file.max["url"]]).toEqual([rows[first]?.url, rows[first + file.rows - 1]?.url])
      first += file.rows
    }
    const manifest = Option.getOrThrow(yield* manifestOf(lake))
    expect(manifest.tables["pages"]?.columns).toEqual([
      { name: "url", type: "VARCHAR" },
      { name: "title", type: "VARCHAR" },
      { name: "version", type: "BIGINT" }
    ])
    expect(manifest.run.facts).toEqual({ discovered: 2 })
    expect(yield* Effect.promise(() => Fs.readdir(join(directory, ".millrace")))).toEqual([])
  })
)

it.effect("each row goes to the folder that its own values name", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const hits = Table.make({
      name: "hits",
      description: "rows with a day and a country",
      schema: Schema.Struct({ day: Column.Day, country: Schema.NullOr(Schema.String), n: Schema.Int })
    })
    const countries = ["de", "a/b=c", "", null, "北 *"]
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      day: n % 2 === 0 ? "2026-11-20" : "2026-11-21",
      country: countries[n % 5],
      n
    }))
    yield* load(directory, { partition: ["day", "country"] }, hits, rows)

    const lake = join(directory, "lake")
    const files = yield* filesOf(lake, "hits")
    expect(files.map((file) => file.path.split("/").slice(1, -1).join("/")).sort()).toEqual(
      ["2026-11-20", "2026-11-21"].flatMap((day) =>
        ["", "%E5%8C%97%20%2A", "__HIVE_DEFAULT_PARTITION__", "a%2Fb%3Dc", "de"].map(
          (country) => `day=${day}/country=${country}`
        )
      )
    )
    expect(files.every((file) => file.rows === 100)).toBe(true)
    expect(files.map((file) => file.partition["country"]).sort()).toEqual([...countries, ...countries].sort())
    const read = yield* readLake(lake, hits)
    expect(read.toSorted((a, b) => Number(a["n"]) - Number(b["n"]))).toEqual(rows.map((row) => canonical(hits, row)))
  })
)

const dayOf = (days: number) => {
  const date = new Date(days * 86_400_000)
  return date.toISOString().slice(0, 10)
}
/** hyparquet reads decimals as doubles, so both sides are compared as such. */
const withDecimal = (row: Table.Row): Table.Row => ({
  ...row,
  exact: row["exact"] === null || row["exact"] === undefined ? null : Number(row["exact"])
})
