/** The laws of what a destination keeps of a run beside its record: the checks and the profiles of its last commit. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ColumnProfile } from "#engine/ColumnProfile"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { commitOf, type Law, law, page } from "../SinkBench.ts"
import { runPages, tablesOf } from "../visits.ts"

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
