/** The laws of scd2 about columns that a run lacks: they are null in its rows, and so is what its rows say. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, type Law, law } from "../SinkBench.ts"
import { visit } from "./history.ts"

const things = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Table.make({
    name: "things",
    description: "things that lose a column",
    key: ["sku"],
    schema: Schema.Struct({ sku: Schema.String, ...fields, _run_id: Schema.String })
  })
const nullable = { a: Schema.NullOr(Schema.BigInt), b: Schema.NullOr(Schema.Struct({ c: Schema.String })) }
const whole = things(nullable)
const part = things({ a: nullable.a })

const [full, empty] = [{ c: "x" }, null]
const first = [
  { sku: "same", a: 1n, b: full },
  { sku: "null before", a: 1n, b: empty },
  { sku: "changed", a: 1n, b: full }
]
const second = [
  { sku: "same", a: 1n },
  { sku: "null before", a: 1n },
  { sku: "changed", a: 2n }
]

/** "same 1 {"c":"x"} false": each version in order. */
const versions = <R>({ seen }: Bench<R>) =>
  Effect.map(seen(Table.extend(whole, Sink.historyColumns)), (rows) =>
    rows
      .toSorted((x, y) => Number(x["valid_from"]) - Number(y["valid_from"]))
      .map(({ a, b, is_current, sku }) => `${String(sku)} ${String(a)} ${JSON.stringify(b)} ${String(is_current)}`)
      .toSorted((x, y) => (x.split(" ")[0] ?? "").localeCompare(y.split(" ")[0] ?? ""))
  )

export const sinkAbsenceLaws: ReadonlyArray<Law> = [
  law(
    "a column that a run lacks is null in all of its rows, and makes versions of those that had a value",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, first, { table: whole, fingerprint: ["a", "b"], absent: "all" })
        yield* visit(bench, 2, second, { table: part, fingerprint: ["a"], absent: "all" })
        const again = yield* visit(bench, 3, second, { table: part, fingerprint: ["a"], absent: ["b"] })

        expect(again.tables["things"]).toMatchObject({ written: 0, unchanged: 3 })
        expect(yield* versions(bench)).toEqual([
          `changed 1 {"c":"x"} false`,
          "changed 2 null true",
          "null before 1 null true",
          `same 1 {"c":"x"} false`,
          "same 1 null true"
        ])
      }),
    "scd2"
  ),
  law(
    "a column that a run lacks and its fingerprint does not name makes no version",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, first, { table: whole, fingerprint: ["a", "b"] })
        yield* visit(bench, 2, second, { table: part, fingerprint: ["a"], absent: ["z"] })

        expect(yield* versions(bench)).toEqual([
          `changed 1 {"c":"x"} false`,
          "changed 2 null true",
          "null before 1 null true",
          `same 1 {"c":"x"} true`
        ])
      }),
    "scd2"
  )
]
