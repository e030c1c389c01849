import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { duckdb } from "#connectors/duckdb/index"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"

const [own, both] = [duckdb.with({ path: "w.duckdb" }), duckdb.with({ path: "w.duckdb", publish: "readers.duckdb" })]

const ranOnce = both.ranOnce ?? expect.fail("a DuckDB file knows the keys of its runs")

const load = (directory: string, version: number, destination: typeof own) =>
  Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* destination.open({
        pipeline: "p",
        runId: `run-${version}`,
        directory,
        evolve: true,
        tables: [{ table: pages, write: "merge" }]
      })
      yield* writer.write(Table.batch(pages, [{ url: "/", title: null, version }]))
      yield* writer.commit({
        checkpoint: { runId: `run-${version}`, state: version },
        run: {
          runId: `run-${version}`,
          pipeline: "p",
          startedAt: 0n,
          committedAt: 1n,
          facts: {},
          rows: {},
          once: `key-${version}`
        },
        checks: [],
        complete: true
      })
    })
  )

it.live("rows and runs are those of the published copy, where there is one, and of the file itself where not", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const versions = Effect.map(both.rows(directory, pages), (rows) => rows.map((row) => row["version"]))
    yield* load(directory, 1, own)
    expect(yield* versions).toEqual([1n])

    yield* load(directory, 2, both)
    yield* load(directory, 3, own)

    expect(yield* versions).toEqual([2n])
    expect((yield* both.runs(directory)).map(({ runId }) => runId)).toEqual(["run-1", "run-2"])
    // A key is done from the commit on, whether or not readers see it yet.
    expect(Option.isSome(yield* ranOnce(directory, { pipeline: "p", once: "key-3" }))).toBe(true)
    // A run that has the file open does not keep readers of the copy waiting.
    const seen = yield* Effect.scoped(
      Effect.andThen(
        own.open({
          pipeline: "p",
          runId: "run-4",
          directory,
          evolve: true,
          tables: [{ table: pages, write: "merge" }]
        }),
        versions
      )
    )
    expect(seen).toEqual([2n])
  })
)

it.effect("a file that is no database is refused, and says so", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.promise(() => Fs.writeFile(join(directory, "w.duckdb"), "notes"))

    const error = yield* Effect.flip(own.rows(directory, pages))

    expect(error.message).toContain("exists and is not a DuckDB database")
  })
)
