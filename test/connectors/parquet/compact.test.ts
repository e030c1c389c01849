import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet"
import { type Options, parquet } from "#connectors/parquet/index"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { filesOf, manifestOf, readLake, stores } from "./lake.ts"
import { type Load, load as loadInto, storeOf } from "./load.ts"

const load = (directory: string, run: string, of: Load) => Effect.provide(loadInto(directory, run, of), stores)
const page = (url: string, title = "t") => ({ url, title, version: 1 })
const lakeOf = (directory: string) => join(directory, "lake")
const compact = (directory: string, below = 1_000_000, options: Omit<Options, "path"> = {}) =>
  Effect.provide(
    parquet.with({ path: "lake", ...options }).compact?.(directory, { below }) ?? Effect.die("none"),
    stores
  )
const write = "append"
const objects = (directory: string) =>
  Effect.promise(async () =>
    (await Fs.readdir(join(lakeOf(directory), "pages"), { recursive: true })).filter((name) =>
      name.endsWith(".parquet")
    )
  )

it.effect(
  "small files become one, row by row and checkpoint by checkpoint the same, and a second time nothing happens",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      for (const run of ["one", "two", "three"]) {
        yield* load(directory, run, { write, rows: ["b", "a"].map((url) => page(`/${run}/${url}`)) })
      }
      const before = yield* readLake(lakeOf(directory), pages)
      const older = Option.getOrThrow(yield* manifestOf(lakeOf(directory)))

      const compaction = yield* compact(directory)

      expect(compaction).toEqual({ location: lakeOf(directory), tables: { pages: { before: 3, after: 1 } } })
      expect(yield* readLake(lakeOf(directory), pages)).toEqual(before)
      const manifest = Option.getOrThrow(yield* manifestOf(lakeOf(directory)))
      expect([manifest.version, manifest.checkpoints]).toEqual([older.version + 1, older.checkpoints])
      const [file] = manifest.tables["pages"]?.files ?? []
      expect([file?.run_id, file?.min["url"], file?.max["url"]]).toEqual([undefined, "/one/a", "/two/b"])
      const runs = yield* Effect.provide(parquet.with({ path: "lake" }).runs(directory), stores)
      expect(runs.map(({ pipeline }) => pipeline)).toEqual(["p", "p", "p", "compact"])
      expect(runs.at(-1)?.facts).toEqual({ files_before: 3, files_after: 1 })
      // A reader of the older manifest finds every file that it names.
      for (const { path } of older.tables["pages"]?.files ?? []) {
        yield* Effect.promise(() => Fs.access(join(lakeOf(directory), path)))
      }

      expect((yield* compact(directory)).tables).toEqual({})
      expect(Option.getOrThrow(yield* manifestOf(lakeOf(directory))).version).toBe(manifest.version)
    })
)

it.effect("row groups are joined as they are, and the file says whose it is", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = (run: string) => Array.from({ length: 100 }, (_, at) => page(`/${run}/${at}`))
    for (const run of ["one", "two"])
      yield* load(directory, run, { write, rows: rows(run), options: { row_group: 50 } })
    yield* compact(directory)

    const [file] = yield* filesOf(lakeOf(directory), "pages")
    const metadata = yield* Effect.promise(async () =>
      parquetMetadataAsync(await asyncBufferFromFile(join(lakeOf(directory), file?.path ?? "")))
    )
    expect(metadata.row_groups.map((group) => Number(group.num_rows))).toEqual([50, 50, 50, 50])
    const words = Object.fromEntries((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value]))
    expect(file?.path).toContain(words["millrace.run_id"])
  })
)

it.effect("only neighbours of one partition are joined, up to the size of a file", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const options = { partition: ["title"] }
    const noise = (seed: number) => Array.from({ length: 300 }, (_, at) => Math.sin(at * seed)).join()
    for (const [run, sizes] of [
      ["1", { x: "s", y: "s" }],
      ["2", { x: "s" }],
      ["3", { x: noise(3) }],
      ["4", { x: "s", y: "s" }],
      ["5", { x: "s" }]
    ] as const) {
      const rows = Object.entries(sizes).map(([title, text]) => ({ ...page(`/${run}/${text}`), title }))
      yield* load(directory, run, { write, rows, options })
    }
    const inOrder = Effect.map(readLake(lakeOf(directory), pages), (rows) =>
      ["x", "y"].map((title) => rows.filter((row) => row["title"] === title))
    )
    const before = yield* inOrder

    expect((yield* compact(directory, 2000, options)).tables).toEqual({ pages: { before: 7, after: 4 } })
    expect(yield* inOrder).toEqual(before)
    const files = yield* filesOf(lakeOf(directory), "pages")
    expect(files.map((file) => `${file.partition["title"]} ${file.rows}`)).toEqual(["x 2", "y 2", "x 1", "x 2"])

    const size = files[0]?.bytes ?? 0
    expect((yield* compact(directory, 100_000, { ...options, rotate: size + 10 })).tables).toEqual({})
  })
)

it.effect("files that lack a column of the table get it, as null", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const wide = Table.extend(pages, [{ name: "extra", type: { _tag: "JSON" }, nullable: true }])
    yield* load(directory, "one", { write, rows: [page("/a")] })
    yield* load(directory, "two", { write, table: wide, rows: [{ ...page("/b"), extra: [1] }] })
    yield* compact(directory)

    expect(yield* filesOf(lakeOf(directory), "pages")).toHaveLength(1)
    expect((yield* readLake(lakeOf(directory), wide)).map((row) => row["extra"])).toEqual([null, [1]])
  })
)

/** A compaction that a writer overtakes at its commit. */
const overtaken = (directory: string, run: Load) => {
  let isOver = false
  const racing = storeOf(directory, (store) => ({
    putIfAbsent: (path, bytes) =>
      Effect.gen(function* () {
        if (!isOver) {
          isOver = true
          yield* Effect.orDie(load(directory, "meanwhile", run))
        }
        return yield* store.putIfAbsent(path, bytes)
      })
  }))
  const compaction = parquet.with({ path: "lake" }).compact?.(directory, { below: 1000 }) ?? Effect.die("none")
  return Effect.provide(compaction, racing)
}

it.effect("a compaction that a writer overtakes is made of the files that it read, and leaves the writer's", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const run of ["one", "two"]) yield* load(directory, run, { write, rows: [page(`/${run}`)] })

    yield* overtaken(directory, { write, rows: [page("/meanwhile")] })

    expect((yield* filesOf(lakeOf(directory), "pages")).map(({ rows }) => rows)).toEqual([1, 2])
    expect((yield* readLake(lakeOf(directory), pages)).map((row) => row["url"])).toEqual(["/meanwhile", "/one", "/two"])
    expect((yield* compact(directory)).tables).toEqual({ pages: { before: 2, after: 1 } })
  })
)

it.effect("a compaction loses to a writer that has changed the same rows, and leaves nothing", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const run of ["one", "two"]) yield* load(directory, run, { write, rows: [page(`/${run}`)] })

    const error = yield* Effect.flip(overtaken(directory, { rows: [page("/one", "anew")] }))

    expect(error.message).toContain("another writer committed")
    expect(error.message).toContain("nothing of this commit is visible: it changed table pages; run again")
    const titles = (yield* readLake(lakeOf(directory), pages)).map(({ title, url }) => [url, title])
    expect(titles.toSorted()).toEqual([
      ["/one", "anew"],
      ["/two", "t"]
    ])
    const named = (yield* filesOf(lakeOf(directory), "pages")).map(({ path }) => path.replace("pages/", ""))
    const replaced = (yield* objects(directory)).filter((path) => !named.includes(path))
    expect(replaced).toHaveLength(1)
  })
)

it.effect("where nothing was committed there is nothing to do", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    expect((yield* compact(directory)).tables).toEqual({})
    expect(yield* Effect.promise(() => Fs.readdir(directory))).toEqual([])
  })
)

it.effect("rows that are written again have both zeros in their bounds, and no filter that knows one of them", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const table = Table.make({
      name: "pages",
      description: "numbers that are zero",
      key: ["url"],
      schema: Schema.Struct({ url: Schema.String, zero: Schema.Number, inner: Schema.Struct({ zero: Schema.Number }) })
    })
    const row = (at: number, zero: number) => ({ url: `/${at}`, zero, inner: { zero: -zero } })
    const rows = Array.from({ length: 40 }, (_, at) => row(at, -0))
    yield* load(directory, "one", { table, rows, write: "merge", at: 1 })
    yield* load(directory, "two", { table, rows: [row(7, 1)], write: "merge", at: 2 })
    yield* compact(directory)

    const [file] = yield* filesOf(lakeOf(directory), "pages")
    const { row_groups: groups } = yield* Effect.promise(async () =>
      parquetMetadataAsync(await asyncBufferFromFile(join(lakeOf(directory), file?.path ?? "")))
    )
    const said = groups.flatMap(({ columns }) =>
      columns.flatMap(({ meta_data: meta }) =>
        meta?.type !== "DOUBLE"
          ? []
          : [[meta.statistics?.min_value, meta.statistics?.max_value, meta.bloom_filter_offset]]
      )
    )
    // The changed row is in a group of its own.
    expect(said).toEqual([
      [-0, 0, undefined],
      [-0, 0, undefined],
      [1, 1, undefined],
      [-1, -1, undefined]
    ])
    expect(Number(groups[0]?.num_rows)).toBe(39)
    const zeros = (yield* readLake(lakeOf(directory), table)).map((one) => [one["zero"], one["inner"]])
    expect(zeros.filter(([zero]) => Object.is(zero, -0))).toHaveLength(39)
  })
)
