import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { postgres } from "#connectors/postgres/index"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { links, pages, visited } from "#testing/specimens"
import { databaseUrl, placeOf } from "./database.ts"
import { query, readTable } from "./readTable.ts"
import { commitOf, planOf, visit } from "./visit.ts"

const url = await databaseUrl()

describe.skipIf(url === undefined)("merge in Postgres", () => {
  it.effect("takes the last of each key with its children in every commit of a run", () =>
    Effect.gen(function* () {
      const place = placeOf(url ?? "", yield* folder)
      const of = {
        place,
        run: "run-1",
        write: "merge",
        rows: [
          [pages, []],
          [links, []]
        ]
      } as const
      const counts = yield* Effect.scoped(
        Effect.gen(function* () {
          const writer = yield* postgres.with(place).open(planOf(of))
          const commits = []
          for (const first of [1, 10]) {
            for (const version of [first, first + 1]) {
              yield* writer.write(
                Table.batch(
                  pages,
                  ["/a", "/b"].map((url) => ({ url, title: null, version }))
                )
              )
              yield* writer.write(
                Table.batch(links, [
                  { page_url: "/a", at: version, href: "#" },
                  { page_url: "/b", at: version, href: "#" }
                ])
              )
            }
            commits.push((yield* writer.commit(commitOf(of))).tables)
          }
          return commits
        })
      )

      const each = { received: 4, written: 2, unchanged: 0, superseded: 2, kept: 0 }
      expect(counts).toEqual([
        { pages: each, links: each },
        { pages: each, links: each }
      ])
      const found = yield* readTable(place, links)
      expect(found.map(({ at, page_url }) => `${page_url} ${at}`).toSorted()).toEqual(["/a 11", "/b 11"])
    })
  )

  it.effect("changes a row in its place, so that a number of somebody's own and what refers to it stay", () =>
    Effect.gen(function* () {
      const place = placeOf(url ?? "", yield* folder)
      const ask = (sql: string) => Effect.promise(() => query(place.url, sql.replaceAll("$", place.schema)))
      const load = (run: string, version: number) =>
        visit({ place, run, write: "merge", rows: [[pages, [{ url: "/a", title: "A", version }]]] })
      yield* load("run-1", 1)
      yield* ask(`ALTER TABLE $.pages ADD COLUMN mine bigint GENERATED ALWAYS AS IDENTITY (START WITH 7);
        CREATE TABLE $.notes (of text REFERENCES $.pages (url), note text); INSERT INTO $.notes VALUES ('/a', 'good')`)

      yield* load("run-2", 2)

      expect(yield* ask("SELECT version, mine, note FROM $.pages JOIN $.notes ON of = url")).toEqual([
        { version: "2", mine: "7", note: "good" }
      ])
    })
  )

  it.effect("does not count what describes the visit, also in JSON with U+0000", () =>
    Effect.gen(function* () {
      const place = placeOf(url ?? "", yield* folder)
      const row = (path: string, metadata: unknown, at: number) => ({
        url: path,
        title: "same",
        metadata,
        elapsed_ms: at,
        _run_id: `run-${at}`,
        _fetched_at: BigInt(at)
      })
      const load = (at: number, rows: ReadonlyArray<Table.Row>) =>
        Effect.map(
          visit({ place, run: `run-${at}`, write: "merge", rows: [[visited, rows]] }),
          ({ tables }) => tables["visited"]
        )
      yield* load(1, [
        row("/a", { etag: 1, lang: "en" }, 1),
        row("/b", { etag: 1, text: "\u0000" }, 1),
        row("/c", [1], 1)
      ])
      const second = yield* load(2, [
        row("/a", { etag: 2, lang: "en" }, 2),
        row("/b", { etag: 1, text: "\u0000" }, 2),
        row("/c", [2], 2)
      ])

      expect(second).toMatchObject({ written: 1, unchanged: 2 })
    })
  )
})
