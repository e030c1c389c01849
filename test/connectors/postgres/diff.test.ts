import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { postgres } from "#connectors/postgres/index"
import { folder } from "#testing/folder"
import { type Article, after, differ, between as differing, before as earlier, loads } from "../differing.ts"
import { databaseUrl, placeOf } from "./database.ts"

const url = await databaseUrl()

/** Postgres holds no U+0000: what the other sinks have in a title is a space here. */
const before: ReadonlyArray<Article> = earlier.map((row) => ({ ...row, title: row.title?.replace("\0", " ") ?? null }))
const between = { ...differing, changes: differing.changes.map((change) => change.replace("\\u0000", " ")) }

describe.skipIf(url === undefined)("on Postgres", () => {
  const of = (directory: string) => {
    const place = placeOf(url ?? "", directory)
    return {
      append: postgres.with({ ...place, write: "append" }),
      merge: postgres.with({ ...place, write: "merge" }),
      replace: postgres.with({ ...place, write: "replace" }),
      history: postgres.with({ ...place, write: "scd2", removed: "close" })
    }
  }

  it.live("a history knows both states, also when later runs have changed them", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { history } = of(directory)
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
      const { history, merge } = of(directory)
      yield* loads(merge, directory, [before])
      yield* loads(history, directory, [after, before], { first: 2 })

      const early = yield* Effect.flip(differ(history, directory, [1, 3]))
      expect(early).toMatchObject({
        message: expect.stringContaining("was no history yet when run run-1 loaded it")
      })
      expect((yield* differ(history, directory, [2, 3])).counts.changed).toBe(3)
    })
  )

  it.live("where rows are added, a load is what its run added; of a source that reads on it is all up to it", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { append } = of(directory)
      yield* loads(append, directory, [before, after, [{ url: "/text", title: "five" }]])

      expect(yield* differ(append, directory, [1, 2])).toMatchObject({ ...between, whole: true })
      const onwards = yield* differ(append, directory, [2, 3], { incremental: true })
      expect(onwards.rows).toEqual({ from: 6, to: 6 })
      expect(onwards.changes).toEqual(['changed /text | title: "one four" > "five" | stars: 1 > null'])
    })
  )

  it.live("rows of one key are paired in their order, and equal rows where there is no key", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { append } = of(directory)
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
      const { merge } = of(directory)
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
      const { replace } = of(directory)
      const none = yield* Effect.flip(differ(replace, directory, [1, 2]))
      yield* loads(replace, directory, [before, after])
      const gone = yield* Effect.flip(differ(replace, directory, [1, 2]))

      expect(none).toMatchObject({ message: expect.stringContaining("has no table articles") })
      expect(gone).toMatchObject({ message: expect.stringContaining("the older one is gone") })
    })
  )
})
