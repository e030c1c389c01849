import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import { folder } from "#testing/folder"
import { after, before, between, differ, loads, readArticles, readings } from "../differing.ts"
import { runSql } from "./runSql.ts"

const append = duckdb.with({ path: "w.duckdb", write: "append" })
const merge = duckdb.with({ path: "w.duckdb", write: "merge" })
const replace = duckdb.with({ path: "w.duckdb", write: "replace" })
const history = duckdb.with({ path: "w.duckdb", write: "scd2", removed: "close" })

it.live("a history knows both states, also when later runs have changed them", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loads(history, directory, [before, after, [{ url: "/text", title: "five" }]])

    expect(yield* differ(history, directory, [1, 2])).toMatchObject({ ...between, whole: true })
    const back = yield* differ(history, directory, [2, 1])
    expect(back.counts).toEqual(between.counts)
    expect(back.changes[0]).toBe('added /gone | title:  > "gone"')
  })
)

it.live("a table that became a history later does not tell what it was before", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loads(merge, directory, [before])
    yield* loads(history, directory, [after, before], { first: 2 })

    const early = yield* Effect.flip(differ(history, directory, [1, 3]))
    expect(early).toMatchObject({
      message: expect.stringContaining("was no history yet when run run-1 loaded it")
    })
    expect((yield* differ(history, directory, [2, 3])).counts.changed).toBe(3)
  })
)

it.live("with append, a load is what its run added; with an incremental source, it is everything up to that run", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loads(append, directory, [before, after, [{ url: "/text", title: "five" }]])

    expect(yield* differ(append, directory, [1, 2])).toMatchObject({ ...between, whole: true })
    const onwards = yield* differ(append, directory, [2, 3], { incremental: true })
    expect(onwards.basis).toBe("the rows of all runs up to each load, the last row of each key")
    expect(onwards.rows).toEqual({ from: 6, to: 6 })
    expect(onwards.changes).toEqual(['changed /text | title: "one four" > "five" | stars: 1 > null'])
  })
)

it.live("a column that hides DuckDB's numbers of rows does not pair rows of other keys", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loads(append, directory, [before, after])
    yield* runSql(join(directory, "w.duckdb"), ["ALTER TABLE articles ADD COLUMN rowid BIGINT DEFAULT 7"])

    expect(yield* differ(append, directory, [1, 2])).toMatchObject({ ...between, whole: true })
  })
)

it.live("rows of one key are paired in their order, and equal rows where there is no key", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = (...titles: ReadonlyArray<string>) => titles.map((title) => ({ url: "/", title }))
    yield* loads(append, directory, [rows("a", "b", "b"), rows("a", "c", "b", "d")])
    const { articles } = yield* Effect.promise(() => import("../differing.ts"))

    const keyed = yield* differ(append, directory, [1, 2])
    expect(keyed.changes).toEqual(['changed / | title: "b" > "c"', 'added / | title:  > "d"'])
    const nameless = yield* differ(append, directory, [1, 2], { table: { ...articles, key: [] } })
    expect(nameless.counts).toEqual({ added: 2, removed: 1, changed: 0, written: 0 })
    expect(nameless.changes.toSorted()).toEqual([
      'added  | title:  > "c"',
      'added  | title:  > "d"',
      'removed  | title: "b" > '
    ])
  })
)

it.live("a merged table says which rows were written since, and that it does not know what was there", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loads(merge, directory, [before, [{ url: "/text", title: "new" }], [{ url: "/new", title: "new" }]])

    const found = yield* differ(merge, directory, [1, 2])

    expect(found.whole).toBe(false)
    expect(found.basis).toContain("does not keep earlier values")
    expect(found.counts).toEqual({ added: 0, removed: 0, changed: 0, written: 1 })
    expect(found.changes).toEqual(['written /text | title:  > "new"'])
  })
)

it.live("a replaced table says that the older state is gone, and one that never was says that", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const none = yield* Effect.flip(differ(replace, directory, [1, 2]))
    yield* loads(replace, directory, [before, after])
    const gone = yield* Effect.flip(differ(replace, directory, [1, 2]))

    expect(none).toMatchObject({ message: expect.stringContaining("w.duckdb is not there yet") })
    expect(gone).toMatchObject({ message: expect.stringContaining("the older one is gone") })
  })
)

it.live("all changes are counted, and as many told as are asked for, in the order of their keys", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const many = (title: string) =>
      Array.from({ length: 300 }, (_, at) => ({ url: `/${String(at).padStart(3, "0")}`, title: `${title} ${at}` }))
    yield* loads(append, directory, [many("old"), many("new")])

    const all = yield* differ(append, directory, [1, 2])
    const some = yield* differ(append, directory, [1, 2], { limit: 65 })
    const none = yield* differ(append, directory, [1, 2], { limit: 0 })

    expect(all.changes).toHaveLength(300)
    expect(all.changes[299]).toBe('changed /299 | title: "old 299" > "new 299"')
    expect([some.counts.changed, none.counts.changed]).toEqual([300, 300])
    expect(some.changes).toEqual(all.changes.slice(0, 65))
    expect(none.changes).toEqual([])
  })
)

it.live("a row that a newer version has read differs in what it did not read alone", () =>
  Effect.gen(function* () {
    for (const sink of [append, history]) {
      const directory = yield* folder
      yield* loads(sink, directory, readings, { table: readArticles })
      const told = (loads: readonly [number, number]) =>
        Effect.map(differ(sink, directory, loads, { table: readArticles }), ({ changes }) =>
          changes.map((change) => change.split(" | ").slice(0, 1).join())
        )

      expect(yield* told([1, 2])).toEqual(["changed /tags"])
      expect(yield* told([2, 3])).toEqual(["changed /same"])
    }
  })
)
