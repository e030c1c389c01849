import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Table from "#engine/Table"
import * as Sink from "#library/Sink"
import * as CrashSuite from "#testing/CrashSuite"
import { folder } from "#testing/folder"
import { commitOf, page } from "#testing/SinkBench"
import * as SinkSuite from "#testing/SinkSuite"
import { pages } from "#testing/specimens"
import { timesOf } from "../thoroughness.ts"
import { filePerCommit } from "./filePerCommit.ts"

const destination = () => filePerCommit.with({ path: "rows" })

SinkSuite.suite("a simple sink that says what is in", { destination })

CrashSuite.suite("a simple sink that says what is in", {
  script: fileURLToPath(new URL("crashing.ts", import.meta.url)),
  destination,
  read: (directory, table) => destination().rows(directory, table),
  layer: Layer.empty,
  kills: timesOf(1, 3, 20)
})

/** A destination in memory whose answers get lost: before the rows are in, or after. */
const lossy = () => {
  const commits = new Map<string, ReadonlyArray<unknown>>()
  const asked: Array<string> = []
  const state: { lost: "before" | "after" | undefined } = { lost: undefined }
  const sink = Sink.simple({
    type: "lossy",
    batch: (_, { rows }) => rows,
    commit: (_, { commitId, pieces }) => {
      if (state.lost === "before") throw new Error("the connection was reset")
      commits.set(commitId, pieces.flat())
      if (state.lost === "after") throw new Error("the connection was reset")
    },
    committed: (_, { commitId, pipeline, runId }) => {
      asked.push(`${pipeline} ${runId}`)
      return commits.has(commitId)
    }
  }).with({})
  const load = (directory: string, runId: string) =>
    Effect.scoped(
      Effect.gen(function* () {
        const plan = { pipeline: "suite", runId, directory, evolve: true }
        const writer = yield* sink.open({ ...plan, tables: [{ table: pages, write: "append" }] })
        yield* writer.write(Table.batch(pages, [page("/a", 1)]))
        yield* writer.commit(commitOf(runId, runId))
      })
    )
  const resume = (directory: string) =>
    Effect.scoped(
      Effect.map(
        sink.open({ pipeline: "suite", runId: "look", directory, evolve: true, tables: [] }),
        (writer) => writer.resume
      )
    )
  return { asked, commits, load, resume, sink, state }
}

it.effect(
  "a commit that is in, though its answer was lost, is a commit: its run is listed, and the next resumes after it",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { asked, commits, load, resume, sink, state } = lossy()
      yield* load(directory, "run-1")
      expect(asked).toEqual([])
      state.lost = "after"

      const error = yield* Effect.flip(load(directory, "run-2"))

      expect(error.message).toBe("cannot commit: the connection was reset")
      expect((yield* sink.runs(directory)).map(({ runId }) => runId)).toEqual(["run-1", "run-2"])
      expect(yield* resume(directory)).toEqual(Option.some({ runId: "run-2", state: "run-2" }))
      expect(asked).toEqual(["suite run-2", "suite run-2"])
      state.lost = undefined
      yield* load(directory, "run-3")
      expect((yield* sink.runs(directory)).map(({ runId }) => runId)).toEqual(["run-1", "run-2", "run-3"])
      expect(commits.size).toBe(3)
    })
)

it.effect("a commit that is not in counts for nothing, and the run before it stays the last", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const { commits, load, resume, sink, state } = lossy()
    yield* load(directory, "run-1")
    state.lost = "before"

    yield* Effect.flip(load(directory, "run-2"))

    expect((yield* sink.runs(directory)).map(({ runId }) => runId)).toEqual(["run-1"])
    expect(yield* resume(directory)).toEqual(Option.some({ runId: "run-1", state: "run-1" }))
    expect(commits.size).toBe(1)
    expect(sink.lacks).toEqual(["columns", "names", "again", "details", "shared", "read"])
  })
)
