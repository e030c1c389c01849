import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Journals from "#engine/Journals"
import type * as Pipeline from "#engine/Pipeline"
import * as Run from "#engine/Run"
import * as Source from "#engine/Source"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import {
  type Element,
  type Elements,
  emptyLog,
  type Log,
  notes,
  pipelineOf,
  sinkOf,
  sourceOf,
  stream
} from "./scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)

const whole: Elements = stream(Table.batch(notes, [{ id: 1 }, { id: 2 }]), Source.progress({ discovered: 2 }), {
  _tag: "Checkpoint",
  state: 7
})
const unchanged: Elements = stream(
  { _tag: "Unchanged", table: notes, keys: [{ id: 1 }, { id: 2 }] } satisfies Element,
  Source.progress({ discovered: 2 }),
  { _tag: "Checkpoint", state: 7 }
)

/** A source that says what it is told: everything, or that all is as it was. It knows something at the end of each run. */
const reader = (told: Array<boolean>, of?: string) => {
  const own = sourceOf((_, { revalidation, segments }) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const known = revalidation?.known
        told.push(known !== undefined)
        if (segments !== undefined) {
          const { known: next } = yield* segments
          yield* Effect.promise(() => next.append([Buffer.from("all")]))
        }
        return known === undefined ? whole : unchanged
      })
    )
  ).with(of === undefined ? {} : { of })
  return { ...own, incremental: false, revalidates: true }
}

type More = Partial<Pipeline.Pipeline<never>>

/** Whether the second of two runs is told what the first knew; each with its options. */
const second = (
  write: "merge" | "append" | "replace" | "scd2",
  more: More = {},
  later: More & { readonly of?: string } = {}
) =>
  Effect.gen(function* () {
    const directory = yield* folder
    const log = emptyLog()
    const told: Array<boolean> = []
    const run = ({ of, ...own }: More & { readonly of?: string }) =>
      Run.run(pipelineOf(reader(told, of), { db: sinkOf(log).with({ write }) }, { directory, ...more, ...own }))
    const first = yield* run({})
    const again = yield* run(later)
    return { told: told[1], again, log, first }
  }).pipe(Effect.scoped, Effect.provide(parts))

describe("a run that follows another", () => {
  it.effect("is told what the last one knew, where rows that are there stay there", () =>
    Effect.gen(function* () {
      for (const write of ["merge", "scd2"] as const) expect((yield* second(write)).told).toBe(true)
      for (const write of ["append", "replace"] as const) expect((yield* second(write)).told).toBe(false)
    })
  )

  it.effect("counts what is as it was, and keeps its rows", () =>
    Effect.gen(function* () {
      const { again, log } = yield* second("scd2")

      expect(again.accounting).toMatchObject({ value: { discovered: 2, loaded: 0, revalidated: 2 } })
      expect(log.committed[1]?.run.facts).toMatchObject({ loaded: 0, revalidated: 2 })
      expect(again.wholeness).toMatchObject({ expected: 2, present: 2, missing: 0, isPartial: false })
      expect(log.events.filter((event) => event.startsWith("keep"))).toEqual(['keep notes [{"id":1},{"id":2}]'])
      expect(log.committed[1]?.complete).toBe(true)
    })
  )

  it.effect("is told nothing where rows are made otherwise, or something must see every row", () =>
    Effect.gen(function* () {
      const derive = { derive: { twice: "id * 2" } }
      const salted = (salt: string) => ({
        steps: [derive, { mask: { twice: "hash" }, salt: Redacted.make(salt) }] as const
      })
      const nothing = [
        [{}, { of: "another" }],
        [{}, { steps: [derive] }],
        [salted("a"), salted("b")],
        [{ steps: [{ dedupe: ["id"] as const }] }, {}],
        [{ steps: [{ derive: { id: "id + 1" } }] }, {}],
        [{ steps: [{ mask: { id: "hash" } }] }, {}],
        [{ steps: [{ rename: { id: "no" } }, { derive: { no: "no + 1" } }, { rename: { no: "id" } }] }, {}],
        [{ checks: [{ unique: "id" }] }, {}],
        [{ checks: [{ changed: { max: "50%" } }] }, {}],
        [{ checks: [{ sql: "SELECT 1 WHERE false" }] }, {}],
        [{ checks: [{ table: "lines", rows: { max: 5 } }] }, {}]
      ] as const
      for (const [more, later] of nothing) expect((yield* second("merge", more, later)).told).toBe(false)
      const enough = [
        { steps: [derive] },
        salted("a"),
        { checks: [{ rows: { min: 2 } }, { not_null: "id" }, { whole: "0%" }] }
      ] as const
      for (const more of enough) {
        const { again, told } = yield* second("merge", more)
        expect([told, again.status]).toEqual([true, "done"])
      }
    })
  )

  it.effect("is told nothing where a sink lacks the last run", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const told: Array<boolean> = []
      const logs: ReadonlyArray<Log> = [emptyLog(), emptyLog()]
      const [one, two] = logs.map((log) => sinkOf(log).with({ write: "merge" }))
      if (one === undefined || two === undefined) return
      yield* Run.run(pipelineOf(reader(told), { one }, { directory }))
      yield* Run.run(pipelineOf(reader(told), { one, two }, { directory }))
      yield* Run.run(pipelineOf(reader(told), { one, two }, { directory }))
      yield* Run.run(pipelineOf(reader(told), { one, two }, { directory }), { fullRefresh: true })

      expect(told).toEqual([false, false, true, false])
    }).pipe(Effect.scoped, Effect.provide(parts))
  )
})
