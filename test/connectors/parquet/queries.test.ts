import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { parquet } from "#connectors/parquet/index"
import { ObjectStoreError } from "#engine/ObjectStore"
import type { Queries } from "#engine/Queries"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { stores } from "./lake.ts"
import { load, storeOf } from "./load.ts"

/** The lake of a folder as a bucket has it. `fetched`: whose data files are fetched, in order. */
const bucketOf = (directory: string, fetched: Array<string>) =>
  storeOf(directory, ({ getFile }) => ({
    location: "s3://lake",
    getFile: (path, local) =>
      Effect.andThen(
        Effect.sync(() => void (path.endsWith(".parquet") && fetched.push(path.split("/")[0] ?? ""))),
        getFile(path, local)
      )
  }))

const rowsOf = (queries: Queries, sql: string) =>
  Effect.flatMap(queries.ask(sql), ({ rows }) => Effect.map(Stream.runCollect(rows), (some) => some.flat()))

it.effect("files of a bucket are fetched for the first question that names their table, in whatever letters", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const name of ["pages", "notes"]) {
      const rows = [{ url: `/${name}`, title: "t", version: 1 }]
      const table = { ...pages, name }
      yield* Effect.provide(load(directory, `run-${name}`, { rows, write: "append", at: 1, table }), stores)
    }
    const fetched: Array<string> = []

    yield* Effect.scoped(
      Effect.gen(function* () {
        const queries = yield* parquet.with({ path: "s3://lake" }).queries?.(directory, {}) ?? Effect.die("none")
        const tables = yield* rowsOf(queries, "SELECT name FROM (SHOW TABLES) ORDER BY name")
        expect(tables).toEqual([{ name: "notes" }, { name: "pages" }])
        expect(fetched).toEqual([])

        expect(yield* rowsOf(queries, "SELECT url FROM Pages")).toEqual([{ url: "/pages" }])
        expect(yield* rowsOf(queries, 'SELECT count(*) AS n FROM "pages"')).toEqual([{ n: 1n }])
        expect(fetched).toEqual(["pages"])

        const unnamed = yield* Effect.flip(rowsOf(queries, "SELECT url FROM query_table('no' || 'tes')"))
        expect(unnamed.message).toContain("table notes is fetched only for a query that has its name in it")
        expect(yield* rowsOf(queries, "SELECT url FROM pages UNION ALL SELECT url FROM notes ORDER BY url")).toEqual([
          { url: "/notes" },
          { url: "/pages" }
        ])
        expect(fetched).toEqual(["pages", "notes"])
      })
    ).pipe(Effect.provide(bucketOf(directory, fetched)))
  })
)

it.effect("a table that could not be fetched is fetched for the next question", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = [{ url: "/a", title: "t", version: 1 }]
    yield* Effect.provide(load(directory, "run-1", { rows, write: "append", at: 1 }), stores)
    let isDown = true
    const store = storeOf(directory, ({ getFile }) => ({
      location: "s3://lake",
      getFile: (path, local) =>
        isDown && path.endsWith(".parquet")
          ? new ObjectStoreError({ store: "s3", path, message: "the bucket does not answer", retryable: true })
          : getFile(path, local)
    }))

    yield* Effect.scoped(
      Effect.gen(function* () {
        const queries = yield* parquet.with({ path: "s3://lake" }).queries?.(directory, {}) ?? Effect.die("none")
        const failed = yield* Effect.flip(rowsOf(queries, "SELECT url FROM pages"))
        expect(failed.message).toContain("the bucket does not answer")
        isDown = false

        expect(yield* rowsOf(queries, "SELECT url FROM pages")).toEqual([{ url: "/a" }])
      })
    ).pipe(Effect.provide(store))
  })
)

it.effect("a lake that somebody else has made leads to no file outside of it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = [{ url: "/1", title: "t", version: 1 }]
    yield* Effect.provide(load(directory, "run", { rows, write: "append", at: 1 }), stores)
    yield* Effect.promise(async () => {
      const manifest = join(directory, "lake", "_manifest", "000000000001.json")
      const text = await readFile(manifest, "utf8")
      const [, path = ""] = /"path":\s*"(pages[^"]+)"/.exec(text) ?? []
      await rename(join(directory, "lake", path), join(directory, "private.parquet"))
      // A digest of theirs would hold: it is no signature.
      const theirs = text.replaceAll(path, "../private.parquet").replace(/,"digest":"\w+"\}/, "}")
      await writeFile(manifest, theirs)
    })

    const asking = parquet.with({ path: "lake" }).queries?.(directory, {}) ?? Effect.die("none")
    const refused = yield* Effect.flip(Effect.scoped(Effect.provide(asking, stores)))
    expect(refused.message).toContain("is not a manifest of this version of millrace")
  })
)
