import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet"
import { parquet } from "#connectors/parquet/index"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { filesOf, manifestOf, readLake, stores } from "../lake.ts"
import { type Load, load as loadInto, storeOf } from "../load.ts"

const load = (directory: string, run: string, of: Load) => Effect.provide(loadInto(directory, run, of), stores)
const page = (url: string, version: number, title = "t") => ({ url, title, version })
const lakeOf = (directory: string) => join(directory, "lake")
const told = (directory: string, table = pages) =>
  Effect.map(readLake(lakeOf(directory), table), (rows) =>
    rows.map((row) => `${row["url"]} ${row["version"]}`).toSorted()
  )
const paths = (directory: string, table = "pages") =>
  Effect.map(filesOf(lakeOf(directory), table), (files) => files.map(({ path }) => path))

it.effect("a merge writes anew the files that hold a key that comes, and does not even fetch the others", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a", 1), page("/b", 1), page("/c", 1)] })
    yield* load(directory, "two", { rows: [page("/x", 1), page("/y", 1)] })
    const [first, second] = yield* paths(directory)
    const fetched: Array<string> = []

    yield* loadInto(directory, "three", { rows: [page("/b", 2), page("/n", 2)] }).pipe(
      Effect.provide(
        storeOf(directory, (store) => ({
          getFile: (path, local) => Effect.suspend(() => (fetched.push(path), store.getFile(path, local)))
        }))
      )
    )

    expect(fetched).toEqual([first])
    const [rewritten, untouched, fresh, ...more] = yield* paths(directory)
    expect([untouched, more]).toEqual([second, []])
    expect([rewritten, fresh]).not.toContain(first)
    expect(yield* told(directory)).toEqual(["/a 1", "/b 2", "/c 1", "/n 2", "/x 1", "/y 1"])
    // Who has read the older manifest finds its files where they were.
    yield* Effect.promise(() => Fs.access(join(lakeOf(directory), first ?? "")))
  })
)

it.effect("a file that may hold a key and does not stays as it is", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a", 1), page("/c", 1)] })
    const before = yield* paths(directory)
    yield* load(directory, "two", { rows: [page("/b", 1)] })

    expect(yield* paths(directory)).toEqual([...before, expect.any(String)])
  })
)

it.effect("a merge of rows that are there already writes no file, and one of some leaves the files of the others", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a", 1), page("/b", 1)] })
    yield* load(directory, "two", { rows: [page("/x", 1), page("/y", 1)] })
    const before = yield* paths(directory)
    const same = yield* load(directory, "three", { rows: [page("/a", 1), page("/y", 1), page("/b", 1)] })

    expect(yield* paths(directory)).toEqual(before)
    expect(same).toMatchObject({ rows: { pages: 0 }, bytes: 0 })
    expect(same.tables?.["pages"]).toEqual({ received: 3, written: 0, unchanged: 3, superseded: 0, kept: 0 })

    const some = yield* load(directory, "four", { rows: [page("/a", 1), page("/b", 1), page("/x", 4), page("/y", 1)] })
    const after = yield* paths(directory)
    expect(after[0]).toBe(before[0])
    expect(after).toHaveLength(3)
    expect(some.tables?.["pages"]).toEqual({ received: 4, written: 1, unchanged: 3, superseded: 0, kept: 0 })
    expect(yield* told(directory)).toEqual(["/a 1", "/b 1", "/x 4", "/y 1"])
  })
)

it.effect("row groups in which nothing changes go over byte for byte", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = Array.from({ length: 500 }, (_, at) => page(`/${String(at).padStart(3, "0")}`, 1, `${Math.sin(at)}`))
    const options = { row_group: 100 }
    const groups = Effect.gen(function* () {
      const [file] = yield* filesOf(lakeOf(directory), "pages")
      const path = join(lakeOf(directory), file?.path ?? "")
      return yield* Effect.promise(async () => {
        const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path))
        const bytes = await Fs.readFile(path)
        const starts = row_groups.map((group) =>
          Math.min(
            ...group.columns.map(({ meta_data: meta }) =>
              Number(meta?.dictionary_page_offset ?? meta?.data_page_offset ?? 0)
            )
          )
        )
        return row_groups.map((group, at) => ({
          rows: Number(group.num_rows),
          bytes: bytes.subarray(starts[at], (starts[at] ?? 0) + Number(group.total_compressed_size)).toString("hex")
        }))
      })
    })
    yield* load(directory, "one", { rows, options })
    const before = yield* groups
    yield* load(directory, "two", { rows: [page("/250", 2), page("/251", 2)], options })
    const after = yield* groups

    expect(before.map((group) => group.rows)).toEqual([100, 100, 100, 100, 100])
    expect(after.map((group) => group.rows)).toEqual([100, 100, 98, 100, 100])
    for (const at of [0, 1, 3, 4]) expect(after[at]?.bytes).toBe(before[at]?.bytes)
    const seen = yield* told(directory)
    expect(seen).toHaveLength(500)
    expect(seen.filter((row) => row.endsWith(" 2"))).toEqual(["/250 2", "/251 2"])
  })
)

it.effect("a row whose partition changes moves, and a file without rows goes", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const options = { partition: ["title"] }
    yield* load(directory, "one", { rows: [page("/a", 1, "x"), page("/b", 1, "y"), page("/c", 1, "z")], options })
    // Of two rows of one commit the last counts, whichever partition it is in.
    yield* load(directory, "two", { rows: [page("/b", 2, "z"), page("/a", 2, "x"), page("/a", 3, "y")], options })

    const files = yield* filesOf(lakeOf(directory), "pages")
    expect(files.map((file) => `${file.partition["title"]} ${file.rows}`).toSorted()).toEqual(["y 1", "z 1", "z 1"])
    expect(yield* told(directory)).toEqual(["/a 3", "/b 2", "/c 1"])
  })
)

it.effect("a merge into thousands of keys of many files leaves each key once", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = (from: number, count: number, version: number) =>
      Array.from({ length: count }, (_, at) => page(`/${from + at}`, version, "x".repeat(200)))
    const options = { row_group: 200, rotate: 2000 }
    yield* load(directory, "one", { rows: [...rows(0, 1500, 1), ...rows(700, 1500, 2)], options })
    const receipt = yield* load(directory, "two", { rows: rows(1000, 2000, 3), options })

    expect(receipt.rows).toEqual({ pages: 2000 })
    const seen = yield* told(directory)
    expect(seen).toHaveLength(3000)
    expect(new Set(seen.map((row) => row.split(" ")[0])).size).toBe(3000)
    expect(seen.filter((row) => row.endsWith(" 3"))).toHaveLength(2000)
    expect(seen.filter((row) => row.endsWith(" 1"))).toHaveLength(700)
  })
)

it.effect("a column that is widened is written anew once, so that all files have one type", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const table = (n: Schema.Schema<unknown>) =>
      Table.make({ name: "t", description: "t", schema: Schema.Struct({ id: Schema.String, n: Schema.NullOr(n) }) })
    const write = "append"
    yield* load(directory, "one", { table: table(Schema.Int), write, rows: [{ id: "a", n: 1 }] })
    yield* load(directory, "two", { table: table(Schema.String), write, rows: [{ id: "b", n: "two" }] })
    const [one, two] = yield* paths(directory, "t")
    yield* load(directory, "three", { table: table(Schema.Int), write, rows: [{ id: "c", n: 3 }] })
    const [oneLater, twoLater, three] = yield* paths(directory, "t")

    expect([oneLater, twoLater]).toEqual([one, two])
    const types = yield* Effect.promise(() =>
      Promise.all(
        [one, two, three].map(async (path) => {
          const file = await asyncBufferFromFile(join(lakeOf(directory), path ?? ""))
          return (await parquetMetadataAsync(file)).schema.find(({ name }) => name === "n")?.converted_type
        })
      )
    )
    expect(types).toEqual(["UTF8", "UTF8", "UTF8"])
    expect(yield* readLake(lakeOf(directory), table(Schema.String))).toEqual([
      { id: "a", n: "1" },
      { id: "b", n: "two" },
      { id: "c", n: "3" }
    ])
  })
)

const versioned = { write: "scd2", fingerprint: ["version"] } as const
const history = (directory: string) =>
  Effect.map(readLake(lakeOf(directory), Table.extend(pages, Sink.historyColumns)), (rows) =>
    rows
      .map((row) => `${row["url"]} ${row["version"]} ${row["valid_from"]} ${row["valid_to"]} ${row["is_current"]}`)
      .toSorted()
  )

it.effect("a table that had no history becomes one, and a history is not merged into", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { write: "append", rows: [page("/a", 1), page("/b", 1)] })
    yield* load(directory, "two", { ...versioned, rows: [page("/a", 2), page("/c", 2)], at: 1 })

    expect(yield* history(directory)).toEqual([
      "/a 1 0 60000000 false",
      "/a 2 60000000 null true",
      "/b 1 0 null true",
      "/c 2 60000000 null true"
    ])
    const error = yield* Effect.flip(load(directory, "three", { rows: [page("/a", 3)] }))
    expect(error.message).toBe(
      "table pages is a history in the files and this run says merge, which would mix versions with rows; keep scd2, or replace"
    )
  })
)

it.effect("a table with two rows of one key does not become a history", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { write: "append", rows: [page("/a", 1), page("/a", 2)] })
    const error = yield* Effect.flip(load(directory, "two", { ...versioned, rows: [page("/b", 2)], at: 1 }))

    expect(error.message).toContain("table pages has several rows of one key, so it cannot become a history")
    expect(yield* told(directory)).toEqual(["/a 1", "/a 2"])
  })
)

it.effect("a file of versions that have all ended is not looked at again", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const options = { removed: "close" as const }
    yield* load(directory, "one", { ...versioned, rows: [page("/a", 1)], at: 1, options })
    yield* load(directory, "two", { ...versioned, rows: [page("/a", 2)], at: 2, options })
    const [ended, current] = yield* paths(directory)
    const fetched: Array<string> = []

    yield* loadInto(directory, "three", { ...versioned, rows: [page("/b", 3)], at: 3, options }).pipe(
      Effect.provide(
        storeOf(directory, (store) => ({
          getFile: (path, local) => Effect.suspend(() => (fetched.push(path), store.getFile(path, local)))
        }))
      )
    )

    expect(fetched).toEqual([current])
    expect((yield* paths(directory))[0]).toBe(ended)
    expect(yield* history(directory)).toEqual([
      "/a 1 60000000 120000000 false",
      "/a 2 120000000 180000000 false",
      "/b 3 180000000 null true"
    ])
  })
)

it.effect("the manifest tells the checks of a commit, and of each file its run", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const check = { check: "not_null: url", table: "pages", passed: true, found: "3 of 3 rows have a url" }
    yield* load(directory, "one", { rows: [page("/a", 1), page("/b", 1)], commit: { checks: [check] } })
    yield* load(directory, "two", { rows: [page("/b", 2)] })

    const manifest = Option.getOrThrow(yield* manifestOf(lakeOf(directory)))
    expect(manifest.checks).toBeUndefined()
    expect(manifest.tables["pages"]?.files.map((file) => file.run_id)).toEqual(["one", "two"])
    const first = yield* Effect.promise(() =>
      Fs.readFile(join(lakeOf(directory), "_manifest/000000000001.json"), "utf8")
    )
    expect(JSON.parse(first).checks).toEqual([check])
  })
)

const noted = Table.extend(pages, [{ name: "_run_id", type: { _tag: "VARCHAR" }, nullable: false }])

it.effect("manifests and files of version 0.1 are read, merged into and replayed", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = (run: string, ...of: ReadonlyArray<Table.Row>) => of.map((row) => ({ ...row, _run_id: run }))
    const write = "append"
    yield* load(directory, "one", { table: noted, write, rows: rows("one", page("/a", 1), page("/b", 1)) })
    yield* load(directory, "two", { table: noted, write, rows: rows("two", page("/c", 1)) })
    const path = join(lakeOf(directory), "_manifest/000000000002.json")
    yield* Effect.promise(async () => {
      const manifest = JSON.parse(await Fs.readFile(path, "utf8"))
      for (const file of manifest.tables.pages.files) {
        delete file.run_id
        delete file.min._run_id
        delete file.max._run_id
      }
      delete manifest.digest
      await Fs.writeFile(path, JSON.stringify(manifest))
    })

    yield* load(directory, "two", { table: noted, write, rows: rows("two", page("/c", 2)), plan: { again: true } })
    expect(yield* told(directory)).toEqual(["/a 1", "/b 1", "/c 2"])
    yield* load(directory, "three", { table: noted, rows: rows("three", page("/a", 3)) })

    expect(yield* told(directory)).toEqual(["/a 3", "/b 1", "/c 2"])
    const runs = yield* Effect.provide(parquet.with({ path: "lake" }).runs(directory), stores)
    expect(runs.map(({ runId }) => runId)).toEqual(["one", "two", "three"])
  })
)
