import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Options, sqlite } from "#connectors/sqlite/index"
import { folder } from "#testing/folder"
import { after, before, between, differ, loads } from "../differing.ts"

const of = (more: Partial<Options>) => sqlite.with({ path: "articles.sqlite", ...more })
const [append, merge, replace] = (["append", "merge", "replace"] as const).map((write) => of({ write }))
const history = of({ write: "scd2", removed: "close" })

/** The rows of each query, all of one opening. */
const answers = (sink: typeof history, directory: string, queries: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ask } = yield* sink.queries?.(directory, {}) ?? Effect.die("it answers no SQL")
      return yield* Effect.forEach(queries, (sql) =>
        Effect.flatMap(ask(sql), ({ rows }) => Effect.map(Stream.runCollect(rows), (all) => all.flat()))
      )
    })
  )

describe("differences of a SQLite table", () => {
  it.live("are those of any sink: of a history both states, of appended rows each load", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* folder, yield* folder]
      yield* loads(history, one, [before, after, [{ url: "/text", title: "five" }]])
      yield* loads(append ?? history, other, [before, after])

      expect(yield* differ(history, one, [1, 2])).toMatchObject({ ...between, whole: true })
      expect(yield* differ(append ?? history, other, [1, 2])).toMatchObject({ ...between, whole: true })
    })
  )

  it.live("are not made up where a table does not keep its states", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* folder, yield* folder]
      yield* loads(merge ?? history, one, [before, after])
      yield* loads(replace ?? history, other, [before, after])

      expect((yield* differ(merge ?? history, one, [1, 2])).whole).toBe(false)
      const error = yield* Effect.flip(differ(replace ?? history, other, [1, 2]))
      expect(error).toMatchObject({ message: expect.stringContaining("it has its last load only") })
    })
  )
})

describe("SQL on a SQLite file", () => {
  it.live("has the types of the columns, the views, and the tables of others; one that is broken hides no other", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* loads(history, directory, [before, after])
      const database = new DatabaseSync(join(directory, "articles.sqlite"))
      database.exec("CREATE TABLE mine (n INTEGER, anything); INSERT INTO mine VALUES (7, 'x'), (8, 9)")
      database.exec("CREATE VIEW broken AS SELECT * FROM nowhere")
      database.close()

      const [tags, current, mine, tables] = yield* answers(history, directory, [
        "SELECT DISTINCT typeof(tags) AS tags, typeof(valid_from) AS since FROM articles",
        "SELECT count(*) AS n FROM articles_current",
        "FROM mine",
        "SHOW TABLES"
      ])

      expect(tags).toEqual([{ tags: "VARCHAR[]", since: "TIMESTAMP" }])
      expect(current).toEqual([{ n: BigInt(after.length) }])
      expect(mine).toEqual([
        { n: 7n, anything: "x" },
        { n: 8n, anything: "9" }
      ])
      expect(tables?.map(({ name }) => name)).toEqual(expect.arrayContaining(["articles", "mine", "_millrace_runs"]))
    })
  )

  it.live("reads the file and nothing else, and changes nothing", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* loads(history, directory, [before])
      for (const sql of ["DELETE FROM articles", "SELECT * FROM read_csv('/etc/passwd')", "ATTACH 'x.duckdb'"]) {
        yield* Effect.flip(answers(history, directory, [sql]))
      }
      const missing = yield* Effect.flip(answers(of({ path: "none.sqlite" }), directory, ["FROM articles"]))

      expect(missing).toMatchObject({ message: "the database is not there yet: run the pipeline first" })
      expect(yield* answers(history, directory, ["SELECT count(*) AS n FROM articles"])).toEqual([
        [{ n: BigInt(before.length) }]
      ])
    })
  )
})
