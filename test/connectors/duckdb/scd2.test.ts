import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { isEveryCase } from "../../thoroughness.ts"
import { askSql } from "./askSql.ts"
import { readTable } from "./readTable.ts"
import { runSql } from "./runSql.ts"
import { visit, withRun } from "./visit.ts"

// In a sample `merge.test.ts` shows what does not fit, and the laws of a sink show its histories.
it.live.runIf(isEveryCase)("keeps versions of more than fits into its memory, those that changed and no others", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const count = 60_000
    const text = (at: number, version: number) => `${version} of ${at} `.repeat(300)
    const visit = (run: number, changed: (at: number) => boolean) =>
      Effect.scoped(
        Effect.gen(function* () {
          const writer = yield* duckdb.with({ path: "w.duckdb", removed: "close" }).open({
            pipeline: "p",
            runId: `run-${run}`,
            directory,
            evolve: true,
            tables: [{ table: pages, write: "scd2", fingerprint: ["title"] }]
          })
          // The last hundred are gone from the second run on.
          for (let from = 0; from < (run === 1 ? count : count - 100); from += 100) {
            const rows = Array.from({ length: 100 }, (_, at) => from + at).map((at) => ({
              url: `/${at}`,
              title: text(at, changed(at) ? run : 1),
              version: run
            }))
            yield* writer.write(Table.batch(pages, rows))
          }
          return yield* writer.commit({
            checkpoint: { runId: `run-${run}`, state: run },
            run: { runId: `run-${run}`, pipeline: "p", startedAt: BigInt(run), committedAt: 9n, facts: {}, rows: {} },
            checks: [],
            complete: true
          })
        })
      )
    const first = yield* visit(1, () => true)
    const second = yield* visit(2, (at) => at % 10 === 0)
    const third = yield* visit(3, (at) => at % 10 === 0)

    expect([first, second, third].map(({ rows }) => rows["pages"])).toEqual([count, count / 10 - 10, count / 10 - 10])
    const columns = [...pages.columns, ...Sink.historyColumns].filter(({ name }) => name !== "title")
    const versions = yield* readTable(join(directory, "w.duckdb"), { ...pages, columns })
    const of = (url: string) =>
      versions
        .filter((row) => row["url"] === url)
        .map((row) => `${row["version"]} from ${row["valid_from"]} to ${row["valid_to"]}`)
    expect(versions).toHaveLength(count + 2 * (count / 10 - 10))
    expect(of("/7")).toEqual(["1 from 1 to null"])
    expect(of("/70").toSorted()).toEqual(["1 from 1 to 2", "2 from 2 to 3", "3 from 3 to null"])
    expect(of(`/${count - 1}`)).toEqual(["1 from 1 to 2"])
  })
)

it.effect("a version that is written again keeps what somebody has written into a column of theirs", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const [file, table] = [join(directory, "w.duckdb"), withRun(pages)]
    const load = (version: number) =>
      visit({
        directory,
        run: "run-1",
        write: "scd2",
        fingerprint: ["version"],
        rows: [[table, [{ url: "/a", title: null, version }]]]
      })
    yield* load(1)
    yield* runSql(file, ["ALTER TABLE pages ADD COLUMN note VARCHAR", "UPDATE pages SET note = 'mine'"])

    yield* load(2)

    expect(yield* askSql(file, "SELECT url, version, note, valid_to FROM pages")).toEqual(["/a 2 mine null"])
  })
)
