/** Clocks that go back: a later run is never older than one before it, by its name or by its times. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { timeOf } from "#engine/beginRun"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import * as Run from "#engine/Run"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { emptyLog, notes, pipelineOf, sinkOf, sourceOf, stream } from "./scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)
const noon = Date.UTC(2026, 10, 24, 12)
const hour = 3_600_000

/** Runs at these times, one after the other; the journal is forgotten between them, or not. */
const runsAt = (times: ReadonlyArray<number>, forgets: boolean) =>
  Effect.gen(function* () {
    const directory = yield* folder
    const log = emptyLog()
    const warnings: Array<ReadonlyArray<string>> = []
    let n = 0
    const source = sourceOf(() => stream(Table.batch(notes, [{ id: ++n }]), { _tag: "Checkpoint", state: n })).with({})
    const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })
    for (const time of times) {
      yield* TestClock.setTime(time)
      const outcome = yield* Run.run(pipeline)
      warnings.push((outcome.warnings ?? []).map(({ message }) => message))
      if (forgets) rmSync(join(directory, ".millrace"), { recursive: true })
    }
    const entries = yield* (yield* Journal.Journals).look("test", directory)
    return { log, warnings, statuses: entries.map(({ state }) => state.status) }
  }).pipe(Effect.scoped, Effect.provide(parts))

const times = [noon, noon - hour, noon - hour, noon - 50 * hour, noon + hour]

for (const forgets of [false, true]) {
  const how = forgets ? "by what the destinations say, where the journal is gone" : "by the journal"
  it.effect(`runs are in order though the clock goes back, ${how}`, () =>
    Effect.gen(function* () {
      const { log, statuses } = yield* runsAt(times, forgets)

      const ids = log.committed.map(({ run }) => run.runId)
      expect(new Set(ids).size).toBe(times.length)
      expect(ids).toEqual(ids.toSorted())
      expect(ids.map(timeOf)).toEqual([noon, noon + 1, noon + 2, noon + 3, noon + hour])
      // Where to go on is what the last run said, and what it says of itself is no older than the run before.
      expect(log.committed.map(({ checkpoint }) => checkpoint.runId)).toEqual(ids)
      expect(log.resume?.state).toBe(log.committed.at(-1)?.checkpoint.state)
      for (const { run } of log.committed) expect(run.committedAt >= run.startedAt).toBe(true)
      if (!forgets) expect(statuses).toEqual(times.map(() => "done"))
    })
  )
}

it.effect("a run whose clock is behind the last one, or a year after it, says so", () =>
  Effect.gen(function* () {
    const year = 366 * 24 * hour
    const { warnings } = yield* runsAt([noon, noon - hour, noon + 2 * hour, noon + 2 * hour + year + 1], false)

    expect(warnings).toEqual([
      [],
      [
        "the clock of this machine is behind: the last run of this pipeline began at 2026-11-24T12:00:00.000Z, so this run is " +
          "dated right after it; set the clock; if it was ahead in that run, runs are dated after that run until their time comes"
      ],
      [],
      [
        "the last run of this pipeline began at 2026-11-24T14:00:00.000Z, more than a year before this one; if that is wrong, " +
          "set the clock of this machine"
      ]
    ])
  })
)

it.effect("a name that says no time is no time", () =>
  Effect.sync(() => {
    expect(["run-1", "", undefined, "20261324T120000000Z-x"].map(timeOf)).toEqual([0, 0, 0, 0])
    expect(timeOf("20261124T120000007Z-0000ff")).toBe(noon + 7)
  })
)
