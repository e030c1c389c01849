import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import * as Table from "../../../src/pipeline/Table.ts"
import { folder } from "../../../src/testing/folder.ts"
import { links, pages } from "../../../src/testing/specimens.ts"
import { readTable } from "./readTable.ts"

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
