/**
 * The laws of a sink about owners: a table belongs to one pipeline, and the run of another pipeline is refused at open.
 */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ColumnProfile } from "#engine/ColumnProfile"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, commitOf, type Law, law, needing, page } from "../SinkBench.ts"
import { runPages, seenPages, tablesOf, type Visit, visit } from "../visits.ts"

const backfill = "20260101T000000Z..20260201T000000Z"

/** The message that refuses a run before it writes anything. */
const refusal = <R>(bench: Bench<R>, of: Pick<Visit, "run" | "write" | "pipeline" | "shared">) =>
  Effect.map(
    Effect.flip(
      Effect.scoped(
        bench.open(of.run, tablesOf(of), {
          ...(of.pipeline === undefined ? {} : { pipeline: of.pipeline }),
          ...(of.shared === undefined ? {} : { shared: of.shared })
        })
      )
    ),
    ({ message }) => message
  )

/** Only the owner of a table writes to it. */
export const sinkOwnerLaws: ReadonlyArray<Law> = [
  law(
    "a table belongs to the pipeline that wrote it first: another's is refused at open, and nothing changes",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, { run: "run-1", pipeline: "first", write: "append", pages: { "/a": 1 } })
        expect(yield* bench.owners).toEqual({ pages: "first", links: "first" })

        const message = yield* refusal(bench, { run: "run-2", pipeline: "second", write: "append" })
        expect(message).toContain("table pages")
        expect(message).toContain("belongs to the pipeline first")

        yield* visit(bench, { run: "run-3", pipeline: "first", write: "append", pages: { "/b": 1 } })
        expect(yield* seenPages(bench)).toEqual(["/a 1 run-1", "/b 1 run-3"])
        expect(yield* bench.owners).toEqual({ pages: "first", links: "first" })
      })
  ),

  law(
    "a table of another pipeline is not replaced either",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, { run: "run-1", pipeline: "first", write: "replace", pages: { "/a": 1 } })

        const message = yield* refusal(bench, { run: "run-2", pipeline: "second", write: "replace" })
        expect(message).toContain("belongs to the pipeline first")
        expect(yield* seenPages(bench)).toEqual(["/a 1 run-1"])
      }),
    "replace"
  ),

  law("pipelines that write tables of their own write side by side", (bench) =>
    Effect.gen(function* () {
      const others = { ...runPages, name: "others" }
      yield* visit(bench, { run: "run-1", pipeline: "first", write: "append", pages: { "/a": 1 } })
      const row = { url: "/b", title: null, version: 2, _run_id: "run-2" }
      yield* bench.load("run-2", others, "append", [row], 1, { pipeline: "second" })

      expect(yield* bench.owners).toEqual({ pages: "first", links: "first", others: "second" })
      expect(yield* seenPages(bench)).toEqual(["/a 1 run-1"])
      expect(yield* bench.rows(others)).toHaveLength(1)
    })
  ),

  law("what was not committed belongs to nobody", (bench) =>
    Effect.gen(function* () {
      expect(yield* bench.owners).toEqual({})
      yield* bench.session(
        "run-1",
        [[runPages, "append"]],
        (writer) => writer.write(Table.batch(runPages, [{ url: "/a", title: null, version: 1, _run_id: "run-1" }])),
        { pipeline: "first" }
      )
      expect(yield* bench.owners).toEqual({})

      yield* visit(bench, { run: "run-2", pipeline: "second", write: "append", pages: { "/b": 1 } })
      expect(yield* bench.owners).toEqual({ pages: "second", links: "second" })
      expect(yield* seenPages(bench)).toEqual(["/b 1 run-2"])
    })
  ),

  law("a backfill of a pipeline is that pipeline, and no other's", (bench) =>
    Effect.gen(function* () {
      const write = "append"
      yield* visit(bench, { run: "run-1", pipeline: `first@${backfill}`, write, pages: { "/a": 1 } })
      expect(yield* bench.owners).toEqual({ pages: "first", links: "first" })

      yield* visit(bench, { run: "run-2", pipeline: "first", write, pages: { "/b": 1 } })
      for (const pipeline of [`second@${backfill}`, "second", "first@else"]) {
        expect(yield* refusal(bench, { run: "run-3", pipeline, write })).toContain("belongs to the pipeline first")
      }
      yield* visit(bench, { run: "run-4", pipeline: `first@${backfill}`, write, pages: { "/c": 1 } })
      expect(yield* seenPages(bench)).toEqual(["/a 1 run-1", "/b 1 run-2", "/c 1 run-4"])
    })
  ),

  ...needing("shared", [
    law(
      "a table is shared by those that all say so: nobody else gets into it, and it does not become shared",
      (bench) =>
        Effect.gen(function* () {
          const write = "append"
          yield* visit(bench, { run: "run-1", pipeline: "first", write, pages: { "/a": 1 } })
          const alone = yield* refusal(bench, { run: "run-2", pipeline: "second", write, shared: true })
          expect(alone).toContain("table pages")
          expect(alone).toContain("shared: true")
          expect(yield* seenPages(bench)).toEqual(["/a 1 run-1"])
        })
    ),

    law("a shared table is refused to a pipeline that does not share it", (bench) =>
      Effect.gen(function* () {
        const write = "append"
        yield* visit(bench, { run: "run-1", pipeline: "first", write, shared: true, pages: { "/a": 1 } })

        for (const pipeline of ["first", "second"]) {
          expect(yield* refusal(bench, { run: "run-2", pipeline, write })).toContain("shared: true")
        }
        expect(yield* seenPages(bench, true)).toEqual(["first /a 1 run-1"])
      })
    )
  ])
]

const profile = (column: string, filled: number): ColumnProfile => ({
  table: "pages",
  column,
  type: "VARCHAR",
  rows: 2,
  filled,
  distinct: filled,
  distinct_exact: true,
  length: { min: 1, mean: 1.5, max: 2 },
  min: null,
  max: null,
  mean: null,
  quantiles: null,
  top: [{ value: "it's “quoted” \\ and\nlong", count: filled }]
})

const check = (found: string): Sink.CheckRecord => ({ check: "not_null: url", table: "pages", passed: true, found })

/**
 * The laws of what a destination keeps of a run beside its record: the checks and the profiles of its last commit.
 */
export const sinkDetailsLaws: ReadonlyArray<Law> = [
  law("the checks and profiles of the last commit of a run are read back, and those of no other run", (bench) =>
    Effect.gen(function* () {
      const commit = (run: string, filled: number, found: string) =>
        bench.session(run, tablesOf({ write: "append" }), (writer) =>
          Effect.gen(function* () {
            yield* writer.write(Table.batch(runPages, [{ ...page("/a", filled), _run_id: run }]))
            yield* writer.commit({ ...commitOf(run, run), checks: [check("early")] })
            const profiles = [profile("url", filled), profile("title", 0)]
            yield* writer.commit({ ...commitOf(run, run), checks: [check(found)], profiles })
          })
        )
      const before = yield* bench.details(["run-1"])
      yield* commit("run-1", 1, "one")
      yield* commit("run-2", 2, "two")
      const details = yield* bench.details(["run-2", "run-1", "run-0"])

      // A destination may keep neither.
      if (details === undefined) return
      expect(before?.flatMap(({ checks, profiles }) => [...checks, ...profiles])).toEqual([])
      const known = details.filter(({ checks }) => checks.length > 0)
      expect(known.map(({ checks, profiles, runId }) => ({ runId, checks, profiles }))).toEqual([
        { runId: "run-2", checks: [check("two")], profiles: [profile("url", 2), profile("title", 0)] },
        { runId: "run-1", checks: [check("one")], profiles: [profile("url", 1), profile("title", 0)] }
      ])
    })
  )
]
