/**
 * The laws of a sink about tables that several pipelines write: each changes, replaces and closes its own rows alone.
 */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, commitOf, type Law, law } from "../SinkBench.ts"
import { seenLinks, seenPages, sharedPages, tablesOf, type Visit, visit, write } from "../visits.ts"

const share = <R>(bench: Bench<R>, pipeline: string, of: Omit<Visit, "pipeline" | "shared">) =>
  visit(bench, { ...of, pipeline, shared: true })

/** Every version: "first /a 1 from 5", and "first /a 1 from 5 to 9" where it has ended. */
const history = <R>({ rows }: Bench<R>) =>
  Effect.map(rows(Table.extend(sharedPages, Sink.historyColumns)), (rows) =>
    rows
      .map((row) => {
        const version = `${row["_pipeline"]} ${row["url"]} ${row["version"]} from ${row["valid_from"]}`
        return row["valid_to"] === null ? version : `${version} to ${row["valid_to"]}`
      })
      .toSorted()
  )

/** Several in one table, each by itself. */
export const sinkSharingLaws: ReadonlyArray<Law> = [
  law("pipelines that share a table append side by side, and each goes on where it was", (bench) =>
    Effect.gen(function* () {
      yield* share(bench, "first", { run: "run-1", write: "append", pages: { "/a": 1 } })
      yield* share(bench, "second", { run: "run-2", write: "append", pages: { "/a": 2 } })
      yield* share(bench, "first", { run: "run-1", write: "append", pages: { "/b": 1 }, again: true })

      expect(yield* seenPages(bench, true)).toEqual(["first /b 1 run-1", "second /a 2 run-2"])
      expect((yield* bench.owners)["pages"]).toBe("first")
      for (const [pipeline, state] of [
        ["first", "run-1"],
        ["second", "run-2"]
      ] as const) {
        const of = { write: "append", shared: true } as const
        const resume = yield* bench.session("look", tablesOf(of), (writer) => Effect.succeed(writer.resume), {
          pipeline,
          shared: true
        })
        expect(resume).toMatchObject({ value: { state } })
      }
    })
  ),

  law(
    "in a shared table replace removes one's own rows, with their children, and tells what columns are there",
    (bench) =>
      Effect.gen(function* () {
        const links = { "/a": [1], "/b": [1] }
        yield* share(bench, "first", { run: "run-1", write: "replace", pages: { "/a": 1, "/b": 1 }, links })
        yield* share(bench, "second", { run: "run-2", write: "replace", pages: { "/a": 2, "/b": 2 }, links })
        const both = yield* seenPages(bench, true)
        expect(both).toEqual(["first /a 1 run-1", "first /b 1 run-1", "second /a 2 run-2", "second /b 2 run-2"])

        const result = yield* share(bench, "first", {
          run: "run-3",
          write: "replace",
          pages: { "/a": 3 },
          links: { "/a": [3] }
        })
        expect(yield* seenPages(bench, true)).toEqual(["first /a 3 run-3", "second /a 2 run-2", "second /b 2 run-2"])
        expect(yield* seenLinks(bench, true)).toEqual(["first /a 3 run-3", "second /a 1 run-2", "second /b 1 run-2"])
        expect(result.tables).toMatchObject({ pages: { written: 1, kept: 0 }, links: { written: 1, kept: 0 } })

        yield* share(bench, "second", { run: "run-4", write: "replace", pages: {} })
        expect(yield* seenPages(bench, true)).toEqual(["first /a 3 run-3"])
        expect(yield* seenLinks(bench, true)).toEqual(["first /a 3 run-3"])
      }),
    "replace"
  ),

  law(
    "in a shared table an interval of a backfill replaces the rows of its pipeline, and of no other",
    (bench) =>
      Effect.gen(function* () {
        const links = { "/a": [1], "/b": [1] }
        yield* share(bench, "first", { run: "run-1", write: "replace", pages: { "/a": 1, "/b": 1 }, links })
        yield* share(bench, "second", { run: "run-2", write: "replace", pages: { "/a": 2 }, links: { "/a": [2] } })

        const result = yield* share(bench, "first@20260101T000000Z..20260201T000000Z", {
          run: "run-3",
          write: "replace",
          pages: { "/a": 3 },
          links: { "/a": [3] }
        })

        expect(yield* seenPages(bench, true)).toEqual(["first /a 3 run-3", "second /a 2 run-2"])
        expect(yield* seenLinks(bench, true)).toEqual(["first /a 3 run-3", "second /a 2 run-2"])
        expect(result.tables).toMatchObject({ pages: { written: 1, kept: 0 }, links: { written: 1, kept: 0 } })
      }),
    "replace"
  ),

  law(
    "in a shared table a run that is not complete, or keeps, does so with its own rows",
    (bench) =>
      Effect.gen(function* () {
        const links = { "/a": [1], "/b": [1], "/c": [1] }
        const pages = { "/a": 1, "/b": 1, "/c": 1 }
        yield* share(bench, "first", { run: "run-1", write: "replace", pages, links })
        yield* share(bench, "second", { run: "run-2", write: "replace", pages, links })

        const broken = yield* share(bench, "first", {
          run: "run-3",
          write: "replace",
          pages: { "/a": 3 },
          complete: false
        })
        expect(broken.tables).toMatchObject({ pages: { written: 1, kept: 2 }, links: { written: 0, kept: 2 } })
        const others = ["second /a 1 run-2", "second /b 1 run-2", "second /c 1 run-2"]
        expect(yield* seenPages(bench, true)).toEqual([
          "first /a 3 run-3",
          "first /b 1 run-1",
          "first /c 1 run-1",
          ...others
        ])
        expect(yield* seenLinks(bench, true)).toEqual(["first /b 1 run-1", "first /c 1 run-1", ...others])

        const keeping = yield* share(bench, "first", { run: "run-4", write: "replace", pages: {}, kept: ["/b"] })
        expect(keeping.tables).toMatchObject({ pages: { written: 0, kept: 1 }, links: { written: 0, kept: 1 } })
        expect(yield* seenPages(bench, true)).toEqual(["first /b 1 run-1", ...others])
        expect(yield* seenLinks(bench, true)).toEqual(["first /b 1 run-1", ...others])
      }),
    "replace"
  ),

  law(
    "in a shared table merge replaces one's own rows of a key, and their children",
    (bench) =>
      Effect.gen(function* () {
        const links = { "/a": [1] }
        yield* share(bench, "first", { run: "run-1", write: "merge", pages: { "/a": 1 }, links })
        yield* share(bench, "second", { run: "run-2", write: "merge", pages: { "/a": 1, "/b": 1 }, links })
        yield* share(bench, "first", {
          run: "run-3",
          write: "merge",
          pages: { "/a": 3, "/b": 1 },
          links: { "/a": [3] }
        })

        expect(yield* seenPages(bench, true)).toEqual([
          "first /a 3 run-3",
          "first /b 1 run-3",
          "second /a 1 run-2",
          "second /b 1 run-2"
        ])
        expect(yield* seenLinks(bench, true)).toEqual(["first /a 3 run-3", "second /a 1 run-2"])
      }),
    "merge"
  ),

  law(
    "in a shared history a run closes one's own keys that it did not see, and those of others never",
    (bench) =>
      Effect.gen(function* () {
        const see = (pipeline: string, at: number, pages: Visit["pages"], more: Partial<Visit> = {}) =>
          share(bench, pipeline, { run: `run-${pipeline}-${at}`, write: "scd2", pages, at: BigInt(at), ...more })
        yield* see("first", 1, { "/a": 1, "/b": 1, "/c": 1 })
        yield* see("second", 2, { "/a": 1, "/b": 1 })
        yield* see("first", 3, { "/a": 2 }, { kept: ["/b"] })
        expect(yield* history(bench)).toEqual([
          "first /a 1 from 1 to 3",
          "first /a 2 from 3",
          "first /b 1 from 1",
          "first /c 1 from 1 to 3",
          "second /a 1 from 2",
          "second /b 1 from 2"
        ])

        yield* see("second", 4, {})
        expect((yield* history(bench)).filter((row) => row.startsWith("second"))).toEqual([
          "second /a 1 from 2 to 4",
          "second /b 1 from 2 to 4"
        ])
        expect((yield* history(bench)).filter((row) => row.startsWith("first"))).toHaveLength(4)
      }),
    "scd2",
    "close"
  ),

  law(
    "in a shared history a run that is written again opens what it had closed itself, and nothing that another closed",
    (bench) =>
      Effect.gen(function* () {
        const see = (pipeline: string, at: number, pages: Visit["pages"], again = false) =>
          share(bench, pipeline, { run: `run-${pipeline}-${at}`, write: "scd2", pages, at: BigInt(at), again })
        for (const pipeline of ["first", "second"]) yield* see(pipeline, 1, { "/a": 1, "/b": 1 })
        // Both runs begin in one moment.
        for (const pipeline of ["first", "second"]) yield* see(pipeline, 2, { "/a": 1 })
        const closed = ["first /a 1 from 1", "first /b 1 from 1 to 2", "second /a 1 from 1", "second /b 1 from 1 to 2"]
        expect(yield* history(bench)).toEqual(closed)

        yield* see("first", 2, { "/a": 1, "/b": 1 }, true)
        expect(yield* history(bench)).toEqual([
          "first /a 1 from 1",
          "first /b 1 from 1",
          "second /a 1 from 1",
          "second /b 1 from 1 to 2"
        ])
      }),
    "scd2",
    "close"
  ),

  law(
    "several commits of one run of a shared table remove what is one's own, once",
    (bench) =>
      Effect.gen(function* () {
        const of = { write: "replace", shared: true } as const
        for (const pipeline of ["first", "second"]) {
          yield* share(bench, pipeline, { run: `run-${pipeline}`, write: "replace", pages: { "/a": 1, "/b": 1 } })
        }
        yield* bench.session(
          "run-3",
          tablesOf(of),
          (writer) =>
            Effect.gen(function* () {
              yield* write(writer, { ...of, run: "run-3", pipeline: "first", pages: { "/c": 3 } })
              yield* write(writer, { ...of, run: "run-3", pipeline: "first", pages: { "/d": 3 } })
              yield* writer.commit({ ...commitOf("run-3", 3), complete: false })
            }),
          { pipeline: "first", shared: true }
        )

        expect(yield* seenPages(bench, true)).toEqual([
          "first /c 3 run-3",
          "first /d 3 run-3",
          "second /a 1 run-second",
          "second /b 1 run-second"
        ])
      }),
    "replace"
  )
]
