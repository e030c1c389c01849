import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Database, memory } from "#connectors/memory/index"
import type * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import type * as Pipeline from "#engine/Pipeline"
import * as Run from "#engine/Run"
import { resolveRejects } from "#engine/resolveRejects"
import * as Source from "#engine/Source"
import type * as Stage from "#engine/Stage"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { notes, pipelineOf } from "./scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)

/** A source whose every answer is a note, and that cannot make a row of those that it has not learned. */
const learning = (texts: ReadonlyArray<string>) => {
  const learned = new Set<string>()
  const source = Source.make({
    type: "learning",
    description: "cannot make a row of everything that it was told",
    options: Schema.Struct({}),
    state: Schema.Int,
    cursor: Schema.Int,
    tables: () => [notes],
    fetch: () =>
      Stream.fromIterable([...texts, "end"]).pipe(
        Stream.map((text, at) => ({ kind: text === "end" ? "end" : "note", at: 1000 + at, text, cursor: at }))
      ),
    decode: (_options, answer) =>
      Effect.sync((): ReadonlyArray<Source.Element<number>> => {
        if (answer.kind === "end") return [{ _tag: "Checkpoint", state: 1 }]
        if (/^\d+$/.test(answer.text)) return [Table.batch(notes, [{ id: Number(answer.text) }])]
        if (learned.has(answer.text)) return [Table.batch(notes, [{ id: answer.text.length }])]
        return [{ _tag: "Reject", table: notes, reason: "it is no number", raw: answer.text, answer }]
      })
  })
  return { source: source.with({}), learned }
}

let databases = 0
interface At {
  readonly name: string
  readonly learned: Set<string>
  readonly resolve: ReturnType<typeof resolveRejects<never>>
  readonly again: Effect.Effect<void, unknown, Journal.Journals | Stage.Stages>
}

/** One run into a database in memory, and then what a law does with its rejects. */
const law = (
  sentence: string,
  of: { readonly texts: ReadonlyArray<string>; readonly more?: Partial<Pipeline.Pipeline<never>> },
  test: (at: At) => Effect.Effect<void, unknown, Journal.Journals | Stage.Stages | Scope.Scope>
) =>
  it.effect(sentence, () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { learned, source } = learning(of.texts)
      const name = `rejects ${databases++}`
      const pipeline = pipelineOf(source, { here: memory.with({ name }) }, { directory, ...of.more })
      yield* Run.run(pipeline)
      yield* test({
        name,
        learned,
        resolve: resolveRejects(pipeline, "here"),
        again: Effect.asVoid(Run.run(pipeline))
      })
    }).pipe(Effect.scoped, Effect.provide(parts))
  )

const ids = (name: string) => Database.rows(name, "notes").map(({ id }) => Number(id))
const rejects = (name: string) => Database.rows(name, "notes__rejects")
const named = (rows: ReadonlyArray<Table.Row>) => rows.map(({ reject_id: id }) => id).toSorted()
const open = (name: string) => rejects(name).filter((row) => row["resolved_by"] === null)

describe("rejects of the source", () => {
  law(
    "that it can make rows of now are loaded; the others stay as they are, and are not rejected once more",
    { texts: ["1", "five5", "nine99999", "sevens7"] },
    ({ learned, name, resolve }) =>
      Effect.gen(function* () {
        const before = rejects(name)
        expect(before.map(({ raw, rejected_by: by }) => [raw, by])).toEqual([
          ["five5", "source"],
          ["nine99999", "source"],
          ["sevens7", "source"]
        ])
        expect(yield* resolve).toMatchObject({ tried: 3, resolved: 0, rejected: 0 })
        expect(rejects(name)).toEqual(before)

        learned.add("nine99999")
        const { resolved, runId, tried } = yield* resolve

        expect([tried, resolved]).toEqual([3, 1])
        expect(ids(name).toSorted()).toEqual([1, 9])
        expect(open(name).map(({ raw }) => raw)).toEqual(["five5", "sevens7"])
        expect(named(rejects(name))).toEqual(named(before))
        expect(rejects(name).find(({ raw }) => raw === "nine99999")).toMatchObject({ resolved_by: runId })
        expect(yield* resolve).toMatchObject({ tried: 2, resolved: 0 })
      })
  )

  law(
    "go through the steps, as every row of the source does",
    { texts: ["1", "two"], more: { steps: [{ derive: { id: "id * 100" } }] } },
    ({ learned, name, resolve }) =>
      Effect.gen(function* () {
        learned.add("two")

        expect(yield* resolve).toMatchObject({ tried: 1, resolved: 1, rejected: 0 })

        expect(ids(name).toSorted()).toEqual([100, 300])
        expect(open(name)).toEqual([])
      })
  )

  law(
    "do not move the place where the next run goes on",
    { texts: ["1", "two"] },
    ({ again, learned, name, resolve }) =>
      Effect.gen(function* () {
        const place = () => Database.read(name).checkpoints.get("test")?.state
        const before = place()
        learned.add("two")
        yield* resolve

        expect(before).toBe(1)
        expect(place()).toBe(1)
        yield* again
        expect(ids(name).toSorted()).toEqual([1, 3])
      })
  )
})
