import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as Check from "#engine/Check"
import * as OutputTables from "#engine/OutputTables"
import * as Pipeline from "#engine/Pipeline"
import * as Source from "#engine/Source"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { pipelineOf, sourceOf, two } from "./scripted.ts"

const things = Table.make({
  name: "things",
  description: "",
  key: ["id"],
  schema: Schema.Struct({ id: Schema.Int, tags: Schema.Array(Schema.String) })
})

const tablesOf = (table: Table.Table, said: Pipeline.TableOptions) =>
  Effect.gen(function* () {
    const source = Source.make({
      type: "scripted",
      description: "",
      options: Schema.Struct({}),
      state: Schema.Int,
      cursor: Schema.Int,
      tables: () => [table],
      fetch: () => Stream.empty,
      decode: () => Effect.succeed([])
    }).with({})
    const pipeline = Pipeline.make({ name: "p", source, sinks: {}, table: said })
    const layout = yield* OutputTables.layOut(pipeline, {
      folder: "/nowhere",
      pipelineFolder: "/nowhere",
      reopen: false
    })
    return layout.tables.map(({ name }) => name)
  }).pipe(Effect.scoped, Effect.provide(Stages.layer))

describe("the tables of a run", () => {
  it.effect("have lists as the user says, else as their table says, else as they are", () =>
    Effect.gen(function* () {
      const nested: Table.Table = { ...things, nested: "tables" }

      expect(yield* tablesOf(things, {})).toEqual(["things", "things__rejects"])
      expect(yield* tablesOf(nested, {})).toEqual(["things", "things__tags", "things__rejects"])
      expect(yield* tablesOf(nested, { nested: "struct" })).toEqual(["things", "things__rejects"])
      expect(yield* tablesOf(things, { nested: "tables" })).toEqual(["things", "things__tags", "things__rejects"])
    })
  )
})

describe("the stage of a run", () => {
  const layoutOf = (folder: string, more: Parameters<typeof pipelineOf>[2]) =>
    OutputTables.layOut(pipelineOf(sourceOf(() => two).with({}), {}, more), {
      folder,
      pipelineFolder: folder,
      reopen: false
    })

  it.effect("is there for steps and for checks that look at rows, and not for one that looks at counters", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const staged = (checks: ReadonlyArray<Check.Check>) =>
        Effect.map(layoutOf(at, { checks }), ({ stage }) => stage !== undefined)

      expect(yield* staged([])).toBe(false)
      expect(yield* staged([{ whole: "10%" }])).toBe(false)
      expect(yield* staged([{ required: "95%" }])).toBe(false)
      expect(yield* staged([{ whole: "10%" }, { rows: { min: 1 } }])).toBe(true)
    }).pipe(Effect.scoped, Effect.provide(Stages.layer))
  )

  it.effect("knows a table by the name that its source has for it too, where the main table has another", () =>
    Effect.gen(function* () {
      const steps = [{ table: "lines", derive: { twice: "n * 2" } }]
      const layout = yield* layoutOf(yield* folder, { steps, table: { name: "memos" } })

      const child = layout.tables.find(({ name }) => name === "memos_lines")
      expect(child?.columns.map(({ name }) => name)).toEqual(["note", "n", "twice", "_run_id"])
    }).pipe(Effect.scoped, Effect.provide(Stages.layer))
  )
})
