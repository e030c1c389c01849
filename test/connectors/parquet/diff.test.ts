import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { after, articles, before, between, differ, loads, readArticles, readings } from "../differing.ts"
import { filesOf, stores } from "./lake.ts"

const lake = (write: "append" | "replace" | "merge" | "scd2") =>
  parquet.with({ path: "lake", write, ...(write === "scd2" ? { removed: "close" } : {}) })

for (const write of ["append", "replace", "scd2"] as const) {
  it.live(`${write}: the manifests have both states, also when later runs have changed them`, () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* loads(lake(write), directory, [before, after, [{ url: "/text", title: "five" }]])

      const found = yield* differ(lake(write), directory, [1, 2])

      expect(found).toMatchObject({ ...between, whole: true })
    }).pipe(Effect.provide(stores))
  )
}

it.live("merge: what no run wrote again is the same, and its files are not read", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const old = Array.from({ length: 100 }, (_, at) => ({ url: `/z${at}`, title: "old" }))
    yield* loads(lake("merge"), directory, [old, before, [{ url: "/text", title: "five" }]])
    const files = yield* filesOf(join(directory, "lake"), "articles")
    const untouched = files.find(({ run_id: run }) => run === "run-1")
    yield* Effect.promise(() => Fs.rm(join(directory, "lake", untouched?.path ?? "none")))

    const found = yield* differ(lake("merge"), directory, [2, 3])

    expect(found.rows).toEqual({ from: 105, to: 105 })
    expect(found.changes).toEqual(['changed /text | title: "one\\u0000two \'three\'" > "five" | stars: 1 > null'])
  }).pipe(Effect.provide(stores))
)

it.live("append: the rows of a run are found in files that were made one", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loads(lake("append"), directory, [before])
    yield* loads(lake("append"), directory, [after], { first: 2 })
    const compact = lake("append").compact?.(directory, { below: 1_000_000 }) ?? Effect.die("none")
    expect((yield* compact).tables).toEqual({ articles: { before: 2, after: 1 } })
    yield* loads(lake("append"), directory, [[{ url: "/same", title: "other" }]], { first: 3 })

    expect((yield* differ(lake("append"), directory, [2, 3])).counts).toEqual({
      added: 0,
      removed: 4,
      changed: 1,
      written: 0
    })
    const onwards = yield* differ(lake("append"), directory, [2, 3], { incremental: true })
    expect(onwards.changes).toEqual(['changed /same | title: "same" > "other" | tags: [] > null'])
  }).pipe(Effect.provide(stores))
)

it.live("a column that came, or became wider, is compared with what it was", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const narrow = Table.make({
      name: "articles",
      description: "without stars",
      key: ["url"],
      schema: Schema.Struct({ url: Schema.String, title: Schema.NullOr(Schema.Int), _run_id: Schema.String })
    })
    const rows = [
      { url: "/a", title: 7 },
      { url: "/b", title: 8 }
    ] as unknown as typeof before // a title of numbers, once
    yield* loads(lake("merge"), directory, [rows], { table: narrow })
    yield* loads(lake("merge"), directory, [[{ url: "/a", title: "seven", stars: 3 }]], { first: 2 })

    const found = yield* differ(lake("merge"), directory, [1, 2])

    expect(Column.named(articles.columns, "stars")).toBeDefined()
    expect(found.changes).toEqual(['changed /a | title: "7" > "seven" | stars: null > 3'])
  }).pipe(Effect.provide(stores))
)

it.live("a table that neither run has is told", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loads(lake("append"), directory, [before, after])

    const none = yield* Effect.flip(
      differ(lake("append"), directory, [1, 2], { table: { ...articles, name: "nothing" } })
    )

    expect(none).toMatchObject({ message: expect.stringContaining("has no table nothing in either of these runs") })
  }).pipe(Effect.provide(stores))
)

for (const write of ["append", "merge", "scd2"] as const) {
  it.live(`${write}: a row that a newer version has read differs in what it did not read alone`, () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* loads(lake(write), directory, readings, { table: readArticles })
      const told = (loads: readonly [number, number]) =>
        Effect.map(differ(lake(write), directory, loads, { table: readArticles }), ({ changes }) =>
          changes.map((change) => change.split(" | ").slice(0, 1).join())
        )

      expect(yield* told([1, 2])).toEqual(["changed /tags"])
      expect(yield* told([2, 3])).toEqual(["changed /same"])
    }).pipe(Effect.provide(stores))
  )
}
