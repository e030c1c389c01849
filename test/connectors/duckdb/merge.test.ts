import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { duckdb } from "#connectors/duckdb/index"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { links, pages } from "#testing/specimens"
import { isEveryCase } from "../../thoroughness.ts"
import { askSql } from "./askSql.ts"
import { readTable } from "./readTable.ts"
import { visit, withRun } from "./visit.ts"

it.live("tells versions and their children apart in a commit of any size", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const tables = [pages, links].map((table) => ({ table, write: "merge" as const }))
    const each = 500
    yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* duckdb
          .with({ path: "out.duckdb" })
          .open({ pipeline: "p", runId: "run", directory, evolve: true, tables })
        for (const version of [1, 2]) {
          for (let from = 0; from < 20_000; from += each) {
            const urls = Array.from({ length: each }, (_, at) => `/${from + at}`)
            yield* writer.write(
              Table.batch(
                pages,
                urls.map((url) => ({ url, title: "t".repeat(300), version }))
              )
            )
            yield* writer.write(
              Table.batch(
                links,
                urls.map((url) => ({ page_url: url, at: version, href: "#" }))
              )
            )
          }
        }
        yield* writer.commit({
          checkpoint: { runId: "run", state: 1 },
          run: { runId: "run", pipeline: "p", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
          checks: [],
          complete: true
        })
      })
    )
    const file = join(directory, "out.duckdb")
    const versions = (yield* readTable(file, pages)).map((row) => Number(row["version"]))
    const children = (yield* readTable(file, links)).map((row) => Number(row["at"]))

    expect([versions.length, new Set(versions)]).toEqual([20_000, new Set([2])])
    expect([children.length, new Set(children)]).toEqual([20_000, new Set([2])])
  })
)

it.live(
  "pages of thousands of links are merged whatever DuckDB may hold, and once more where that was too little",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const linked = withRun(
        Table.make({
          name: "linked",
          description: "pages with their links",
          schema: Schema.Struct({ url: Schema.String, title: Schema.String, links: Schema.Array(Schema.String) }),
          key: ["url"]
        })
      )
      const hrefs = Array.from(
        { length: 15_000 },
        (_, at) => `https://docs.example.org/java/api/package/Class${at}.html`
      )
      const rows = (title: string, links: ReadonlyArray<string>) =>
        Array.from({ length: 120 }, (_, at) => ({ url: `/${at}`, title, links }))
      const load = (run: string, some: ReadonlyArray<Table.Row>) =>
        Effect.map(
          visit({ directory, run, write: "merge", rows: [[linked, some]] }),
          ({ tables }) => tables?.["linked"]
        )
      const counted = { received: 120, superseded: 0, kept: 0 }

      expect(yield* load("run-1", rows("a", hrefs))).toEqual({ ...counted, written: 120, unchanged: 0 })
      expect(yield* load("run-2", rows("a", hrefs))).toEqual({ ...counted, written: 0, unchanged: 120 })
      // These rows are small, and those that they are held against do not fit into what small rows need.
      expect(yield* load("run-3", rows("b", ["#"]))).toEqual({ ...counted, written: 120, unchanged: 0 })

      const sql = "SELECT title, count(*), sum(len(links)), any_value(_run_id) FROM linked GROUP BY title"
      expect(yield* askSql(join(directory, "w.duckdb"), sql)).toEqual(["b 120 120 run-3"])
    })
)

it.live.runIf(isEveryCase)("the children of a page that are the same stay untouched, by the hundred thousand", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const [parents, children] = [withRun(pages), withRun({ ...links, key: ["page_url", "at"] })]
    const load = (run: string, href: (page: number, at: number) => string) =>
      visit({
        directory,
        run,
        write: "merge",
        rows: [
          [parents, Array.from({ length: 20 }, (_, at) => ({ url: `/${at}`, title: null, version: 1 }))],
          [
            children,
            Array.from({ length: 20 }, (_, page) =>
              Array.from({ length: 15_000 }, (_, at) => ({ page_url: `/${page}`, at, href: href(page, at) }))
            ).flat()
          ]
        ]
      })
    yield* load("run-1", (_, at) => `#${at}`)
    const { tables } = yield* load("run-2", (page, at) => (page === 7 && at % 1000 === 0 ? "new" : `#${at}`))

    expect(tables).toEqual({
      pages: { received: 20, written: 0, unchanged: 20, superseded: 0, kept: 0 },
      links: { received: 300_000, written: 15, unchanged: 299_985, superseded: 0, kept: 0 }
    })
    expect(
      yield* askSql(join(directory, "w.duckdb"), "SELECT _run_id, count(*) FROM links GROUP BY ALL ORDER BY ALL")
    ).toEqual(["run-1 299985", "run-2 15"])
  })
)
