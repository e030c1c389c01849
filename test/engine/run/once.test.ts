import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import * as Run from "#engine/Run"
import { SinkError } from "#engine/Sink"
import * as Source from "#engine/Source"
import type * as Stage from "#engine/Stage"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { type Element, type Elements, emptyLog, notes, pipelineOf, sinkOf, sourceOf, stream } from "./scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)
type Needs = Journal.Journals | Stage.Stages | Scope.Scope
/** Each gets two folders: the journals of two machines. */
const law = <E>(sentence: string, test: (here: string, there: string) => Effect.Effect<void, E, Needs>) =>
  it.effect(sentence, () =>
    Effect.provide(
      Effect.scoped(Effect.flatMap(folder, (here) => Effect.flatMap(folder, (there) => test(here, there)))),
      parts
    )
  )

const note = (id: number): Element => Table.batch(notes, [{ id }])
const end: Element = { _tag: "Checkpoint", state: 7 }
const fails = (over: boolean) =>
  Stream.fail(new Source.SourceError({ source: "scripted", message: "the line broke", retryable: !over, over }))

/** A source that says the nth of these when it is asked the nth time, and counts how often that was. */
const asking = (...scripts: ReadonlyArray<Elements>) => {
  const asked: Array<number> = []
  const source = sourceOf((_start, from) => {
    asked.push(Option.getOrElse(from.after, () => 0))
    return scripts[asked.length - 1] ?? stream()
  }).with({})
  return { asked, source }
}

type Place = "open" | "write" | "commit" | undefined
/** A sink that fails at a step that the test names, and what is in its destination. */
const breakable = () => {
  const log = emptyLog()
  const at: { fails: Place } = { fails: undefined }
  return { log, at, sink: sinkOf(log, { failsAt: () => at.fails }).with({}) }
}
const ids = ({ events }: ReturnType<typeof emptyLog>) =>
  events.flatMap((event) => [...event.matchAll(/^write notes .*"id":(\d+)/g)].map(([, id]) => Number(id)))
const keys = ({ committed }: ReturnType<typeof emptyLog>) => committed.map(({ run }) => run.once)

const states = (directory: string) =>
  Effect.gen(function* () {
    const entries = yield* (yield* Journal.Journals).look("test", directory)
    return entries.map(({ state }) => `${state.once ?? "none"}: ${state.status}`)
  })

/** Writes a run down as a process leaves it that dies between the commit and the end. */
const diedAfterCommit = (directory: string, runId: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const home = yield* (yield* Journal.Journals).take("test", directory)
      yield* (yield* home.open(runId)).save({ status: "read", committed: [], ended_at: null })
    })
  )

describe("a run under its caller's key", () => {
  law("is made once: asked again it is told by its destination, and the source is not asked", (directory) =>
    Effect.gen(function* () {
      const { log, sink } = breakable()
      const whole = stream(note(1), note(2), Source.progress({ discovered: 2, credits: 5 }), end)
      const { asked, source } = asking(whole, stream(note(3), end))
      const pipeline = pipelineOf(source, { here: sink }, { directory })

      const first = yield* Run.run(pipeline, { once: "monday" })
      const again = yield* Run.run(pipeline, { once: "monday", fullRefresh: true })

      expect(first).toMatchObject({ status: "done", once: "monday", alreadyDone: undefined })
      expect(again).toMatchObject({ status: "done", runId: first.runId, once: "monday", rows: first.rows })
      expect(again.facts).toMatchObject({ discovered: 2, loaded: 2, credits: 5 })
      expect(Option.getOrThrow(again.accounting)).toMatchObject({ discovered: 2, loaded: 2 })
      expect(Object.keys(again.alreadyDone ?? {})).toEqual(["here"])
      expect(asked).toHaveLength(1)
      expect(keys(log)).toEqual(["monday"])

      yield* Run.run(pipeline, { once: "tuesday" })
      expect(keys(log)).toEqual(["monday", "tuesday"])
    })
  )

  law("is known where there is no journal of it: on another machine, or after it was pruned", (here, there) =>
    Effect.gen(function* () {
      const { log, sink } = breakable()
      const { asked, source } = asking(stream(note(1), end), stream(note(2), end))
      yield* Run.run(pipelineOf(source, { here: sink }, { directory: here }), { once: "monday" })
      const again = yield* Run.run(pipelineOf(source, { here: sink }, { directory: there }), { once: "monday" })

      expect(again.alreadyDone?.["here"]?.once).toBe("monday")
      expect([asked.length, ids(log)]).toEqual([1, [1]])
    })
  )

  law("counts for its own pipeline alone", (directory) =>
    Effect.gen(function* () {
      const { log, sink } = breakable()
      const { source } = asking(stream(note(1), end), stream(note(2), end))
      yield* Run.run(pipelineOf(source, { here: sink }, { directory }), { once: "monday" })
      const other = yield* Run.run(pipelineOf(source, { here: sink }, { directory, name: "other" }), { once: "monday" })

      expect(other.alreadyDone).toBeUndefined()
      expect(keys(log)).toEqual(["monday", "monday"])
    })
  )

  law("that died between the commit and its end is told, and the next key is run and not taken for it", (directory) =>
    Effect.gen(function* () {
      const { log, sink } = breakable()
      const { asked, source } = asking(stream(note(1), end), stream(note(2), end))
      const pipeline = pipelineOf(source, { here: sink }, { directory })
      const { runId } = yield* Run.run(pipeline, { once: "monday" })
      yield* diedAfterCommit(directory, runId)

      expect((yield* Run.run(pipeline, { once: "monday" })).alreadyDone).toBeDefined()
      expect(yield* states(directory)).toEqual(["monday: done"])
      yield* diedAfterCommit(directory, runId)
      const next = yield* Run.run(pipeline, { once: "tuesday" })

      expect(next).toMatchObject({ resumed: false, before: [{ runId }], once: "tuesday" })
      expect([asked.length, ids(log), keys(log)]).toEqual([2, [1, 2], ["monday", "tuesday"]])
    })
  )

  law("that failed is gone on with, and begun anew where its job is gone", (directory) =>
    Effect.gen(function* () {
      const { log, sink } = breakable()
      const broken = Stream.concat(stream(note(1)), fails(false))
      const { asked, source } = asking(broken, stream(note(1), note(2), end), fails(true), stream(note(3), end))
      const pipeline = pipelineOf(source, { here: sink }, { directory })

      yield* Effect.flip(Run.run(pipeline, { once: "monday" }))
      const resumed = yield* Run.run(pipeline, { once: "monday" })
      yield* Effect.flip(Run.run(pipeline, { once: "tuesday" }))
      const anew = yield* Run.run(pipeline, { once: "tuesday" })

      expect(resumed).toMatchObject({ resumed: true, once: "monday" })
      expect(anew).toMatchObject({ resumed: false, once: "tuesday" })
      expect(asked).toEqual([0, 1, 0, 0])
      expect(keys(log)).toEqual(["monday", "tuesday"])
      expect(yield* states(directory)).toEqual(["monday: done", "tuesday: failed", "tuesday: done"])
    })
  )

  law("lets a run that was not finished end first, whatever its key", (directory) =>
    Effect.gen(function* () {
      const { log, sink } = breakable()
      const broken = Stream.concat(stream(note(1)), fails(false))
      const whole = stream(note(1), end)
      const { asked, source } = asking(broken, whole, stream(note(2), end), broken, whole, stream(note(3), end))
      const pipeline = pipelineOf(source, { here: sink }, { directory })

      yield* Effect.flip(Run.run(pipeline, { once: "monday" }))
      const tuesday = yield* Run.run(pipeline, { once: "tuesday" })
      yield* Effect.flip(Run.run(pipeline))
      yield* Run.run(pipeline, { once: "wednesday" })

      expect(tuesday.before.map(({ rows }) => Object.values(rows).reduce((sum, n) => sum + n, 0))).toEqual([1])
      expect(keys(log)).toEqual(["monday", "tuesday", undefined, "wednesday"])
      expect(asked).toEqual([0, 1, 0, 0, 1, 0])
      expect((yield* Run.run(pipeline, { once: "monday" })).alreadyDone).toBeDefined()
    })
  )

  law("that is held answers so and asks nothing; committed it is done, dropped its key is free", (directory) =>
    Effect.gen(function* () {
      const { log, sink } = breakable()
      const { asked, source } = asking(stream(note(1), end), stream(note(2), end), stream(note(3), note(4), end))
      const pipeline = pipelineOf(source, { here: sink }, { directory, checks: [{ rows: { min: 2 } }] })

      const held = yield* Run.run(pipeline, { once: "monday" })
      const still = yield* Run.run(pipeline, { once: "monday" })
      expect(held.status).toBe("held")
      expect(still).toMatchObject({ status: "held", runId: held.runId, rows: held.rows, alreadyDone: undefined })
      expect([asked.length, log.committed.length]).toEqual([1, 0])
      yield* Run.commit(pipeline, held.runId)
      expect((yield* Run.run(pipeline, { once: "monday" })).alreadyDone?.["here"]?.runId).toBe(held.runId)

      const second = yield* Run.run(pipeline, { once: "tuesday" })
      yield* Run.drop(pipeline, second.runId)
      const third = yield* Run.run(pipeline, { once: "tuesday" })

      expect(third.status).toBe("done")
      expect([asked.length, keys(log)]).toEqual([3, ["monday", "tuesday"]])
    })
  )
})

describe("a key of a pipeline with several sinks", () => {
  law("is not done while one is behind, which gets the run from the journal first", (directory) =>
    Effect.gen(function* () {
      const [good, bad] = [breakable(), breakable()]
      const { asked, source } = asking(stream(note(1), end), stream(note(2), end))
      const pipeline = pipelineOf(source, { good: good.sink, bad: bad.sink }, { directory })

      bad.at.fails = "commit"
      const first = yield* Run.run(pipeline, { once: "monday" })
      bad.at.fails = "write"
      const second = yield* Run.run(pipeline, { once: "monday" })
      bad.at.fails = undefined
      const third = yield* Run.run(pipeline, { once: "monday" })

      expect([first.status, second.status, third.status]).toEqual(["behind", "behind", "done"])
      expect(second.failures["bad"]?.message).toBe("the disk is full")
      expect([second.runId, third.runId]).toEqual([first.runId, first.runId])
      expect(third.caughtUp).toEqual([first.runId])
      expect(Object.keys(third.alreadyDone ?? {})).toEqual(["good", "bad"])
      expect(asked).toHaveLength(1)
      expect([keys(good.log), keys(bad.log)]).toEqual([["monday"], ["monday"]])
    })
  )

  law("is run for the sinks that lack it alone, where the journal of the others' run is elsewhere", (here, there) =>
    Effect.gen(function* () {
      const [one, two] = [breakable(), breakable()]
      const broken = Stream.concat(stream(note(2)), fails(false))
      const { asked, source } = asking(stream(note(1), end), broken, stream(note(2), end))
      yield* Run.run(pipelineOf(source, { one: one.sink }, { directory: here }), { once: "monday" })
      const both = pipelineOf(source, { one: one.sink, two: two.sink }, { directory: there })

      yield* Effect.flip(Run.run(both, { once: "monday" }))
      const resumed = yield* Run.run(both, { once: "monday" })
      const again = yield* Run.run(both, { once: "monday" })

      expect(resumed).toMatchObject({ status: "done", resumed: true })
      expect(Object.keys(again.alreadyDone ?? {})).toEqual(["one", "two"])
      expect(asked).toEqual([0, 0, 1])
      expect([ids(one.log), keys(one.log)]).toEqual([[1], ["monday"]])
      expect(keys(two.log)).toEqual(["monday"])
    })
  )

  law("fails, and asks nothing, where a destination cannot say what it has", (directory) =>
    Effect.gen(function* () {
      const { asked, source } = asking(stream(note(1), end))
      const { log, sink } = breakable()
      const unread = new SinkError({ sink: "scripted", message: "the disk is full", retryable: false })
      const silent = { ...sink, runs: () => Effect.fail(unread) }
      const error = yield* Effect.flip(Run.run(pipelineOf(source, { here: silent }, { directory }), { once: "monday" }))

      expect(error).toMatchObject({ _tag: "SinkError", message: "the disk is full" })
      expect([asked.length, log.committed.length]).toEqual([0, 0])
      expect(yield* states(directory)).toEqual([])
    })
  )
})
