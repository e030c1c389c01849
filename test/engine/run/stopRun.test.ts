import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import * as Run from "#engine/Run"
import type * as Stage from "#engine/Stage"
import * as Stages from "#engine/Stages"
import { folder } from "#testing/folder"
import { type Elements, emptyLog, pipelineOf, sinkOf, sourceOf, two } from "./scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)
const law = <E>(
  sentence: string,
  test: (directory: string) => Effect.Effect<void, E, Journal.Journals | Stage.Stages | Scope.Scope>
) => it.effect(sentence, () => Effect.provide(Effect.scoped(Effect.flatMap(folder, test)), parts))

const states = (directory: string) =>
  Effect.gen(function* () {
    const entries = yield* (yield* Journal.Journals).look("test", directory)
    return entries.map(({ state }) => ({
      status: state.status,
      message: state.message,
      hasEnded: state.ended_at !== null
    }))
  })

/** Runs until the latch opens, interrupts the run, and gives what it told of how it is left. */
const stopped = <R>(
  pipeline: Parameters<typeof Run.run<R>>[0],
  at: Deferred.Deferred<void>,
  options: Run.Options = {}
) =>
  Effect.gen(function* () {
    const told: Array<Run.Stopped> = []
    const tell = (how: Run.Stopped) => Effect.sync(() => void told.push(how))
    const fiber = yield* Effect.forkChild(Run.run(pipeline, { ...options, stopped: tell }))
    yield* Deferred.await(at)
    yield* Fiber.interrupt(fiber)
    return told.map(({ committed, missing, status }) => ({ status, committed, missing }))
  })

law("stopped while it reads, a run is over, and the next begins anew", (directory) =>
  Effect.gen(function* () {
    const log = emptyLog()
    const reading = yield* Deferred.make<void>()
    const keys: Array<string> = []
    const endless: Elements = Stream.concat(
      two,
      Stream.fromEffectDrain(Effect.andThen(Deferred.succeed(reading, undefined), Effect.never))
    )
    const source = sourceOf((_start, { key }) => {
      keys.push(key)
      return keys.length === 1 ? endless : two
    }).with({})
    const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })

    const told = yield* stopped(pipeline, reading)
    const left = yield* states(directory)
    const report = yield* Run.run(pipeline)

    expect(told).toEqual([{ status: "stopped", committed: [], missing: ["here"] }])
    expect(left).toEqual([
      { status: "stopped", message: "stopped while it read its source; nothing was committed", hasEnded: true }
    ])
    expect(report.resumed).toBe(false)
    expect(new Set(keys).size).toBe(2)
    expect((yield* states(directory)).map(({ status }) => status)).toEqual(["stopped", "done"])
  })
)

law("stopped after its source was read, a run is loaded from the journal by the next", (directory) =>
  Effect.gen(function* () {
    const log = emptyLog()
    const committing = yield* Deferred.make<void>()
    let asked = 0
    const source = sourceOf(() => {
      asked += 1
      return two
    }).with({})
    const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })
    const watch = ({ phase }: Run.Progress) =>
      phase === "committing" ? Effect.andThen(Deferred.succeed(committing, undefined), Effect.never) : Effect.void

    const told = yield* stopped(pipeline, committing, { watch })
    const left = yield* states(directory)
    const report = yield* Run.run(pipeline)

    expect(told).toEqual([{ status: "read", committed: [], missing: ["here"] }])
    expect(left).toEqual([
      { status: "read", message: "stopped before the commit; nothing was committed", hasEnded: false }
    ])
    expect(report.resumed).toBe(true)
    expect(asked).toBe(1)
    expect(log.committed.map(({ run }) => run.rows["notes"])).toEqual([2])
  })
)

law("stopped in the middle of a commit, waits for its end and says who has the run", (directory) =>
  Effect.gen(function* () {
    const [first, second] = [emptyLog(), emptyLog()]
    const committing = yield* Deferred.make<void>()
    const goOn = yield* Deferred.make<void>()
    const here = sinkOf(first).with({})
    const slow: typeof here = {
      ...here,
      open: (plan) =>
        Effect.map(here.open(plan), (writer) => ({
          ...writer,
          commit: (commit) =>
            Effect.andThen(Deferred.succeed(committing, undefined), Deferred.await(goOn)).pipe(
              Effect.andThen(writer.commit(commit))
            )
        }))
    }
    const pipeline = pipelineOf(
      sourceOf(() => two).with({}),
      { here: slow, there: sinkOf(second).with({}) },
      { directory }
    )

    const stopping = yield* Effect.forkChild(stopped(pipeline, committing))
    yield* Deferred.await(committing)
    yield* Effect.yieldNow
    yield* Deferred.succeed(goOn, undefined)
    const told = yield* Fiber.join(stopping)
    const left = yield* states(directory)
    yield* Run.run(pipeline)

    expect(told).toEqual([{ status: "read", committed: ["here"], missing: ["there"] }])
    expect(left.map(({ message }) => message)).toEqual(["stopped between two commits; committed: here"])
    expect([first.committed.length, second.committed.length]).toEqual([1, 1])
  })
)
