import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { parquet } from "#connectors/parquet/index"
import * as ObjectStore from "#engine/ObjectStore"
import type * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { stores } from "../lake.ts"
import { type Load, load as loadInto, storeOf } from "../load.ts"

const load = (directory: string, run: string, of: Load) => Effect.provide(loadInto(directory, run, of), stores)
const page = (url: string, version = 1) => ({ url, title: "it's", version })
const fileIn = (lake: string) => join(lake, "read.sql")

/** What a DuckDB that knows nothing of Millrace answers, after it has read the file. */
const asked = (lake: string, question: string, before = "") =>
  Effect.promise(async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    for (const sql of [before, await Fs.readFile(fileIn(lake), "utf8")]) if (sql !== "") await runAll(connection, sql)
    return (await connection.runAndReadAll(question)).getRowsJson()
  })

const runAll = async (connection: Awaited<ReturnType<DuckDBInstance["connect"]>>, sql: string) => {
  const statements = await connection.extractStatements(sql)
  for (let at = 0; at < statements.count; at++) await (await statements.prepare(at)).run()
}

it.effect("its views show the rows of the last commit, whatever older files lie beside", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const lake = join(directory, "lake")
    yield* load(directory, "one", { rows: [page("/a"), page("/b")], at: 1 })
    yield* load(directory, "two", { rows: [page("/a", 2)], at: 2 })

    expect(yield* asked(lake, "SELECT url, title, version FROM pages ORDER BY url")).toEqual([
      ["/a", "it's", "2"],
      ["/b", "it's", "1"]
    ])
    yield* load(directory, "three", { rows: [page("/c")], write: "replace", at: 3 })
    expect(yield* asked(lake, "SELECT url FROM pages")).toEqual([["/c"]])
    yield* load(directory, "four", { rows: [], write: "replace", at: 4 })
    expect(yield* asked(lake, "SELECT count(*), count(url) FROM pages")).toEqual([["0", "0"]])
  })
)

it.effect("a partitioned lake that was moved is read where it is now, with the types of its columns", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const table: Table.Table = {
      name: "pages",
      description: "pages",
      columns: [
        { name: "url", type: { _tag: "VARCHAR" }, nullable: false },
        { name: "day", type: { _tag: "DATE" }, nullable: true },
        { name: "said", type: { _tag: "JSON" }, nullable: true }
      ],
      key: ["url"]
    }
    const rows = [
      { url: "/a", day: "2024-10-04", said: { a: [1] } },
      { url: "/b", day: null, said: null }
    ]
    yield* load(directory, "one", { rows, table, options: { partition: ["day"] } })
    const moved = join(directory, "it's moved")
    yield* Effect.promise(() => Fs.rename(join(directory, "lake"), moved))

    // DuckDB before 1.5 takes the folder of nulls for a text, which is no date.
    expect(yield* Effect.promise(() => Fs.readFile(fileIn(moved), "utf8"))).toContain("hive_types = {'day': 'VARCHAR'}")
    const question = "SELECT url, day, said.a[0], typeof(day), typeof(said) FROM pages ORDER BY url"
    const where = `SET VARIABLE lake = '${moved.replace("'", "''")}'`
    expect(yield* asked(moved, question, where)).toEqual([
      ["/a", "2024-10-04", "1", "DATE", "JSON"],
      ["/b", null, null, "DATE", "JSON"]
    ])
  })
)

it.effect("one that a kill left out is written at the next opening, and compact rewrites it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const lake = join(directory, "lake")
    const refused = new ObjectStore.ObjectStoreError({
      store: "lake",
      message: "no",
      path: "read.sql",
      retryable: false
    })
    const unlucky = storeOf(directory, (store) => ({
      put: (path, bytes) => (path === "read.sql" ? Effect.fail(refused) : store.put(path, bytes))
    }))
    yield* load(directory, "one", { rows: [page("/a")], at: 1 })
    const failed = yield* loadInto(directory, "two", { rows: [page("/b")], at: 2 }).pipe(
      Effect.provide(unlucky),
      Effect.flip
    )
    expect(failed.message).toContain("the commit is done, but read.sql in")
    expect(yield* asked(lake, "SELECT url FROM pages")).toEqual([["/a"]])

    const sink = parquet.with({ path: "lake" })
    yield* Effect.scoped(sink.open({ pipeline: "p", runId: "three", directory, evolve: true, tables: [] })).pipe(
      Effect.provide(stores)
    )
    expect(yield* asked(lake, "SELECT url FROM pages ORDER BY url")).toEqual([["/a"], ["/b"]])

    const before = yield* Effect.promise(() => Fs.readFile(fileIn(lake), "utf8"))
    yield* (sink.compact?.(directory, { below: 1e9 }) ?? Effect.die("no compact")).pipe(Effect.provide(stores))
    expect(yield* Effect.promise(() => Fs.readFile(fileIn(lake), "utf8"))).not.toBe(before)
    expect(yield* asked(lake, "SELECT url FROM pages ORDER BY url")).toEqual([["/a"], ["/b"]])
  })
)
