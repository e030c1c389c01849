import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import type * as Pipeline from "#engine/Pipeline"
import * as Run from "#engine/Run"
import * as CommittedPart from "#engine/run/CommittedPart"
import * as Sink from "#engine/Sink"
import * as Source from "#engine/Source"
import type * as Stage from "#engine/Stage"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { type Element, emptyLog, notes, pipelineOf, sinkOf, sourceOf, stream } from "./scripted.ts"

const law = <E>(
  sentence: string,
  test: (directory: string) => Effect.Effect<void, E, Journal.Journals | Stage.Stages | Scope.Scope>
) =>
  it.effect(sentence, () =>
    Effect.provide(Effect.scoped(Effect.flatMap(folder, test)), Layer.mergeAll(Journals.layer, Stages.layer))
  )

const note = (id: number): Element => Table.batch(notes, [{ id }])
const at = (state: number): Element => ({ _tag: "Checkpoint", state })
const broken = Stream.fail(new Source.SourceError({ source: "scripted", message: "the line broke", retryable: true }))

/** A source that reads everything each time. */
const whole = (source: Source.Reader<never>): Source.Reader<never> => ({ ...source, incremental: false })
const everyTwo: Partial<Pipeline.Pipeline<never>> = { commitEvery: { rows: 2 } }

const written = (events: ReadonlyArray<string>) => events.filter((event) => /^write notes|^commit/.test(event))

describe("a run that commits while it reads", () => {
  law("commits parts under one run, and its caller's key with the last", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const source = whole(sourceOf(() => stream(note(1), note(2), note(3), note(4), note(5), at(7))).with({}))
      const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory, ...everyTwo })
      const report = yield* Run.run(pipeline, { once: "today" })

      expect(log.committed.map(({ run }) => run.rows["notes"])).toEqual([2, 4, 5])
      expect(new Set(log.committed.map(({ run }) => run.runId))).toEqual(new Set([report.runId]))
      expect(log.committed.map(({ run }) => run.once)).toEqual([undefined, undefined, "today"])
      expect(log.committed.map(({ run }) => Sink.isUnfinished(run))).toEqual([true, true, false])
      expect(log.committed.map(({ complete }) => complete)).toEqual([false, false, true])
      expect(log.committed.at(-1)?.checkpoint).toEqual({ runId: report.runId, state: 7 })
      expect(report.parts).toBe(2)
    })
  )

  law("goes on behind its parts, and hands no row to a sink twice", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const behind = emptyLog()
      let fails = true
      const scripts = [
        Stream.concat(stream(note(1), note(2), note(3)), broken),
        stream(note(1), note(2), note(3), note(4), at(7))
      ]
      const source = whole(sourceOf(() => scripts.shift() ?? stream()).with({}))
      const failsAt = () => (fails ? ("commit" as const) : undefined)
      const sinks = { here: sinkOf(log).with({}), there: sinkOf(behind, { failsAt }).with({}) }
      const pipeline = pipelineOf(source, sinks, { directory, ...everyTwo })

      yield* Effect.flip(Run.run(pipeline))
      expect(CommittedPart.of(Option.fromUndefinedOr(log.resume))).toMatchObject({ answers: 2, before: null })
      fails = false
      const report = yield* Run.run(pipeline)

      expect(report.resumed).toBe(true)
      expect(written(log.events)).toEqual([
        'write notes [{"id":1}]',
        'write notes [{"id":2}]',
        "commit",
        'write notes [{"id":3}]',
        'write notes [{"id":3}]',
        'write notes [{"id":4}]',
        "commit",
        "commit"
      ])
      // The sink that had no part gets every row.
      expect(behind.committed.at(-1)?.run.rows["notes"]).toBe(4)
      expect(log.committed.at(-1)?.run.rows["notes"]).toBe(4)
    })
  )

  law("commits only at checkpoints where its source reads on, and a new run begins there", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const starts: Array<number | undefined> = []
      const scripts = [
        Stream.concat(stream(note(1), note(2), note(3), at(3), note(4)), broken),
        stream(note(4), note(5), at(5))
      ]
      const source = sourceOf((start) => {
        starts.push(Option.getOrUndefined(start))
        return scripts.shift() ?? stream()
      })
      const of = (named: string) =>
        pipelineOf(source.with({ of: named }), { here: sinkOf(log).with({}) }, { directory, ...everyTwo })

      yield* Effect.flip(Run.run(of("one")))
      expect(log.committed.map(({ run }) => run.rows["notes"])).toEqual([3])
      // Its options have changed, so the run is given up; what it has committed is not read again.
      yield* Run.run(of("other"))

      expect(starts).toEqual([undefined, 3])
      expect(log.committed.map(({ run }) => run.rows["notes"])).toEqual([3, 2, 2])
    })
  )

  law("that was given up says nothing of what the next one should find", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const facts = Source.progress({ discovered: 40 })
      const scripts = [
        Stream.concat(stream(facts, ...Array.from({ length: 40 }, (_, id) => note(id))), broken),
        stream(note(1), Source.progress({ discovered: 1 }), at(7))
      ]
      const source = sourceOf(() => scripts.shift() ?? stream())
      const of = (named: string) =>
        pipelineOf(whole(source.with({ of: named })), { here: sinkOf(log).with({}) }, { directory, ...everyTwo })

      yield* Effect.flip(Run.run(of("one")))
      expect(log.committed.length).toBeGreaterThan(10)
      expect((yield* Run.run(of("other"))).status).toBe("done")
    })
  )

  law("is refused where a sink cannot", (directory) =>
    Effect.gen(function* () {
      const source = sourceOf(() => stream(at(1))).with({})
      const sinks = { here: sinkOf(emptyLog()).with({ write: "replace" }) }
      const error = yield* Effect.flip(Run.run(pipelineOf(source, sinks, { directory, ...everyTwo })))

      expect(error._tag).toBe("PlanError")
      expect(error.message).toContain("sink here cannot commit before the end of a run: write: replace")
    })
  )
})
