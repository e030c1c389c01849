import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { activeIn } from "../delta/activeIn.ts"
import { icebergIn } from "../iceberg/icebergIn.ts"
import { filesOf, manifestOf, readLake, stores } from "../lake.ts"
import { type Load, load as loadInto, storeOf } from "../load.ts"

const load = (directory: string, run: string, of: Load) => Effect.provide(loadInto(directory, run, of), stores)
const page = (url: string) => ({ url, title: "t", version: 1 })
const others = { ...pages, name: "others" }
const lakeOf = (directory: string) => join(directory, "lake")

/** A run that others overtake, one after the other, each time that it is about to put its manifest. */
const overtaken = (directory: string, run: string, of: Load, others: ReadonlyArray<readonly [string, Load]>) => {
  const left = [...others]
  const racing = storeOf(directory, (store) => ({
    putIfAbsent: (path, bytes) =>
      Effect.gen(function* () {
        const [other] = path.startsWith("_manifest/") ? left.splice(0, 1) : []
        if (other !== undefined) yield* Effect.orDie(load(directory, ...other))
        return yield* store.putIfAbsent(path, bytes)
      })
  }))
  return Effect.provide(loadInto(directory, run, of), racing)
}

it.effect("pipelines that load other tables of a lake at the same time all commit, also for Delta and Iceberg", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const options = { iceberg: true }
    const second = { pipeline: "second" }
    yield* load(directory, "one", { rows: [page("/a")], options })

    yield* overtaken(directory, "two", { rows: [page("/b")], options }, [
      ["three", { rows: [page("/c")], table: others, plan: second, options }],
      ["four", { rows: [page("/d")], table: others, plan: second, options }]
    ])

    const { owners, run, version } = Option.getOrThrow(yield* manifestOf(lakeOf(directory)))
    expect([version, run.run_id, owners]).toEqual([4, "two", { pages: "p", others: "second" }])
    for (const table of [pages, others]) {
      const files = (yield* filesOf(lakeOf(directory), table.name)).map(({ path }) => path).toSorted()
      expect(yield* readLake(lakeOf(directory), table)).toHaveLength(2)
      expect(activeIn(lakeOf(directory), table.name, 1)).toEqual(files)
      expect((yield* icebergIn(lakeOf(directory), table.name)).files).toEqual(files)
    }
    const views = yield* Effect.promise(() => Fs.readFile(join(lakeOf(directory), "read.sql"), "utf8"))
    expect(views).toContain("Version 4, of run two")
  })
)

it.effect("pipelines that share a table add to it at the same time", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const table = { ...Table.extend(pages, [Sink.pipelineColumn]), key: [Sink.pipelineColumn.name, "url"] }
    const of = (pipeline: string): Load => ({
      rows: [{ ...page("/a"), _pipeline: pipeline }],
      table,
      plan: { pipeline, shared: true }
    })

    yield* overtaken(directory, "one", of("first"), [["two", of("second")]])

    const rows = yield* readLake(lakeOf(directory), table)
    expect(rows.map((row) => row["_pipeline"])).toEqual(["second", "first"])
  })
)

it.effect("a run does not commit over another of its own pipeline, nor into a table that became another's", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const own = yield* Effect.flip(
      overtaken(directory, "one", { rows: [page("/a")], write: "append" }, [
        ["two", { rows: [page("/b")], write: "append" }]
      ])
    )
    const other = yield* Effect.flip(
      overtaken(directory, "three", { rows: [page("/c")], table: others }, [
        ["four", { rows: [page("/c")], table: others, plan: { pipeline: "second" } }]
      ])
    )

    expect(own.message).toContain(
      "meanwhile, and nothing of this commit is visible: it was a run of the same pipeline, p; run again"
    )
    expect(other.message).toMatch(/: table others of .* belongs to the pipeline second; give this pipeline a schema/)
    expect((yield* readLake(lakeOf(directory), pages)).map((row) => row["url"])).toEqual(["/b"])
    expect(yield* readLake(lakeOf(directory), others)).toHaveLength(1)
    const files = yield* Effect.promise(() => Fs.readdir(lakeOf(directory), { recursive: true }))
    expect(files.filter((path) => path.endsWith(".parquet"))).toHaveLength(2)
  })
)

it.effect(
  "an interval of a backfill does not commit over the run of its pipeline, whose rows may have the same keys",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const interval = { pipeline: "p@20260101T000000Z..20260102T000000Z" }

      const error = yield* Effect.flip(
        overtaken(directory, "one", { rows: [page("/a")], plan: interval }, [
          ["two", { rows: [page("/a"), page("/b")] }]
        ])
      )

      expect(error.message).toContain(
        "nothing of this commit is visible: it was a run of the same pipeline, p; run again"
      )
      expect((yield* readLake(lakeOf(directory), pages)).map((row) => row["url"])).toEqual(["/a", "/b"])
    })
)

it.effect("read.sql shows the newest commit, also where the writer of an older one comes late to it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    let isLate = true
    const late = storeOf(directory, (store) => ({
      put: (path, bytes) =>
        Effect.gen(function* () {
          if (path === "read.sql" && isLate) {
            isLate = false
            yield* Effect.orDie(
              load(directory, "two", { rows: [page("/b")], table: others, plan: { pipeline: "second" } })
            )
          }
          yield* store.put(path, bytes)
        })
    }))

    yield* Effect.provide(loadInto(directory, "one", { rows: [page("/a")] }), late)

    const views = yield* Effect.promise(() => Fs.readFile(join(lakeOf(directory), "read.sql"), "utf8"))
    expect(views).toContain("Version 2, of run two")
  })
)

it.effect("a list of files that was put for a lost manifest is removed", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = (pipeline: string) =>
      Array.from({ length: 66 }, (_, at) => ({ ...page(`/${pipeline}${at}`), version: at }))
    const of = (pipeline: string, table = pages): Load => ({
      rows: rows(pipeline),
      table,
      write: "append",
      plan: { pipeline },
      options: { partition: ["version"] }
    })

    yield* overtaken(directory, "one", of("first"), [["two", of("second", others)]])

    const { tables } = Option.getOrThrow(yield* manifestOf(lakeOf(directory)))
    const named = Object.values(tables).flatMap(({ lists = [] }) => lists.map(({ path }) => path.split("/").at(-1)))
    const lists = yield* Effect.promise(() => Fs.readdir(join(lakeOf(directory), "_manifest/files")))
    expect(lists).toHaveLength(2)
    expect(lists.toSorted()).toEqual(named.toSorted())
  })
)
