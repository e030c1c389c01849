/** The laws of a sink about a run that is written again: its earlier rows are replaced, those of other runs stay. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, commitOf, type Law, law, page } from "../SinkBench.ts"
import { pages } from "../specimens.ts"

const notes = Table.make({
  name: "notes",
  description: "rows that name their run",
  schema: Schema.Struct({ id: Schema.String, text: Schema.NullOr(Schema.String), _run_id: Schema.String }),
  key: ["id"]
})

/** Writes notes in a commit for each group, as the engine does: every row with the id of its run. */
const write = <R>(
  { session }: Bench<R>,
  runId: string,
  how: Sink.WriteDisposition,
  groups: ReadonlyArray<ReadonlyArray<string>>,
  again = false
) =>
  session(
    runId,
    [[notes, how]],
    (writer) =>
      Effect.forEach(groups, (ids, at) =>
        Effect.gen(function* () {
          const rows = ids.map((id) => ({ id, text: `${id} of ${runId}`, _run_id: runId }))
          if (rows.length > 0) yield* writer.write(Table.batch(notes, rows))
          yield* writer.commit(commitOf(runId, at + 1))
        })
      ),
    again ? { again } : {}
  )

const ids = <R>({ seen }: Bench<R>) =>
  Effect.map(seen(notes), (rows) => rows.map((row) => `${row["id"]} ${row["_run_id"]}`).toSorted())

/** Writing a run twice has the same result as writing it once. */
export const sinkReplayLaws: ReadonlyArray<Law> = [
  law("a run that is written again leaves its rows once, and the others as they are", (bench) =>
    Effect.gen(function* () {
      yield* write(bench, "run-1", "append", [["a", "b"]])
      yield* write(bench, "run-2", "append", [["a", "c"]])
      yield* write(bench, "run-3", "append", [["d"]])

      yield* write(bench, "run-2", "append", [["c", "e"]], true)

      expect(yield* ids(bench)).toEqual(["a run-1", "b run-1", "c run-2", "d run-3", "e run-2"])
      expect((yield* bench.runs).map(({ runId }) => runId)).toEqual(["run-1", "run-3", "run-2"])
      expect((yield* bench.newestRuns(2)).map(({ runId }) => runId)).toEqual(["run-3", "run-2"])
      expect(yield* bench.newestRuns(9)).toEqual(yield* bench.runs)
    })
  ),

  law("a run that is not written again adds to what it left", (bench) =>
    Effect.gen(function* () {
      yield* write(bench, "run-1", "append", [["a"]])
      yield* write(bench, "run-1", "append", [["b"]])

      expect(yield* ids(bench)).toEqual(["a run-1", "b run-1"])
    })
  ),

  law("what makes way is the earlier writing, and none of the commits of this one", (bench) =>
    Effect.gen(function* () {
      yield* write(bench, "run-1", "append", [["a"], ["b"], ["c"]])

      yield* write(bench, "run-1", "append", [["a"], [], ["x"]], true)

      expect(yield* ids(bench)).toEqual(["a run-1", "x run-1"])
    })
  ),

  law("a run may be written again that was never written, and also with no rows", (bench) =>
    Effect.gen(function* () {
      yield* write(bench, "run-1", "append", [["a"]], true)
      expect(yield* ids(bench)).toEqual(["a run-1"])

      yield* write(bench, "run-1", "append", [[]], true)
      expect(yield* ids(bench)).toEqual([])
    })
  ),

  law("a run that is written again and does not commit leaves what was there", (bench) =>
    Effect.gen(function* () {
      yield* write(bench, "run-1", "append", [["a"]])
      yield* bench.session(
        "run-1",
        [[notes, "append"]],
        (writer) => writer.write(Table.batch(notes, [{ id: "b", text: null, _run_id: "run-1" }])),
        { again: true }
      )

      expect(yield* ids(bench)).toEqual(["a run-1"])
      const resume = yield* bench.session("look", [[notes, "append"]], (writer) => Effect.succeed(writer.resume))
      expect(resume).toEqual(Option.some({ runId: "run-1", state: 1 }))
    })
  ),

  law(
    "a replacing run that is written again is the table once",
    (bench) =>
      Effect.gen(function* () {
        yield* write(bench, "run-1", "replace", [["a", "b"]])
        yield* write(bench, "run-1", "replace", [["a", "c"]], true)

        expect(yield* ids(bench)).toEqual(["a run-1", "c run-1"])
      }),
    "replace"
  ),

  law(
    "a merging run that is written again leaves its rows once, and those of others where it has none",
    (bench) =>
      Effect.gen(function* () {
        yield* write(bench, "run-1", "merge", [["a", "b"]])
        yield* write(bench, "run-2", "merge", [["b", "c", "d"]])

        yield* write(bench, "run-2", "merge", [["c", "e"]], true)

        // The row that run-2 had written instead of "b" is removed with that run.
        expect(yield* ids(bench)).toEqual(["a run-1", "c run-2", "e run-2"])
      }),
    "merge"
  )
]

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
