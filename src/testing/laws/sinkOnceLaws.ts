/** The law of a sink about callers' keys: a run is found by its key. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Table from "#engine/Table"
import { commitOf, type Law, law, page } from "../SinkBench.ts"
import { pages } from "../specimens.ts"

/** If a run has committed under a key, a caller with this key makes no second run. */
export const sinkOnceLaws: ReadonlyArray<Law> = [
  law("a run is found by its caller's key, in its own pipeline, from its commit on", (bench) =>
    Effect.gen(function* () {
      const load = (runId: string, pipeline: string, once?: string) =>
        bench.session(
          runId,
          [[pages, "append"]],
          (writer) =>
            Effect.gen(function* () {
              yield* writer.write(Table.batch(pages, [page("/a", 1)]))
              const { run, ...rest } = commitOf(runId, 1)
              yield* writer.commit({ ...rest, run: { ...run, pipeline, ...(once === undefined ? {} : { once }) } })
            }),
          { pipeline }
        )
      const found = (pipeline: string, once: string) =>
        Effect.map(bench.ranOnce({ pipeline, once }), (run) => Option.getOrUndefined(run)?.runId)
      expect(yield* found("suite", "monday")).toBeUndefined()

      yield* load("run-1", "suite", "monday")
      yield* load("run-2", "suite")
      yield* load("run-3", "suite", 'it\'s "tuesday"')
      yield* load("run-4", "suite", "monday")

      expect(yield* found("suite", "monday")).toBe("run-4")
      expect(yield* found("suite", 'it\'s "tuesday"')).toBe("run-3")
      expect(yield* found("suite", "wednesday")).toBeUndefined()
      expect(yield* found("other", "monday")).toBeUndefined()
      expect((yield* bench.runs).map(({ once }) => once)).toEqual(["monday", undefined, 'it\'s "tuesday"', "monday"])
    })
  )
]
