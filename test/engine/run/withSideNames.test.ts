import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Pipeline from "#engine/Pipeline"
import type * as Sink from "#engine/Sink"
import { withSideNames } from "#engine/withSideNames"
import { emptyLog, pipelineOf, sinkOf, sourceOf, two } from "./scripted.ts"

const record = (rows: Record<string, number>, pipeline = "test"): Sink.RunRecord => ({
  runId: "1",
  pipeline,
  startedAt: 0n,
  committedAt: 0n,
  facts: {},
  rows
})

const namesWhere = (records: ReadonlyArray<Sink.RunRecord>, owners: Record<string, string> = {}, name = "memos") =>
  Effect.gen(function* () {
    const log = emptyLog()
    for (const run of records) {
      log.committed.push({ checkpoint: { runId: "1", state: 1 }, run, checks: [], complete: true })
    }
    const sinks = { here: sinkOf(log, { owners }).with({}) }
    const pipeline = yield* withSideNames(pipelineOf(sourceOf(() => two).with({}), sinks, { table: { name } }))
    return Pipeline.named(pipeline).map((table) => table.name)
  })

describe("tables beside the main one", () => {
  it.effect("follow its name, and name it as their parent", () =>
    Effect.gen(function* () {
      expect(yield* namesWhere([])).toEqual(["memos", "memos_lines"])
      expect(yield* namesWhere([], {}, "notes")).toEqual(["notes", "lines"])
      const [, child] = Pipeline.named(pipelineOf(sourceOf(() => two).with({}), {}, { table: { name: "memos" } }))
      expect(child?.parent).toEqual({ table: "memos", on: { note: "id" } })
    })
  )

  it.effect("keep their names where a run of an older version has them so beside this main table", () =>
    Effect.gen(function* () {
      expect(yield* namesWhere([record({ memos: 2, lines: 0 })])).toEqual(["memos", "lines"])
      expect(yield* namesWhere([record({ memos: 2, lines: 0 }, "other")])).toEqual(["memos", "memos_lines"])
    })
  )

  it.effect("keep their names where the destination says that both are ours", () =>
    Effect.gen(function* () {
      expect(yield* namesWhere([], { memos: "test", lines: "test" })).toEqual(["memos", "lines"])
      expect(yield* namesWhere([], { memos: "test", lines: "other" })).toEqual(["memos", "memos_lines"])
      expect(yield* namesWhere([], { memos: "test", lines: "test", memos_lines: "test" })).toEqual([
        "memos",
        "memos_lines"
      ])
    })
  )

  it.effect("go along where the main table gets a new name, and stay followed", () =>
    Effect.gen(function* () {
      expect(yield* namesWhere([record({ notes: 2, lines: 1 })])).toEqual(["memos", "memos_lines"])
      expect(yield* namesWhere([record({ notes: 2, lines: 1 }), record({ memos: 2, memos_lines: 1 })])).toEqual([
        "memos",
        "memos_lines"
      ])
    })
  )
})
