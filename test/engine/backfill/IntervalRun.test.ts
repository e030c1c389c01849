import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as IntervalRun from "#engine/backfill/IntervalRun"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import * as Source from "#engine/Source"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { type Element, type Elements, emptyLog, notes, pipelineOf, sinkOf, sourceOf, stream } from "../run/scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)
const note = (id: number): Element => Table.batch(notes, [{ id }])
const end: Element = { _tag: "Checkpoint", state: 7 }
const broken = (over: boolean): Elements =>
  Stream.fail(new Source.SourceError({ source: "scripted", message: "the line broke", retryable: !over, over }))

/** Runs of one interval by these scripts, one after the other. */
const runs = Effect.fnUntraced(function* (scripts: ReadonlyArray<Elements>, failsAt?: () => "commit" | undefined) {
  const directory = yield* folder
  const log = emptyLog()
  const asked: Array<number> = []
  const source = sourceOf((_start, { after }) => {
    asked.push(Option.getOrElse(after, () => 0))
    return scripts[asked.length - 1] ?? stream()
  }).with({})
  const sinks = { here: sinkOf(log, failsAt === undefined ? {} : { failsAt }).with({}) }
  const pipeline = pipelineOf(source, sinks, { directory })
  const loading = yield* Semaphore.make(1)
  const run = Effect.result(IntervalRun.run(pipeline, { loaded: undefined, again: false, loading }))
  const statuses = Effect.map(
    Effect.flatMap(Journal.Journals, (journals) => journals.look("test", directory)),
    (entries) => entries.map(({ state }) => state.status)
  )
  return { asked, log, run, statuses }
})

it.live("an interval whose job is gone begins anew, in the same run of the command", () =>
  Effect.gen(function* () {
    const partly = Stream.concat(stream(note(1)), broken(false))
    const { asked, log, run, statuses } = yield* runs([partly, broken(true), stream(note(5), end)])

    expect((yield* run)._tag).toBe("Failure")
    expect(yield* run).toMatchObject({ success: { status: "done" } })

    expect(asked).toEqual([0, 1, 0])
    expect(log.committed.map(({ run }) => run.rows["notes"])).toEqual([1])
    expect(yield* statuses).toEqual(["failed", "done"])
  }).pipe(Effect.scoped, Effect.provide(parts))
)

it.live("an interval that was read and could not be loaded is loaded from the journal", () =>
  Effect.gen(function* () {
    let failing: "commit" | undefined = "commit"
    const { asked, log, run, statuses } = yield* runs([stream(note(1), note(2), end)], () => failing)

    expect(yield* run).toMatchObject({ failure: { message: "the disk is full" } })
    expect(yield* statuses).toEqual(["read"])
    failing = undefined
    yield* run

    expect(asked).toEqual([0])
    expect(log.committed.map(({ run }) => run.rows["notes"])).toEqual([2])
    expect(yield* statuses).toEqual(["done"])
  }).pipe(Effect.scoped, Effect.provide(parts))
)
