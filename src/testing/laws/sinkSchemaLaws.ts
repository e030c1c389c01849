/** The laws of a sink about columns that come and go from run to run, and about those that may not. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Table from "#engine/Table"
import { commitOf, type Law, law, typed } from "../SinkBench.ts"

const things = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Table.make({
    name: "things",
    description: "things whose columns change",
    schema: Schema.Struct({ id: Schema.NullOr(Schema.String), ...fields })
  })

const plain = things({})
const named = things({ name: Schema.NullOr(Schema.String) })
const counted = things({ count: Schema.NullOr(Schema.BigInt) })
const measured = things({ count: Schema.NullOr(Schema.Finite) })

/** Columns that a table lacks are added where the plan says `evolve`, and nowhere else. */
export const sinkSchemaLaws: ReadonlyArray<Law> = [
  law("a new column is added, and is null in old rows", ({ load, seen, rows }) =>
    Effect.gen(function* () {
      const nested = things({
        name: Schema.NullOr(Schema.String),
        born: Schema.NullOr(Schema.Struct({ year: Schema.BigInt, places: Schema.Array(Schema.String) })),
        any: Schema.NullOr(Schema.Unknown)
      })
      const born = { year: 1815n, places: ["London"] }
      yield* load("run-1", plain, "append", [{ id: "old" }], 1)

      yield* load("run-2", nested, "append", [{ id: "new", name: "Ada", born, any: [1] }], 2)

      const expected = [
        { id: "old", name: null, born: null, any: null },
        { id: "new", name: "Ada", born, any: [1] }
      ]
      expect(yield* seen(nested)).toEqual(expected)
      expect(yield* rows(nested)).toEqual(expected)
    })
  ),

  law("a column that a run lacks stays, and is null in its rows", ({ load, seen, rows }) =>
    Effect.gen(function* () {
      yield* load("run-1", named, "append", [{ id: "old", name: "Ada" }], 1)

      yield* load("run-2", plain, "append", [{ id: "new" }], 2)

      const expected = [
        { id: "old", name: "Ada" },
        { id: "new", name: null }
      ]
      expect(yield* seen(named)).toEqual(expected)
      expect(yield* rows(named)).toEqual(expected)
    })
  ),

  law("columns may come in another order", ({ load, seen }) =>
    Effect.gen(function* () {
      const turned = { ...named, columns: named.columns.toReversed() }
      yield* load("run-1", named, "append", [{ id: "1", name: "Ada" }], 1)
      yield* load("run-2", turned, "append", [{ id: "2", name: "Bob" }], 2)

      expect(yield* seen(named)).toEqual([
        { id: "1", name: "Ada" },
        { id: "2", name: "Bob" }
      ])
    })
  ),

  law("columns that were added and widened and not committed are as they were", ({ load, session, seen }) =>
    Effect.gen(function* () {
      const wider = things({ count: Schema.NullOr(Schema.Finite), name: Schema.NullOr(Schema.String) })
      yield* load("run-1", counted, "append", [{ id: "old", count: 2n ** 53n - 1n }], 1)
      yield* session("run-2", [[wider, "append"]], (writer) =>
        writer.write(Table.batch(wider, [{ id: "new", count: 1.5, name: "Ada" }]))
      )

      const columns = yield* session("run-3", [[counted, "append"]], (writer) =>
        Effect.succeed(Option.map(writer.columns("things"), typed))
      )
      expect(columns).toEqual(Option.some(["id VARCHAR", "count BIGINT"]))
      expect(yield* seen(counted)).toEqual([{ id: "old", count: 2n ** 53n - 1n }])
    })
  ),

  law(
    "where the plan does not evolve, the destination keeps its columns, and others are not written",
    ({ load, session, seen }) =>
      Effect.gen(function* () {
        const wider = things({ count: Schema.NullOr(Schema.Finite), name: Schema.NullOr(Schema.String) })
        yield* load("run-1", counted, "append", [{ id: "old", count: 7n }], 1)

        yield* load("run-2", wider, "append", [{ id: "new", count: 8, name: "Ada" }], 2, { evolve: false })

        const columns = yield* session("run-3", [[counted, "append"]], (writer) =>
          Effect.succeed(Option.map(writer.columns("things"), typed))
        )
        expect(columns).toEqual(Option.some(["id VARCHAR", "count BIGINT"]))
        expect(yield* seen(counted)).toEqual([
          { id: "old", count: 7n },
          { id: "new", count: 8n }
        ])
        expect((yield* seen(wider)).map((row) => row["name"])).toEqual([null, null])
      })
  ),

  law("where the plan does not evolve, a wider column takes narrower values all the same", ({ load, seen }) =>
    Effect.gen(function* () {
      yield* load("run-1", measured, "append", [{ id: "old", count: 1.5 }], 1)
      yield* load("run-2", counted, "append", [{ id: "new", count: 8n }], 2, { evolve: false })

      expect(yield* seen(measured)).toEqual([
        { id: "old", count: 1.5 },
        { id: "new", count: 8 }
      ])
    })
  ),

  law("where the plan does not evolve, a table that is not there yet is made", ({ load, seen }) =>
    Effect.gen(function* () {
      yield* load("run-1", named, "append", [{ id: "1", name: "Ada" }], 1, { evolve: false })

      expect(yield* seen(named)).toEqual([{ id: "1", name: "Ada" }])
    })
  ),

  law(
    "replace takes the columns of its run, whatever was there",
    ({ load, seen, session }) =>
      Effect.gen(function* () {
        const text = things({ count: Schema.NullOr(Schema.String) })
        yield* load("run-1", named, "replace", [{ id: "1", name: "Ada" }], 1)
        yield* load("run-2", counted, "replace", [{ id: "1", count: 36n }], 2)
        yield* load("run-3", text, "replace", [{ id: "1", count: "thirty-six" }], 3)

        expect(yield* seen(text)).toEqual([{ id: "1", count: "thirty-six" }])
        const columns = yield* session("run-4", [[text, "append"]], (writer) =>
          Effect.succeed(Option.map(writer.columns("things"), typed))
        )
        expect(columns).toEqual(Option.some(["id VARCHAR", "count VARCHAR"]))
      }),
    "replace"
  ),

  law(
    "where the plan does not evolve, replace keeps the columns that are there, for a run that read all and one that did not",
    ({ load, seen, session }) =>
      Effect.gen(function* () {
        const keyed = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
          Table.make({
            name: "things",
            description: "things with a key",
            schema: Schema.Struct({ id: Schema.NullOr(Schema.String), ...fields }),
            key: ["id"]
          })
        const narrow = keyed({ count: Schema.NullOr(Schema.BigInt), color: Schema.NullOr(Schema.String) })
        const wider = keyed({ count: Schema.NullOr(Schema.Finite), name: Schema.NullOr(Schema.String) })
        const old = ["1", "2"].map((id) => ({ id, count: 7n, color: "red" }))
        yield* load("run-1", narrow, "replace", old, 1)
        const known = yield* session(
          "run-2",
          [[wider, "replace"]],
          (writer) => Effect.succeed(writer.columns("things")),
          {
            evolve: false
          }
        )
        expect(Option.map(known, typed)).toEqual(Option.some(["id VARCHAR", "count BIGINT", "color VARCHAR"]))

        const replacing = (run: string, id: string, count: number, complete: boolean) =>
          session(
            run,
            [[wider, "replace"]],
            (writer) =>
              Effect.andThen(
                writer.write(Table.batch(wider, [{ id, count, name: "Ada" }])),
                writer.commit({ ...commitOf(run, 2), complete })
              ),
            { evolve: false }
          )
        yield* replacing("run-3", "1", 8, false)
        const partly = yield* seen(narrow)
        yield* replacing("run-4", "3", 9, true)

        expect(partly.toSorted((a, b) => String(a["id"]).localeCompare(String(b["id"])))).toEqual([
          { id: "1", count: 8n, color: null },
          { id: "2", count: 7n, color: "red" }
        ])
        expect(yield* seen(narrow)).toEqual([{ id: "3", count: 9n, color: null }])
        const after = yield* session("run-5", [[narrow, "append"]], (writer) =>
          Effect.succeed(writer.columns("things"))
        )
        expect(Option.map(after, typed)).toEqual(Option.some(["id VARCHAR", "count BIGINT", "color VARCHAR"]))
      }),
    "replace"
  ),

  law(
    "rows are merged by a key that was widened, and with a column that was added",
    ({ load, seen }) =>
      Effect.gen(function* () {
        const keyed = (id: Schema.Schema<unknown>, more: Schema.Struct.Fields = {}) =>
          Table.make({
            name: "things",
            description: "things with a key",
            schema: Schema.Struct({ id, name: Schema.NullOr(Schema.String), ...more }),
            key: ["id"]
          })
        const [number, text] = [keyed(Schema.BigInt), keyed(Schema.String, { color: Schema.NullOr(Schema.String) })]
        yield* load(
          "run-1",
          number,
          "merge",
          [1n, 2n].map((id) => ({ id, name: "old" })),
          1
        )

        yield* load(
          "run-2",
          text,
          "merge",
          ["2", "three"].map((id) => ({ id, name: "new", color: "red" })),
          2
        )
        yield* load("run-3", number, "merge", [{ id: 2n, name: "newer" }], 3)

        expect((yield* seen(text)).toSorted((a, b) => String(a["id"]).localeCompare(String(b["id"])))).toEqual([
          { id: "1", name: "old", color: null },
          { id: "2", name: "newer", color: null },
          { id: "three", name: "new", color: "red" }
        ])
      }),
    "merge"
  )
]
