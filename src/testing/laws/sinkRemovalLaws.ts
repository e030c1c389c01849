/**
 * The laws of scd2 about keys that are gone, about those that could not be learned, and about runs that come again.
 */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, type Law, law } from "../SinkBench.ts"
import { randomFrom, seed } from "../specimens.ts"
import { commitAt, fingerprint, history, product, products, visit } from "./history.ts"

/** Only a run that saw everything closes what it did not see, and only if the option of the sink says so. */
export const sinkRemovalLaws: ReadonlyArray<Law> = [
  law(
    "removed: keep closes nothing, however complete the run",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1), product("b", 1)])
        yield* visit(bench, 2, [product("a", 1)])
        yield* visit(bench, 3, [])

        expect(yield* history(bench)).toEqual(["a 1 from 1", "b 1 from 1"])
      }),
    "scd2"
  ),

  law(
    "removed: close closes what a complete run did not see, once, and nothing else",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(
          bench,
          1,
          ["a", "b", "c"].map((sku) => product(sku, 1))
        )
        yield* visit(bench, 2, [product("a", 1), product("c", 2)])
        yield* visit(bench, 3, [product("a", 1)])
        yield* visit(bench, 4, [product("a", 1)])

        expect(yield* history(bench)).toEqual(["a 1 from 1", "b 1 from 1 to 2", "c 1 from 1 to 2", "c 2 from 2 to 3"])
      }),
    "scd2",
    "close"
  ),

  law(
    "removed: close closes everything where a complete run saw nothing, and nothing where it is not complete",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1), product("b", 1)])
        yield* visit(bench, 2, [product("a", 2)], { complete: false })
        yield* visit(bench, 3, [], { complete: false })
        expect(yield* history(bench)).toEqual(["a 1 from 1 to 2", "a 2 from 2", "b 1 from 1"])

        yield* visit(bench, 4, [])
        expect(yield* history(bench)).toEqual(["a 1 from 1 to 2", "a 2 from 2 to 4", "b 1 from 1 to 4"])
      }),
    "scd2",
    "close"
  ),

  law(
    "a key that is kept is never closed, and one that comes back has a new version, the same or not",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(
          bench,
          1,
          ["a", "b", "c"].map((sku) => product(sku, 1))
        )
        yield* visit(bench, 2, [], { kept: ["a", "never seen"] })
        yield* visit(bench, 3, [product("b", 1), product("c", 2)], { kept: ["a", "b"] })

        expect(yield* history(bench)).toEqual([
          "a 1 from 1",
          "b 1 from 1 to 2",
          "b 1 from 3",
          "c 1 from 1 to 2",
          "c 2 from 3"
        ])
      }),
    "scd2",
    "close"
  ),

  law(
    "what an earlier commit of a run saw or kept, its last one did not miss",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(
          bench,
          1,
          ["a", "b", "c", "d"].map((sku) => product(sku, 1))
        )
        yield* bench.session("run-2", [[products, "scd2", fingerprint]], (writer) =>
          Effect.gen(function* () {
            yield* writer.write(Table.batch(products, [{ ...product("a", 1), _run_id: "run-2" }]))
            yield* writer.retainKeys("products", [{ sku: "b" }])
            yield* writer.commit({ ...commitAt(2), complete: false })
            yield* writer.write(Table.batch(products, [{ ...product("c", 2), _run_id: "run-2" }]))
            yield* writer.commit(commitAt(2))
          })
        )

        expect(yield* history(bench)).toEqual([
          "a 1 from 1",
          "b 1 from 1",
          "c 1 from 1 to 2",
          "c 2 from 2",
          "d 1 from 1 to 2"
        ])
      }),
    "scd2",
    "close"
  ),

  law(
    "a run that is written again leaves the history as one run would, whether it sees the same or not",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1), product("b", 1)])
        const once = yield* Effect.andThen(visit(bench, 2, [product("a", 2), product("c", 1)]), history(bench))

        yield* visit(bench, 2, [product("a", 2), product("c", 1)], { again: true })
        expect(yield* history(bench)).toEqual(once)

        yield* visit(bench, 2, [product("a", 1), product("b", 2)], { again: true })
        expect(yield* history(bench)).toEqual(["a 1 from 1", "b 1 from 1 to 2", "b 2 from 2"])
      }),
    "scd2"
  ),

  law(
    "a run that is written again opens what it had closed",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1), product("b", 1)])
        yield* visit(bench, 2, [product("a", 1)])
        const closed = ["a 1 from 1", "b 1 from 1 to 2"]
        expect(yield* history(bench)).toEqual(closed)

        yield* visit(bench, 2, [product("a", 1)], { again: true })
        expect(yield* history(bench)).toEqual(closed)

        yield* visit(bench, 2, [product("a", 1)], { again: true, kept: ["b"] })
        expect(yield* history(bench)).toEqual(["a 1 from 1", "b 1 from 1"])
      }),
    "scd2",
    "close"
  ),

  law(
    "an earlier run that is written again leaves what later runs saw",
    (bench) =>
      Effect.gen(function* () {
        yield* visit(bench, 1, [product("a", 1), product("b", 1)])
        yield* visit(bench, 2, [product("a", 2), product("b", 1), product("c", 1)])
        yield* visit(bench, 3, [product("a", 3), product("b", 1), product("c", 1)])
        const once = yield* history(bench)

        yield* visit(bench, 2, [product("a", 2), product("b", 1), product("c", 1)], { again: true })

        expect(once).toEqual(["a 1 from 1 to 2", "a 2 from 2 to 3", "a 3 from 3", "b 1 from 1", "c 1 from 2"])
        expect(yield* history(bench)).toEqual(once)
      }),
    "scd2"
  ),

  law(
    `any runs leave one current version of a key at most, and none that overlap (MILLRACE_SEED=${seed})`,
    (bench) =>
      Effect.gen(function* () {
        const random = randomFrom(seed)
        const keys = ["a", "b", "c", "d", "e", "f"]
        const expected = new Map<string, Array<{ readonly price: number | null; readonly from: number; to?: number }>>()
        for (let at = 1; at <= 12; at++) {
          const seen = keys.filter(() => random(3) > 0).map((sku) => product(sku, [null, 1, 2][random(3)] ?? null))
          const retained = keys.filter(() => random(4) === 0)
          const [complete, twice] = [random(2) === 0, random(3) === 0]
          for (const { sku, price } of seen) {
            const versions = expected.get(String(sku)) ?? []
            expected.set(String(sku), versions)
            const last = versions.at(-1)
            if (last !== undefined && last.to === undefined && last.price === price) continue
            if (last !== undefined && last.to === undefined) last.to = at
            versions.push({ price: price === null ? null : Number(price), from: at })
          }
          for (const [sku, versions] of expected) {
            const last = versions.at(-1)
            const missed = !retained.includes(sku) && !seen.some((row) => row["sku"] === sku)
            if (complete && missed && last !== undefined && last.to === undefined) last.to = at
          }
          yield* visit(bench, at, seen, { complete, kept: retained })
          if (twice) yield* visit(bench, at, seen, { complete, kept: retained, again: true })
        }

        const lines = [...expected.entries()]
          .toSorted(([a], [b]) => a.localeCompare(b))
          .flatMap(([sku, versions]) =>
            versions.map(({ price, from, to }) => `${sku} ${price} from ${from}${to === undefined ? "" : ` to ${to}`}`)
          )
        expect(yield* history(bench)).toEqual(lines)
      }),
    "scd2",
    "close"
  )
]

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

/** The laws of scd2 about columns that a run lacks: they are null in its rows, and so is what its rows say. */
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
