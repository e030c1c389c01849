import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Database, memory } from "#connectors/memory/index"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf, page } from "#testing/SinkBench"
import * as SinkSuite from "#testing/SinkSuite"
import { pages } from "#testing/specimens"

SinkSuite.suite("memory", {
  destination: (directory) => memory.with({ name: directory }),
  closing: (directory) => memory.with({ name: directory, removed: "close" }),
  read: (directory, table) => Effect.sync(() => Database.rows(directory, table.name)),
  layer: Layer.empty,
  secondWriter: "fails to open"
})

SinkSuite.suite("memory with a schema", {
  destination: (directory) => memory.with({ name: directory, schema: "web" }),
  closing: (directory) => memory.with({ name: directory, schema: "web", removed: "close" }),
  read: (directory, table) => Effect.sync(() => Database.rows(`${directory}.web`, table.name)),
  layer: Layer.empty,
  secondWriter: "fails to open"
})

const load = (directory: string, runId: string, write: Sink.WriteDisposition, url: string, complete = true) =>
  Effect.scoped(
    Effect.gen(function* () {
      const planned = { table: pages, write, ...(write === "scd2" ? { fingerprint: ["version"] } : {}) }
      const writer = yield* memory
        .with({ name: directory })
        .open({ pipeline: "p", runId, directory, evolve: true, tables: [planned] })
      yield* writer.write(Table.batch(pages, [page(url, 1)]))
      return yield* writer.commit({ ...commitOf(runId, runId), complete })
    })
  )

it.effect("a history is not mixed with the rows of a broken run, which changes nothing", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, "one", "scd2", "/a")
    const error = yield* Effect.flip(load(directory, "two", "replace", "/b", false))

    expect(error.message).toContain("table pages: it is a history, and 1 of its versions would stay")
    expect(Database.rows(directory, "pages").map((row) => row["url"])).toEqual(["/a"])
    yield* load(directory, "three", "replace", "/c")
    expect(Database.rows(directory, "pages").map((row) => row["url"])).toEqual(["/c"])
  })
)

it.effect("takes more rows in one run than a function takes arguments", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const numbers = Table.make({
      name: "numbers",
      description: "numbers",
      key: ["id"],
      schema: Schema.Struct({ id: Schema.Int })
    })
    const ids = Array.from({ length: 300_000 }, (_, id) => ({ id }))
    const into = (write: Sink.WriteDisposition, runId: string, rows: ReadonlyArray<Table.Row>) =>
      Effect.scoped(
        Effect.gen(function* () {
          const plan = { pipeline: "p", runId, directory, evolve: true, tables: [{ table: numbers, write }] }
          const writer = yield* memory.with({ name: directory }).open(plan)
          for (const batch of Table.batches(numbers, rows)) yield* writer.write(batch)
          yield* writer.retainKeys("numbers", ids)
          return yield* writer.commit(commitOf(runId, runId))
        })
      )
    yield* into("append", "one", ids)
    expect(Database.rows(directory, "numbers")).toHaveLength(300_000)
    yield* into("replace", "two", [])

    // Of each key it was said that its row is there.
    expect(Database.rows(directory, "numbers")).toHaveLength(300_000)
  })
)
