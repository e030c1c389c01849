import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Checkpoint from "#engine/Checkpoint"
import type * as Run from "#engine/Run"
import * as Sink from "#engine/Sink"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { type Elements, emptyLog, notes, pipelineOf, run, sinkOf, sourceOf, two } from "./scripted.ts"

/** A sink of which the test says only how it opens. */
const opening = (open: (plan: Sink.Plan) => Effect.Effect<Sink.Writer, Sink.SinkError>) =>
  Sink.make({
    type: "opening",
    description: "opens as it is told",
    options: Schema.Struct({ write: Sink.writeOption }),
    writes: ["append"],
    defaultWrite: () => "append",
    runs: () => Effect.succeed([]),
    rows: () => Effect.succeed([]),
    open: (_options, plan) => open(plan)
  })

describe("a run", () => {
  it.effect("writes every batch, then commits once with the last checkpoint, then closes", () =>
    Effect.gen(function* () {
      const log = emptyLog()

      const report = yield* run(pipelineOf(sourceOf(() => two).with({}), { here: sinkOf(log).with({}) }))

      expect(log.events).toEqual([
        "open notes:merge lines:merge notes__rejects:merge",
        'write notes [{"id":1},{"id":2}]',
        'write lines [{"note":1,"n":1}]',
        "commit",
        "close"
      ])
      expect(log.committed[0]?.checkpoint).toEqual({ runId: report.runId, state: 7 })
      expect(report.rows).toEqual({ notes: 2, lines: 1, notes__rejects: 0 })
      expect(report.accounting).toEqual(
        Option.some({ discovered: 3, loaded: 2, gone: 0, rejected: 0, failed: 0, blocked: 1, left: 0, dropped: 0 })
      )
    })
  )

  it.effect("gives each row the id of its run", () =>
    Effect.gen(function* () {
      const rows: Array<Table.Row> = []
      const watching = opening(() =>
        Effect.succeed({
          resume: Option.none(),
          columns: () => Option.none(),
          retainKeys: () => Effect.void,
          write: (batch) => Effect.sync(() => void rows.push(...batch.rows)),
          commit: () => Effect.succeed({ location: "", rows: {}, tables: {} })
        })
      )

      const report = yield* run(pipelineOf(sourceOf(() => two).with({}), { rows: watching.with({}) }))

      expect(rows.map(({ _run_id }) => _run_id)).toEqual([report.runId, report.runId, report.runId])
    })
  )

  it.effect("names and keys the main table as the user says, and its children follow", () =>
    Effect.gen(function* () {
      const plans: Array<Sink.Plan> = []
      const planned = opening((plan) => {
        plans.push(plan)
        return Effect.fail(new Sink.SinkError({ sink: "planned", message: "enough", retryable: false }))
      })
      const table = { name: "memos", key: ["id", "_run_id"] }
      yield* Effect.flip(run(pipelineOf(sourceOf(() => two).with({}), { planned: planned.with({}) }, { table })))

      const tables = plans[0]?.tables.map((plan) => plan.table) ?? []
      expect(tables.map(({ name, key }) => [name, key])).toEqual([
        ["memos", ["id", "_run_id"]],
        ["memos_lines", ["note", "n"]],
        ["memos__rejects", ["reject_id"]]
      ])
      expect(tables[1]?.parent).toEqual({ table: "memos", on: { note: "id" } })
      expect(tables.map(({ columns }) => columns.at(-1)?.name)).toEqual(["_run_id", "_run_id", "_run_id"])
    })
  )

  it.effect(
    "goes on from where its sinks stand; those at another place have a run of their own, the last ones first",
    () =>
      Effect.gen(function* () {
        const starts: Array<Option.Option<number>> = []
        const source = sourceOf((start) => {
          starts.push(start)
          return two
        }).with({})
        const at = (state: number, log = emptyLog(), runId = "20260101T0") =>
          sinkOf(log, { resume: { runId, state } }).with({})
        const [ahead, behind, fresh] = [emptyLog(), emptyLog(), emptyLog()]

        yield* run(pipelineOf(source, { a: at(5), b: at(5) }))
        expect(starts.splice(0)).toEqual([Option.some(5)])
        const report = yield* run(
          pipelineOf(source, {
            ahead: at(6, ahead),
            behind: at(5, behind, "20250101T0"),
            fresh: sinkOf(fresh).with({})
          })
        )
        expect(starts.splice(0)).toEqual([Option.none(), Option.some(5), Option.some(6)])
        yield* run(pipelineOf(source, { a: at(5), b: sinkOf(emptyLog()).with({}) }), { fullRefresh: true })
        expect(starts.splice(0)).toEqual([Option.none()])

        expect(report.before).toHaveLength(2)
        for (const log of [ahead, behind, fresh]) expect(log.committed).toHaveLength(1)
        expect(ahead.committed[0]?.run.runId).toBe(report.runId)
      })
  )

  it.effect("reads once for all where its source reads everything each time", () =>
    Effect.gen(function* () {
      const logs = [emptyLog(), emptyLog()]
      let reads = 0
      const source = {
        ...sourceOf(() => {
          reads += 1
          return two
        }).with({}),
        incremental: false
      }
      const [a = emptyLog(), b = emptyLog()] = logs
      yield* run(
        pipelineOf(source, { a: sinkOf(a, { resume: { runId: "r", state: 5 } }).with({}), b: sinkOf(b).with({}) })
      )

      expect(reads).toBe(1)
      expect(logs.map(({ committed }) => committed.length)).toEqual([1, 1])
    })
  )

  it.effect("refuses a stored checkpoint that is not one of the source", () =>
    Effect.gen(function* () {
      const sink = sinkOf(emptyLog(), { resume: { runId: "r", state: "seven" } }).with({})

      const error = yield* Effect.flip(run(pipelineOf(sourceOf(() => two).with({}), { sink })))

      expect(error.message).toBe(
        "the stored checkpoint does not belong to this source; start again with --full-refresh"
      )
    })
  )

  it.effect("commits nothing where the source fails, and closes", () =>
    Effect.gen(function* () {
      const log = emptyLog()
      const failing = Stream.concat(
        two,
        Stream.fail(new Source.SourceError({ source: "scripted", message: "gone", retryable: true }))
      )

      const error = yield* Effect.flip(
        run(pipelineOf(sourceOf(() => failing).with({}), { here: sinkOf(log).with({}) }))
      )

      expect(error.message).toBe("gone")
      expect(log.events.slice(-1)).toEqual(["close"])
      expect(log.committed).toEqual([])
    })
  )

  it.effect("commits nothing where what was discovered is not accounted for", () =>
    Effect.gen(function* () {
      const log = emptyLog()
      const lossy = Stream.make<ReadonlyArray<Source.Element<number>>>(
        Table.batch(notes, [{ id: 1 }]),
        Source.progress({ discovered: 3, failed: 1 }),
        Checkpoint.make(1)
      )

      const error = yield* Effect.flip(run(pipelineOf(sourceOf(() => lossy).with({}), { here: sinkOf(log).with({}) })))

      expect(error._tag).toBe("AccountingError")
      expect(error.message).toContain(
        "discovered 3, but 1 were loaded, 0 rejected, 1 failed, 0 are blocked and 0 were not reached"
      )
      expect(log.committed).toEqual([])
    })
  )

  it.effect("fails for a source that ends without a checkpoint, or emits a table that it does not have", () =>
    Effect.gen(function* () {
      const silent = Stream.make<ReadonlyArray<Source.Element<number>>>(Table.batch(notes, [{ id: 1 }]))
      const stray = Stream.make<ReadonlyArray<Source.Element<number>>>(
        Table.batch({ ...notes, name: "stray" }, [{ id: 1 }])
      )
      const flip = (elements: Elements) =>
        Effect.flip(run(pipelineOf(sourceOf(() => elements).with({}), { here: sinkOf(emptyLog()).with({}) })))

      expect((yield* flip(silent)).message).toContain("ended without a checkpoint")
      expect((yield* flip(stray)).message).toContain('emits rows of "stray"')
    })
  )

  it.effect("refuses a write that a sink does not have before anything is opened", () =>
    Effect.gen(function* () {
      const log = emptyLog()
      const sink = sinkOf(log, { writes: ["append", "replace"] }).with({ write: "merge" })

      const error = yield* Effect.flip(run(pipelineOf(sourceOf(() => two).with({}), { lake: sink })))

      expect(error.message).toBe("sink lake: scripted does not support write: merge; it supports append, replace")
      expect(log.events).toEqual([])
    })
  )

  it.effect("fails where a sink fails, whether it writes or commits", () =>
    Effect.gen(function* () {
      for (const failsAt of ["write", "commit"] as const) {
        const log = emptyLog()
        const error = yield* Effect.flip(
          run(pipelineOf(sourceOf(() => two).with({}), { here: sinkOf(log, { failsAt: () => failsAt }).with({}) }))
        )

        expect(error.message).toBe("the disk is full")
        expect(log.events.slice(-1)).toEqual(["close"])
      }
    })
  )

  it.effect("interrupted, stops the source and commits nothing", () =>
    Effect.gen(function* () {
      const log = emptyLog()
      const reading = yield* Deferred.make<void>()
      const endless = Stream.concat(
        Stream.make<ReadonlyArray<Source.Element<number>>>(Table.batch(notes, [{ id: 1 }])),
        Stream.fromEffectDrain(Effect.andThen(Deferred.succeed(reading, undefined), Effect.never))
      ).pipe(Stream.ensuring(Effect.sync(() => log.events.push("source stopped"))))

      const fiber = yield* Effect.forkChild(
        run(pipelineOf(sourceOf(() => endless).with({}), { here: sinkOf(log).with({}) }))
      )
      yield* Deferred.await(reading)
      yield* Fiber.interrupt(fiber)

      expect(log.events.slice(-2)).toEqual(["source stopped", "close"])
      expect(log.committed).toEqual([])
    })
  )

  it.effect("tells who watches every phase, with rows and facts so far", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const watch = ({ phase, rows, facts }: Run.Progress) =>
        Effect.sync(() => void seen.push(`${phase} ${rows["notes"]} ${facts["credits"] ?? 0}`))

      yield* run(pipelineOf(sourceOf(() => two).with({}), { here: sinkOf(emptyLog()).with({}) }), { watch })

      expect(seen).toEqual([
        "opening 0 0",
        "reading 2 0",
        "reading 2 0",
        "reading 2 2",
        "reading 2 2",
        "checking 2 2",
        "committing 2 2",
        "done 2 2"
      ])
    })
  )
})
