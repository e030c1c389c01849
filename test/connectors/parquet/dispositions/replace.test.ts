import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { parquet } from "#connectors/parquet/index"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { filesOf, manifestOf, readLake, stores } from "../lake.ts"
import { type Load, load as loadInto, storeOf } from "../load.ts"

const page = (url: string, version: number, title = "t") => ({ url, title, version })
const load = (directory: string, run: string, of: Load) =>
  Effect.provide(loadInto(directory, run, { write: "replace", ...of }), stores)
const broken = { commit: { complete: false } }
const lakeOf = (directory: string) => join(directory, "lake")
const paths = (directory: string) =>
  Effect.map(filesOf(lakeOf(directory), "pages"), (files) => files.map(({ path }) => path))
const told = (directory: string) =>
  Effect.map(readLake(lakeOf(directory), pages), (rows) =>
    rows.map((row) => `${row["url"]} ${row["version"]}`).toSorted()
  )

/** Loads, and tells which files were fetched. */
const watched = (directory: string, run: string, of: Load) =>
  Effect.gen(function* () {
    const fetched: Array<string> = []
    const store = storeOf(directory, (store) => ({
      getFile: (path, local) => Effect.suspend(() => (fetched.push(path), store.getFile(path, local)))
    }))
    yield* Effect.provide(loadInto(directory, run, { write: "replace", ...of }), store)
    return fetched
  })

it.effect("a complete run that keeps nothing reads no file, old or new", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a", 1)] })

    expect(yield* watched(directory, "two", { rows: [page("/b", 2)] })).toEqual([])
    expect(yield* told(directory)).toEqual(["/b 2"])
  })
)

it.effect("a broken run writes anew the files that hold a key that comes, and does not even fetch the others", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a", 1), page("/b", 1)] })
    yield* load(directory, "two", { rows: [page("/x", 1), page("/y", 1)], ...broken })
    const [first, second] = yield* paths(directory)

    const fetched = yield* watched(directory, "three", { rows: [page("/b", 3)], ...broken })
    // The new file is read for its keys.
    expect(fetched.filter((path) => path === first || path === second)).toEqual([first])
    expect((yield* paths(directory))[1]).toBe(second)
    expect(yield* told(directory)).toEqual(["/a 1", "/b 3", "/x 1", "/y 1"])
  })
)

it.effect("a complete run that keeps some fetches only files that may hold them", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", { rows: [page("/a", 1), page("/b", 1)] })
    yield* load(directory, "two", { rows: [page("/x", 1), page("/y", 1)], ...broken })
    const [first, second] = yield* paths(directory)

    const fetched = yield* watched(directory, "three", { rows: [page("/n", 3)], kept: [{ url: "/y" }] })
    expect(fetched.filter((path) => path === first || path === second)).toEqual([second])
    expect(yield* told(directory)).toEqual(["/n 3", "/y 1"])
  })
)

it.effect(
  "a history and a table of other folders are not mixed with what a broken run brings: it changes nothing",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory, "one", { write: "scd2", fingerprint: ["version"], rows: [page("/a", 1)], at: 1 })
      const history = yield* Effect.flip(load(directory, "two", { rows: [page("/b", 2)], ...broken }))
      expect(history.message).toContain("table pages is a history in the files")
      expect(history.message).toContain("1 of its rows would stay")
      expect(yield* readLake(lakeOf(directory), Table.extend(pages, Sink.historyColumns))).toHaveLength(1)

      yield* load(directory, "three", { rows: [page("/c", 3)] })
      const options = { partition: ["title"] }
      const parted = yield* Effect.flip(load(directory, "four", { rows: [page("/d", 4)], options, ...broken }))
      expect(parted.message).toContain("table pages is partitioned by nothing and this run says title")
      expect(yield* told(directory)).toEqual(["/c 3"])
      yield* load(directory, "five", { rows: [page("/e", 5)], options })
      expect(yield* told(directory)).toEqual(["/e 5"])
    })
)

const shared = Table.extend({ ...pages, key: [Sink.pipelineColumn.name, ...pages.key] }, [Sink.pipelineColumn])
const share = (
  directory: string,
  pipeline: string,
  run: string,
  rows: ReadonlyArray<Table.Row>,
  of: Partial<Load> = {}
) => ({
  run: loadInto(directory, run, {
    write: "replace",
    table: shared,
    rows: rows.map((row) => ({ ...row, _pipeline: pipeline })),
    plan: { pipeline, shared: true },
    ...of
  })
})
const sharedRows = (directory: string) =>
  Effect.map(readLake(lakeOf(directory), shared), (rows) =>
    rows.map((row) => `${row["_pipeline"]} ${row["url"]} ${row["version"]}`).toSorted()
  )

it.effect("in a shared table files of others stay unread, and one that has rows of both is parted", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.provide(share(directory, "p", "one", [page("/a", 1)]).run, stores)
    yield* Effect.provide(share(directory, "q", "two", [page("/a", 2), page("/b", 2)]).run, stores)
    const [ours, theirs] = yield* paths(directory)
    const fetched: Array<string> = []
    yield* Effect.provide(
      share(directory, "p", "three", [page("/c", 3)]).run,
      storeOf(directory, (store) => ({
        getFile: (path, local) => Effect.suspend(() => (fetched.push(path), store.getFile(path, local)))
      }))
    )
    expect(fetched).toEqual([])
    expect(yield* paths(directory)).toContain(theirs)
    expect(yield* paths(directory)).not.toContain(ours)
    expect(yield* sharedRows(directory)).toEqual(["p /c 3", "q /a 2", "q /b 2"])

    const sink = parquet.with({ path: "lake" })
    yield* Effect.provide(sink.compact?.(directory, { below: 1e9 }) ?? Effect.die("none"), stores)
    expect(yield* paths(directory)).toHaveLength(1)
    const receipt = yield* Effect.provide(
      share(directory, "p", "four", [page("/d", 4)], { commit: { complete: false } }).run,
      stores
    )
    expect(receipt.tables).toEqual({ pages: { received: 1, written: 1, unchanged: 0, superseded: 0, kept: 1 } })
    yield* Effect.provide(sink.compact?.(directory, { below: 1e9 }) ?? Effect.die("none"), stores)
    yield* Effect.provide(share(directory, "q", "five", [page("/a", 5)]).run, stores)
    expect(yield* sharedRows(directory)).toEqual(["p /c 3", "p /d 4", "q /a 5"])
  })
)

it.effect("new files are made as wide as what stays, and no file of a commit is left behind", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const wide = {
      ...pages,
      columns: pages.columns.map((column) =>
        column.name === "version" ? { ...column, type: { _tag: "VARCHAR" as const } } : column
      )
    }
    yield* load(directory, "one", { table: wide, rows: [{ url: "/a", title: "t", version: "one" }] })
    const put: Array<string> = []
    const removed: Array<string> = []
    yield* Effect.provide(
      loadInto(directory, "two", { write: "replace", rows: [page("/b", 2)], ...broken }),
      storeOf(directory, (store) => ({
        putFile: (path, local) => Effect.suspend(() => (put.push(path), store.putFile(path, local))),
        remove: (path) => Effect.suspend(() => (removed.push(path), store.remove(path)))
      }))
    )

    const manifest = Option.getOrThrow(yield* manifestOf(lakeOf(directory)))
    expect(manifest.tables["pages"]?.columns.find(({ name }) => name === "version")?.type).toBe("VARCHAR")
    const named = yield* paths(directory)
    expect(put.filter((path) => !named.includes(path))).toEqual(removed)
    expect(removed).toHaveLength(1)
    expect((yield* readLake(lakeOf(directory), wide)).map((row) => row["version"]).toSorted()).toEqual(["2", "one"])
  })
)
