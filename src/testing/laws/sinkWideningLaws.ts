/** The laws of a sink about columns that become wider: the values of earlier and later runs come back unchanged. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Column from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import { cellConverter } from "#engine/convertCell"
import type * as Table from "#engine/Table"
import { widen } from "#engine/widen"
import { type Law, law, typed } from "../SinkBench.ts"

/** A type, a cell of this type, and the same cell in the wider column. */
interface Side {
  readonly type: string
  readonly cell: unknown
  readonly wide: unknown
}

const side = (type: string, cell: unknown, wide: unknown = cell): Side => ({ type, cell, wide })

const [day, midnight, noon] = ["2026-11-21", 1_795_219_200_000_000n, 1_795_262_400_000_000n]

/** Two types that a column has in two runs. Where they meet is for `widen` to say. */
const steps: Readonly<Record<string, readonly [Side, Side]>> = {
  whole_real: [side("BIGINT", 7n, 7), side("DOUBLE", 1.5)],
  exact_real: [side("DECIMAL(10, 2)", "12.50", 12.5), side("DOUBLE", 1.5)],
  exact_whole: [side("DECIMAL(10, 2)", "12.50"), side("BIGINT", 2n ** 63n - 1n, "9223372036854775807.00")],
  exact_wholes: [side("DECIMAL(10, 2)[]", ["12.50", null]), side("BIGINT[]", [-7n], ["-7.00"])],
  exact_many: [side("DECIMAL(38, 30)", `0.5${"0".repeat(29)}`, 0.5), side("BIGINT", 7n, 7)],
  exact_exact: [side("DECIMAL(10, 2)", "12.50", "12.5000"), side("DECIMAL(8, 4)", "-0.1250")],
  day_moment: [side("DATE", day, midnight), side("TIMESTAMP", noon)],
  whole_text: [side("BIGINT", -7n, "-7"), side("VARCHAR", "seven")],
  truth_text: [side("BOOLEAN", true, "true"), side("VARCHAR", "")],
  real_text: [side("DOUBLE", 1.5, "1.5"), side("VARCHAR", "one and a half")],
  small_text: [side("DOUBLE", 1e-7, "1e-07"), side("VARCHAR", "small")],
  exact_text: [side("DECIMAL(10, 2)", "12.50", "12.50"), side("VARCHAR", "twelve")],
  day_text: [side("DATE", day, day), side("VARCHAR", "today")],
  moment_text: [side("TIMESTAMP", noon, "2026-11-21 12:00:00"), side("VARCHAR", "noon")],
  whole_truth: [side("BIGINT", 7n, 7), side("BOOLEAN", false)],
  day_whole: [side("DATE", day, day), side("BIGINT", 7n, 7)],
  exact_truth: [side("DECIMAL(10, 2)", "12.50", 12.5), side("BOOLEAN", true)],
  nan_json: [side("DOUBLE", Number.NaN, "NaN"), side("JSON", "")],
  endless_struct: [
    side("DOUBLE", Number.NEGATIVE_INFINITY, "-Infinity"),
    side("STRUCT(a DOUBLE)", { a: Number.POSITIVE_INFINITY }, { a: "Infinity" })
  ],
  endless_list: [side("DOUBLE[]", [Number.NaN, 1.5, null], ["NaN", 1.5, null]), side("BOOLEAN", true)],
  text_json: [side("VARCHAR", `say "ü" \\`), side("JSON", { deep: [null, "𝄞"] })],
  lookalike_json: [side("VARCHAR", `{"a": 1}`), side("JSON", "null")],
  null_json: [side("VARCHAR", "null"), side("JSON", 0)],
  text_list: [side("VARCHAR", ""), side("VARCHAR[]", ["a", "b"])],
  struct_list: [
    side("STRUCT(a BIGINT, b VARCHAR)", { a: 1n, b: null }, { a: 1, b: null }),
    side("BIGINT[]", [1n], [1])
  ],
  field_added: [
    side("STRUCT(a BIGINT)", { a: 1n }, { a: 1n, b: null }),
    side("STRUCT(a BIGINT, b VARCHAR)", { a: null, b: "x" })
  ],
  fields_apart: [
    side("STRUCT(a BIGINT)", { a: 1n }, { a: 1n, b: null }),
    side("STRUCT(b VARCHAR)", { b: "x" }, { a: null, b: "x" })
  ],
  field_widened: [side("STRUCT(a BIGINT)", { a: 1n }, { a: "1" }), side("STRUCT(a VARCHAR)", { a: "one" })],
  field_any: [
    side("STRUCT(a VARCHAR, b DATE)", { a: "{}", b: day }),
    side("STRUCT(a BIGINT[], b DATE)", { a: [1n], b: null }, { a: [1], b: null })
  ],
  field_json: [
    side("STRUCT(q JSON)", { q: `"s"` }, { q: `"s"`, r: null }),
    side("STRUCT(q JSON, r VARCHAR)", { q: { deep: ["1", 1] }, r: "x" }, { q: { deep: ["1", 1] }, r: "x" })
  ],
  nested_json: [side("STRUCT(q JSON, l JSON[])", { q: "s", l: ["1", 1, null] }), side("VARCHAR", "text")],
  items_json: [side("STRUCT(q JSON)[]", [{ q: "s" }, { q: "null" }, null]), side("BIGINT", 7n, 7)],
  items_real: [side("BIGINT[]", [1n, null], [1, null]), side("DOUBLE[]", [1.5])],
  items_any: [side("VARCHAR[]", ["a", null, `"`]), side("BOOLEAN[][]", [[true], []])],
  items_added: [
    side("STRUCT(a BIGINT)[]", [{ a: 1n }, null], [{ a: 1n, b: null }, null]),
    side("STRUCT(a BIGINT, b STRUCT(c DATE)[])[]", [{ a: 2n, b: [{ c: day }] }])
  ]
}

const typeOf = (sql: string): Column.ColumnType => columnFromSql(sql) ?? expect.fail(`${sql} is no type`)

const table = (typed: (sides: readonly [Side, Side]) => Column.ColumnType): Table.Table => ({
  name: "steps",
  description: "a column for each step",
  key: [],
  columns: [
    { name: "id", type: { _tag: "VARCHAR" }, nullable: false },
    ...Object.entries(steps).map(([name, sides]) => ({ name, type: typed(sides), nullable: true }))
  ]
})

const tables = [table(([first]) => typeOf(first.type)), table(([, second]) => typeOf(second.type))] as const
const wide = [
  table(([first, second]) => widen(typeOf(first.type), typeOf(second.type))),
  table(([first, second]) => widen(typeOf(second.type), typeOf(first.type)))
] as const

const keyed = (table: Table.Table): Table.Table => ({ ...table, key: ["id"] })

const row = (id: string, cell: (sides: readonly [Side, Side]) => unknown): Table.Row => ({
  id,
  ...Object.fromEntries(Object.entries(steps).map(([name, sides]) => [name, cell(sides)]))
})

/** Runs with the types of the one and of the other side, by turns, beginning with either. */
const valueLaws: ReadonlyArray<Law> = ([0, 1] as const).map((first) => {
  const second = first === 0 ? 1 : 0
  return law(
    first === 0
      ? "a narrow column is widened, and takes narrow values as well, old and new"
      : "a wide column takes narrow values as they are, and a narrow one beside it is widened",
    ({ load, seen, session }) =>
      Effect.gen(function* () {
        const cells = (side: 0 | 1) => [
          row(`cells of ${side}`, (sides) => sides[side].cell),
          row(`nulls of ${side}`, () => null)
        ]
        yield* load("run-1", tables[first], "append", cells(first), 1)
        yield* load("run-2", tables[second], "append", cells(second), 2)
        yield* load("run-3", tables[first], "append", cells(first), 3)

        const wider = (side: 0 | 1) => [
          row(`cells of ${side}`, (sides) => sides[side].wide),
          row(`nulls of ${side}`, () => null)
        ]
        const found = yield* seen(wide[first])
        expect(found).toEqual([...wider(first), ...wider(second), ...wider(first)])
        const columns = yield* session("run-4", [[tables[first], "append"]], (writer) =>
          Effect.succeed(Option.map(writer.columns("steps"), typed))
        )
        expect(columns).toEqual(Option.some(typed(wide[first].columns)))
      })
  )
})

/** What was stored before a column was widened is what comes after that: no row is written again, or has a new version. */
const unchangedLaws: ReadonlyArray<Law> = ([0, 1] as const).map((first) => {
  const second = first === 0 ? 1 : 0
  const [own, other] = [keyed(tables[first]), keyed(tables[second])]
  const rows = (side: 0 | 1) => [row(`cells of ${side}`, (sides) => sides[side].cell)]
  return law(
    first === 0
      ? "a row that comes again says the same, though its columns were widened in between"
      : "a row that comes again says the same, though narrower ones came in between",
    ({ load }) =>
      Effect.gen(function* () {
        yield* load("run-1", own, "merge", rows(first), 1)
        yield* load("run-2", other, "merge", rows(second), 2)
        const again = yield* load("run-3", own, "merge", rows(first), 3)
        const there = yield* load("run-4", other, "merge", rows(second), 4)

        expect([again, there].map(({ tables }) => tables["steps"]?.unchanged)).toEqual([1, 1])
      }),
    "merge"
  )
})

/** A column of a type, with a cell that no double holds. */
const exact = [
  ["BIGINT", 2n ** 53n + 1n],
  ["BIGINT", 2n ** 63n - 1n],
  ["DECIMAL(20, 2)", "12345678901234567.89"],
  ["BIGINT[]", [1n, 1_795_262_400_123_456_789n]],
  ["DECIMAL(38, 10)[]", ["0.1000000000", "12345678901.2345678901"]]
] as const
const doubles = {
  BIGINT: "DOUBLE",
  "DECIMAL(20, 2)": "DOUBLE",
  "BIGINT[]": "DOUBLE[]",
  "DECIMAL(38, 10)[]": "DOUBLE[]"
}

const single = (type: string): Table.Table => ({
  name: "steps",
  description: "a column that a run would widen",
  key: [],
  columns: [
    { name: "id", type: { _tag: "VARCHAR" }, nullable: false },
    { name: "n", type: typeOf(type), nullable: true }
  ]
})

/** No run rounds what an earlier one has stored. */
const exactnessLaws: ReadonlyArray<Law> = [
  law(
    "a column that would change a stored value where it is widened becomes JSON, which holds each value",
    ({ load, seen }) =>
      Effect.gen(function* () {
        for (const [at, [type, n]] of exact.entries()) {
          const of = (sql: string) => ({ ...single(sql), name: `steps_${at}` })
          yield* load(
            "run-1",
            of(type),
            "append",
            [
              { id: "null", n: null },
              { id: "1", n }
            ],
            1
          )

          yield* load("run-2", of(doubles[type]), "append", [{ id: "2", n: null }], 2)
          yield* load("run-3", of(type), "append", [{ id: "3", n }], 3)

          const kept = cellConverter(typeOf(type), { _tag: "JSON" })(n)
          expect(yield* seen(of("JSON"))).toEqual([
            { id: "null", n: null },
            { id: "1", n: kept },
            { id: "2", n: null },
            { id: "3", n: kept }
          ])
        }
      })
  ),
  law(
    "a column that identifies rows is not widened where two of its values could become one",
    ({ load, seen }) =>
      Effect.gen(function* () {
        const [narrow, wide] = [keyedBy("BIGINT"), keyedBy("DOUBLE")]
        yield* load("run-1", narrow, "merge", [{ id: 1n }], 1)

        const error = yield* Effect.flip(load("run-2", wide, "merge", [{ id: 1.5 }], 2))

        expect(error.message).toContain("column id identifies the rows of table steps: it is BIGINT there")
        expect(yield* seen(narrow)).toEqual([{ id: 1n }])
      }),
    "merge"
  )
]

const keyedBy = (type: string): Table.Table => ({
  name: "steps",
  description: "a key that a run would widen",
  key: ["id"],
  columns: [{ name: "id", type: typeOf(type), nullable: false }]
})

export const sinkWideningLaws: ReadonlyArray<Law> = [...valueLaws, ...unchangedLaws, ...exactnessLaws]
