import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { duckdb } from "#connectors/duckdb/index"
import * as Backfill from "#engine/Backfill"
import * as Interval from "#engine/Interval"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import type * as Pipeline from "#engine/Pipeline"
import * as Run from "#engine/Run"
import * as Source from "#engine/Source"
import type * as Stage from "#engine/Stage"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { query } from "../../app/millrace.ts"
import { type Element, notes, pipelineOf, sourceOf } from "../run/scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)
const law = <E>(
  sentence: string,
  test: (directory: string) => Effect.Effect<void, E, Journal.Journals | Stage.Stages | Scope.Scope>
) => it.live(sentence, () => Effect.provide(Effect.scoped(Effect.flatMap(folder, test)), parts))

const day = 86_400_000
const first = Date.UTC(2026, 0, 1)
const intervals = Interval.split(first, first + 4 * day, { millis: day }) ?? []

/** A source of which each day has two notes, told one by one; it counts what it is asked. */
const days = () => {
  const asked: Array<string> = []
  const fails = new Set<number>()
  const notesOf = (of: number, rev: number): ReadonlyArray<Element> => [
    Table.batch(notes, [{ id: of * 10 + rev * 100 }]),
    Table.batch(notes, [{ id: of * 10 + 1 + rev * 100 }]),
    { _tag: "Checkpoint", state: of }
  ]
  const sourceOn = (of: number, rev = 0) =>
    sourceOf((start, from) => {
      const after = Option.getOrElse(from.after, () => 0)
      asked.push(`${of} from ${Option.getOrElse(start, () => "the beginning")} after ${after}`)
      const said = Stream.fromIterable(notesOf(of, rev))
      return fails.has(of) && after === 0
        ? Stream.concat(
            Stream.take(said, 1),
            Stream.fail(new Source.SourceError({ source: "scripted", message: "the line broke", retryable: true }))
          )
        : said
    }).with({ of: String(of) })
  return { asked, fails, sourceOn }
}

const at = (directory: string, write: "append" | "merge" = "append") => {
  const source = days()
  const sinks = { db: duckdb.with({ path: "out.duckdb", write }) }
  const base = pipelineOf(source.sourceOn(70), sinks, { directory })
  const ended: Array<string> = []
  const backfill = (
    more: Partial<Backfill.Options<never, never, never>> & { readonly rev?: number } = {},
    among: ReadonlyArray<Interval.Interval> = intervals,
    pipeline: Pipeline.Pipeline<never> = base
  ) =>
    Backfill.run(pipeline, among, {
      pipelineOf: ({ start }) =>
        Effect.succeed({ ...pipeline, source: source.sourceOn(1 + (start - first) / day, more.rev) }),
      again: false,
      concurrency: 1,
      onEnd: ({ interval, status }) =>
        Effect.sync(() => void ended.push(`${Interval.shown(interval).slice(8, 10)} ${status}`)),
      ...more
    })
  const ids = Effect.promise(() => query(join(directory, "out.duckdb"), "SELECT id FROM notes ORDER BY id")).pipe(
    Effect.map((rows) => rows.map(({ id }) => Number(id)))
  )
  const statuses = Effect.map(Backfill.states(base, intervals), (states) => states.map(({ status }) => status))
  return { ...source, backfill, base, ended, ids, statuses }
}

const all = [10, 11, 20, 21, 30, 31, 40, 41]

describe("a backfill", () => {
  law("loads each interval once, reading each from its own beginning, and again loads nothing", (directory) =>
    Effect.gen(function* () {
      const { asked, backfill, ended, ids, statuses } = at(directory)
      expect(yield* statuses).toEqual(["pending", "pending", "pending", "pending"])

      yield* backfill()
      const second = yield* backfill()

      expect(asked).toEqual([1, 2, 3, 4].map((of) => `${of} from the beginning after 0`))
      expect(ended).toEqual(["01 done", "02 done", "03 done", "04 done"])
      expect(yield* ids).toEqual(all)
      expect(second).toMatchObject({ tried: 0 })
      expect(yield* statuses).toEqual(["done", "done", "done", "done"])
    })
  )

  law("leaves the place where the pipeline itself goes on as it was", (directory) =>
    Effect.gen(function* () {
      const { asked, backfill, base, ids } = at(directory)
      yield* Run.run(base)
      yield* backfill()
      yield* Run.run(base)

      expect(asked.filter((what) => what.startsWith("70"))).toEqual([
        "70 from the beginning after 0",
        "70 from 70 after 0"
      ])
      expect((yield* base.sinks["db"]?.runs(directory) ?? Effect.succeed([])).map(({ pipeline }) => pipeline)).toEqual([
        "test",
        ...intervals.map((interval) => Interval.pipelineOf("test", interval)),
        "test"
      ])
      expect(yield* ids).toEqual([...all, 700, 700, 701, 701])
    })
  )

  law("goes on with the others where one fails, and the next tries that one, behind what it was told", (directory) =>
    Effect.gen(function* () {
      const { asked, backfill, ended, fails, ids, statuses } = at(directory)
      fails.add(2)
      yield* backfill()
      expect(ended).toEqual(["01 done", "02 failed", "03 done", "04 done"])
      expect(yield* statuses).toEqual(["done", "unfinished", "done", "done"])

      const second = yield* backfill()

      expect(second.tried).toBe(1)
      expect(asked.slice(4)).toEqual(["2 from the beginning after 1"])
      expect(ended.slice(4)).toEqual(["02 done"])
      expect(yield* ids).toEqual(all)
    })
  )

  law("that is asked for again puts new rows in the place of the old ones, under the runs that they had", (directory) =>
    Effect.gen(function* () {
      const { backfill, base, ids, statuses } = at(directory)
      yield* backfill()
      const runs = base.sinks["db"]?.runs(directory) ?? Effect.succeed([])
      const before = (yield* runs).map(({ runId }) => runId)

      yield* backfill({ again: true, rev: 1 }, intervals.slice(0, 2))

      expect(yield* ids).toEqual([30, 31, 40, 41, 110, 111, 120, 121])
      expect((yield* runs).map(({ runId }) => runId).toSorted()).toEqual(before.toSorted())
      expect(yield* statuses).toEqual(["done", "done", "done", "done"])
    })
  )

  law("that is asked for again and breaks off leaves the old rows, and goes on to the new ones", (directory) =>
    Effect.gen(function* () {
      const { backfill, fails, ids, statuses } = at(directory)
      yield* backfill()
      fails.add(3)
      yield* backfill({ again: true, rev: 1 }, intervals.slice(2, 3))
      expect(yield* ids).toEqual(all)
      expect((yield* statuses)[2]).toBe("unfinished")

      yield* backfill({ rev: 1 })

      expect(yield* ids).toEqual([10, 11, 20, 21, 40, 41, 130, 131])
    })
  )

  law("reads several intervals at once into a destination that has one writer", (directory) =>
    Effect.gen(function* () {
      const { backfill, ended, ids } = at(directory)

      yield* backfill({ concurrency: 4 })

      expect(ended.toSorted()).toEqual(["01 done", "02 done", "03 done", "04 done"])
      expect(yield* ids).toEqual(all)
    })
  )

  law("refuses an interval that overlaps one which is there", (directory) =>
    Effect.gen(function* () {
      const { asked, backfill } = at(directory)
      yield* backfill({}, intervals.slice(1, 2))
      const across = Interval.split(first, first + 4 * day, { millis: 2 * day }) ?? []

      const refused = yield* Effect.flip(backfill({}, across))

      expect(refused.message).toBe(
        "2026-01-01 .. 2026-01-03 overlaps 2026-01-02 .. 2026-01-03, which is loaded: its rows would be loaded twice; " +
          "use the --from and the --every of that backfill, or leave that period out"
      )
      expect(asked).toHaveLength(1)
      yield* backfill()
      expect(asked).toHaveLength(4)
    })
  )

  law("brings a destination that came later up, and leaves the others with each row once", (directory) =>
    Effect.gen(function* () {
      const { backfill, base, ids } = at(directory)
      yield* backfill()
      const more = { ...base, sinks: { ...base.sinks, later: duckdb.with({ path: "later.duckdb", write: "append" }) } }
      const behind = yield* Backfill.states(more, intervals)

      yield* backfill({}, intervals, more)

      expect(behind.map(({ status }) => status)).toEqual(["behind", "behind", "behind", "behind"])
      expect((yield* Backfill.states(more, intervals)).map(({ status }) => status)).toEqual(Array(4).fill("done"))
      expect(yield* ids).toEqual(all)
      const later = yield* Effect.promise(() =>
        query(join(directory, "later.duckdb"), "SELECT id FROM notes ORDER BY id")
      )
      expect(later.map(({ id }) => Number(id))).toEqual(all)
    })
  )

  law("holds an interval whose checks do not pass, and tries it anew when it is run again", (directory) =>
    Effect.gen(function* () {
      const { asked, backfill, base, ended, ids } = at(directory)
      const strict = { ...base, checks: [{ rows: { min: 3 } }] }
      yield* backfill({}, intervals.slice(0, 1), strict)
      const [held] = yield* Backfill.states(strict, intervals)

      yield* backfill({}, intervals.slice(0, 1))

      expect(held).toMatchObject({ status: "held", message: expect.stringContaining("rows: ") })
      expect(ended).toEqual(["01 held", "01 done"])
      expect(asked).toHaveLength(2)
      expect(yield* ids).toEqual([10, 11])
    })
  )

  law("removes the journals of what has been done for long, and still knows that it is done", (directory) =>
    Effect.gen(function* () {
      const { asked, backfill, base, statuses } = at(directory)
      yield* backfill()
      const journaled = Effect.gen(function* () {
        const journals = yield* Journal.Journals
        const names = intervals.map((interval) => Interval.pipelineOf("test", interval))
        return (yield* Effect.forEach(names, (name) => journals.look(name, directory))).flat().length
      })
      expect(yield* journaled).toBe(4)

      yield* backfill({}, intervals, { ...base, journal: { ...base.journal, keepMillis: -day } })

      expect(yield* journaled).toBe(0)
      expect(yield* statuses).toEqual(["done", "done", "done", "done"])
      expect(asked).toHaveLength(4)
    })
  )

  law("is refused while another one of this pipeline runs", (directory) =>
    Effect.gen(function* () {
      const { backfill } = at(directory)
      const inner: Array<string> = []

      yield* backfill({
        onEnd: () =>
          Effect.map(Effect.flip(backfill()), ({ message }) => void inner.push(message)).pipe(
            Effect.provide(parts),
            Effect.orDie
          )
      })

      expect(inner).toHaveLength(4)
      expect(inner[0]).toContain("test@backfill is being run by process")
    })
  )
})
