import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Stages from "../../../src/duckdb/Stages.ts"
import * as Pipeline from "../../../src/pipeline/Pipeline.ts"
import * as Layout from "../../../src/pipeline/run/Layout.ts"
import * as Source from "../../../src/pipeline/Source.ts"
import * as Table from "../../../src/pipeline/Table.ts"

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
      ask: () => Stream.empty,
      parse: () => Effect.succeed([])
    }).with({})
    const pipeline = Pipeline.make({ name: "p", source, sinks: {}, table: said })
    const layout = yield* Layout.make(pipeline, { folder: "/nowhere", home: "/nowhere", reopen: false })
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
