import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import type * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import type * as Pipeline from "#engine/Pipeline"
import * as Run from "#engine/Run"
import * as Source from "#engine/Source"
import type * as Stage from "#engine/Stage"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import {
  type Element,
  type Elements,
  emptyLog,
  type Log,
  lines,
  notes,
  pipelineOf,
  type Script,
  sinkOf,
  sourceOf,
  stream
} from "./scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)
const law = <E>(
  sentence: string,
  test: (directory: string) => Effect.Effect<void, E, Journal.Journals | Stage.Stages | Scope.Scope>
) => it.effect(sentence, () => Effect.provide(Effect.scoped(Effect.flatMap(folder, test)), parts))

const end: Element = { _tag: "Checkpoint", state: 7 }
const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => ({ id: from + at }))

/** What a site with so many pages says, of which some could not be read and some are forbidden. */
const site = (
  seen: number,
  of: { readonly failed?: number; readonly blocked?: number; readonly left?: number } = {}
) => {
  const { blocked = 0, failed = 0, left = 0 } = of
  const discovered = seen + failed + blocked + left
  const unread = Array.from({ length: failed }, (_, at) => ({ id: 700 + at }))
  return stream(
    ...(seen === 0 ? [] : [Table.batch(notes, ids(1, seen))]),
    ...(failed === 0 ? [] : [{ _tag: "UnknownKeys", table: notes, keys: unread, why: "HTTP 503" } as const]),
    Source.progress({ discovered, failed, blocked, left }),
    end
  )
}

/** Runs each of these after another, into one destination. */
const runs = Effect.fnUntraced(function* (
  directory: string,
  log: Log,
  readings: ReadonlyArray<Elements>,
  more: Partial<Pipeline.Pipeline<never>> & {
    readonly write?: "merge" | "replace" | "scd2"
    readonly script?: Script
  } = {}
) {
  const { script, write = "replace", ...rest } = more
  let at = 0
  const source = sourceOf(() => readings[at++] ?? stream()).with({})
  const pipeline = pipelineOf(source, { here: sinkOf(log, script).with({ write }) }, { directory, ...rest })
  const reports = []
  for (const _ of readings) reports.push(yield* Run.run(pipeline))
  return { pipeline, reports }
})

const kept = ({ events }: Log) => events.filter((event) => event.startsWith("keep"))

describe("the check of required values", () => {
  const found = (filled: number, missing: number) =>
    stream(Table.batch(notes, ids(1, 1)), Source.progress({ discovered: 1, read: 1, filled, missing }), end)

  law("holds a run that found too few of them, and says how many", (directory) =>
    Effect.gen(function* () {
      const { reports } = yield* runs(directory, emptyLog(), [found(94, 6)], { checks: [{ required: "95%" }] })

      expect(reports[0]).toMatchObject({
        status: "held",
        checks: [
          {
            check: "required values: at least 95% found",
            table: "notes",
            passed: false,
            found: "94 of 100 required values were found (94%)"
          }
        ]
      })
    })
  )

  law("lets a run commit that found enough, and holds one whose source does not count them", (directory) =>
    Effect.gen(function* () {
      const checks = [{ required: "95%" }]
      const { reports } = yield* runs(directory, emptyLog(), [found(95, 5), found(0, 0)], { checks })
      const uncounted = yield* runs(directory, emptyLog(), [site(1)], { checks })

      expect(reports.map(({ status }) => status)).toEqual(["done", "done"])
      expect(uncounted.reports[0]).toMatchObject({
        status: "held",
        checks: [{ passed: false, found: "the source does not say which values it must find" }]
      })
    })
  )
})

describe("a row that failed", () => {
  for (const write of ["replace", "merge", "scd2"] as const) {
    law(
      `is never written under ${write}, nor are its children, and its key is kept where rows are removed`,
      (directory) =>
        Effect.gen(function* () {
          const log = emptyLog()
          const elements = stream(
            Table.batch(notes, [{ id: 1 }, { id: 900 }]),
            Table.batch(lines, [
              { note: 1, n: 1 },
              { note: 900, n: 1 }
            ]),
            Source.progress({ discovered: 2 }),
            end
          )
          const { reports } = yield* runs(directory, log, [elements], { write, checks: [{ whole: "off" }] })

          expect(log.events.filter((event) => event.startsWith("write"))).toEqual([
            'write notes [{"id":1}]',
            'write lines [{"note":1,"n":1}]'
          ])
          expect(kept(log)).toEqual(write === "merge" ? [] : ['keep notes [{"id":900}]'])
          expect(reports[0]?.rows).toEqual({ notes: 1, lines: 1, notes__rejects: 0 })
          expect(reports[0]).toMatchObject({ accounting: { value: { discovered: 2, loaded: 1, failed: 1 } } })
          expect(log.committed[0]?.run.facts).toMatchObject({ discovered: 2, loaded: 1, failed: 1, partial: 1 })
        })
    )
  }

  law("is seen by checks, and taken out after them", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const elements = stream(Table.batch(notes, [{ id: 1 }, { id: 900 }]), Source.progress({ discovered: 2 }), end)
      const { reports } = yield* runs(directory, log, [elements], { checks: [{ rows: { min: 2 } }, { whole: "off" }] })

      expect(reports[0]?.checks[0]).toMatchObject({ passed: true, found: "2 rows" })
      expect(log.events).toContain('write notes [{"id":1}]')
      expect(kept(log)).toEqual(['keep notes [{"id":900}]'])
      expect(reports[0]).toMatchObject({ accounting: { value: { loaded: 1, failed: 1, dropped: 0 } } })
    })
  )
})

describe("a run that lacks more than a tenth", () => {
  law("is held without a stage, and a commit loads it from the journal and removes nothing", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const { pipeline, reports } = yield* runs(directory, log, [site(51), site(12, { failed: 39 })])
      const held = reports[1]

      expect(held?.status).toBe("held")
      expect(held?.checks).toMatchObject([
        { check: "whole: at most 10% may be missing", table: "notes", passed: false }
      ])
      expect(held?.checks[0]?.found).toContain("12 of 51 were read, 39 (76.5%) are missing: 39 HTTP 503, first 700")
      expect(log.committed).toHaveLength(1)
      expect(log.committed[0]?.complete).toBe(true)

      const committed = yield* Run.commit(pipeline, held?.runId ?? "")
      expect(committed.status).toBe("done")
      expect(log.committed[1]).toMatchObject({ complete: false, run: { facts: { partial: 1, missing_rows: 39 } } })
      expect(log.events.filter((event) => event.startsWith("write")).at(-1)).toBe(
        `write notes ${JSON.stringify(ids(1, 12))}`
      )
    })
  )

  law("is held where the last good run had more, and not once somebody has committed such a run", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const { pipeline, reports } = yield* runs(directory, log, [site(51), site(20)])
      expect(reports.map(({ status }) => status)).toEqual(["done", "held"])
      yield* Run.commit(pipeline, reports[1]?.runId ?? "")

      const after = yield* runs(directory, log, [site(20)])
      expect(after.reports.map(({ status }) => status)).toEqual(["done"])
      expect(log.committed.at(-1)?.complete).toBe(true)
    })
  )

  law("is not measured by a run whose source had other options", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      yield* runs(directory, log, [site(51)])
      const source = sourceOf(() => site(20)).with({ of: "another start" })
      const report = yield* Run.run(pipelineOf(source, { here: sinkOf(log).with({ write: "replace" }) }, { directory }))

      expect(report).toMatchObject({ status: "done", wholeness: { expected: 20, missing: 0 } })
    })
  )

  law("does not wear away what is expected by losing a little each time", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const { reports } = yield* runs(directory, log, [site(50), site(46, { failed: 4 }), site(43, { failed: 3 })])

      expect(reports.map(({ status }) => status)).toEqual(["done", "done", "held"])
      expect(reports[2]?.wholeness).toMatchObject({ expected: 50, missing: 7 })
    })
  )
})

describe("a run that lacks less", () => {
  law("is partial: it commits, and removes nothing", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const { reports } = yield* runs(directory, log, [site(50), site(48, { failed: 2 }), site(50)])

      expect(reports.map(({ wholeness }) => wholeness?.isPartial)).toEqual([false, true, false])
      expect(log.committed.map(({ complete }) => complete)).toEqual([true, false, true])
      expect(log.committed.map(({ run }) => run.facts["partial"])).toEqual([undefined, 1, undefined])
      expect(kept(log)).toEqual(['keep notes [{"id":700},{"id":701}]'])
    })
  )

  law("is not partial where the limit came first, and removes nothing all the same", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const { reports } = yield* runs(directory, log, [site(50), site(12, { left: 38 })])

      expect(reports[1]).toMatchObject({ status: "done", wholeness: { isPartial: false, missing: 0 } })
      expect(log.committed.map(({ complete }) => complete)).toEqual([true, false])
    })
  )

  law("is held where the table has no key and is replaced, as nothing of it could be kept", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const more = { table: { key: [] } }
      const { reports } = yield* runs(directory, log, [site(50), site(48, { failed: 2 })], more)

      expect(reports.map(({ status }) => status)).toEqual(["done", "held"])
      expect(reports[1]?.checks[0]?.found).toContain("table notes has no key")
      const off = yield* runs(directory, log, [site(48, { failed: 2 })], { ...more, checks: [{ whole: "off" }] })
      expect(off.reports[0]?.status).toBe("done")
      expect(log.committed.at(-1)?.complete).toBe(true)
    })
  )
})

describe("what is gone", () => {
  law("is apart in the sum and in the record where the sink is a history", (directory) =>
    Effect.gen(function* () {
      const [history, plain] = [emptyLog(), emptyLog()]
      const elements = stream(
        Table.batch(notes, [{ id: 1 }, { id: 2 }, { id: 800 }]),
        Source.progress({ discovered: 3 }),
        end
      )
      const both = yield* Run.run(
        pipelineOf(
          sourceOf(() => elements).with({}),
          { history: sinkOf(history).with({ write: "scd2" }), plain: sinkOf(plain).with({}) },
          { directory }
        )
      )

      expect(both).toMatchObject({ accounting: { value: { discovered: 3, loaded: 2, gone: 1 } } })
      expect(history.committed[0]?.run.facts).toMatchObject({ loaded: 2, gone: 1 })
      expect(plain.committed[0]?.run.facts).toMatchObject({ loaded: 3 })
      expect(plain.committed[0]?.run.facts["gone"]).toBeUndefined()
    })
  )
})

describe("what a destination counts", () => {
  law("fails the run loudly where it is not what was handed over, after it has committed", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const tables = { notes: { received: 2, written: 1, unchanged: 0, superseded: 0, kept: 0 } }
      const failed = yield* Effect.flip(runs(directory, log, [site(2)], { script: { tables } }))

      expect(failed).toMatchObject({ _tag: "CountError" })
      expect(failed.message).toContain(
        "sink here: table notes: 2 rows were received, and the destination counts 1 written"
      )
      expect(log.committed).toHaveLength(1)
    })
  )
})

describe("the clock", () => {
  law(
    "may go back between runs, also where the journal is lost: a run begins after those that are there",
    (directory) =>
      Effect.gen(function* () {
        const log = emptyLog()
        yield* TestClock.setTime(1_800_000_000_000)
        const first = yield* runs(directory, log, [site(3)], { write: "scd2" })
        yield* TestClock.setTime(1_700_000_000_000)
        const second = yield* Effect.flatMap(folder, (fresh) => runs(fresh, log, [site(3)], { write: "scd2" }))

        const [one, two] = [first.reports[0], second.reports[0]]
        expect(two?.runId.localeCompare(one?.runId ?? "")).toBe(1)
        expect(two?.startedAt).toBe(1_800_000_000_001)
        expect(log.committed.at(-1)?.checkpoint.runId).toBe(two?.runId)
      })
  )
})
