/** `millrace sql` finds by a predicate the rows of which it is true, of every column and type. It needs no Python. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { parquet } from "#connectors/parquet/index"
import * as Column from "#engine/Column"
import type { Queries } from "#engine/Queries"
import type * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { sampleOf } from "../../../thoroughness.ts"
import { stores } from "../lake.ts"
import { type Asked, layouts, statesOf, writes } from "./lakeOfValues.ts"

const rowsOf = (queries: Queries, sql: string) =>
  Effect.flatMap(queries.ask(sql), ({ rows }) => Effect.map(Stream.runCollect(rows), (some) => some.flat()))

const nameOf = ({ path }: Asked): string => path.map(Column.quote).join(".")
const isNested = ({ type }: Asked): boolean => type.endsWith("[]") || type.startsWith("STRUCT")

/** A value as a constant of SQL, whatever characters it has. */
const literal = (text: string, type: string): string =>
  `CAST(decode(from_base64('${Buffer.from(text).toString("base64")}')) AS ${type})`

/** The least and the greatest value of a column, one between, and two that may not be there. */
const literalsOf = Effect.fnUntraced(function* (queries: Queries, column: Asked) {
  const name = nameOf(column)
  const [row = {}] = yield* rowsOf(
    queries,
    `SELECT min(${name})::VARCHAR AS a, max(${name})::VARCHAR AS b, any_value(${name} ORDER BY id)::VARCHAR AS c FROM cells`
  )
  const own = Object.values(row).filter((value) => typeof value === "string")
  const others: Readonly<Record<string, ReadonlyArray<string>>> = {
    VARCHAR: ["", "m"],
    JSON: [`""`, "{}"],
    DOUBLE: ["0", "-0", "inf", "nan"],
    DATE: ["2000-02-29"],
    TIMESTAMP: ["2000-02-29 01:02:03.000004"]
  }
  return [...own, ...(others[column.type] ?? ["0", "1"])].map((text) => literal(text, column.type))
})

/** Predicates of a column, each as SQL over a value. */
const predicatesOf = (column: Asked, literals: ReadonlyArray<string>): ReadonlyArray<(value: string) => string> => [
  (value) => `${value} IS NULL`,
  (value) => `${value} IS NOT NULL`,
  ...(isNested(column)
    ? []
    : [
        ...literals.flatMap((one) =>
          ["=", "<", ">="].map((operator) => (value: string) => `${value} ${operator} ${one}`)
        ),
        (value: string) => `${value} IN (${literals.join(", ")})`,
        (value: string) => `${value} IN (${literals.slice(-2).join(", ")})`
      ])
]

/**
 * How many rows each predicate is true of: as filters, which the bounds of files help to answer, and by a look at every row.
 * The value in the second is drawn, so no engine can move the predicate to the files.
 */
const countsOf = Effect.fnUntraced(function* (queries: Queries, column: Asked) {
  const name = nameOf(column)
  const literals = isNested(column) ? [] : yield* literalsOf(queries, column)
  const predicates = predicatesOf(column, literals)
  const drawn = `CASE WHEN random() >= 0 THEN ${name} END`
  const looks = predicates.map((predicate, at) => `count(*) FILTER (WHERE ${predicate("value")}) AS n${at}`)
  const [there = {}] = yield* rowsOf(queries, `SELECT ${looks.join(", ")} FROM (SELECT ${drawn} AS value FROM cells)`)
  const filters = predicates.map((predicate, at) => `(SELECT count(*) FROM cells WHERE ${predicate(name)}) AS n${at}`)
  const [found = {}] = yield* rowsOf(queries, `SELECT ${filters.join(", ")}`)
  const shown = (counts: Table.Row) => predicates.map((predicate, at) => `${predicate(name)}: ${counts[`n${at}`]}`)
  return { found: shown(found), there: shown(there) }
})

const cases = writes.flatMap((write) => Object.entries(layouts).map(([name, layout]) => ({ write, name, layout })))

it.effect.each(sampleOf(cases, 2, ({ name, write }) => `${write} ${name}`))(
  "after runs of $write, compact and vacuum a filter finds in a table $name what is there",
  ({ layout, write }) =>
    Effect.gen(function* () {
      const directory = yield* folder
      const states = yield* statesOf(directory, write, layout)
      const queries = yield* parquet.with({ path: "lake" }).queries?.(directory, {}) ?? Effect.die("no queries")
      for (const column of states.at(-1)?.columns ?? []) {
        const { found, there } = yield* countsOf(queries, column)
        expect(found).toEqual(there)
        expect(there.length).toBeGreaterThan(1)
      }
    }).pipe(Effect.scoped, Effect.provide(stores))
)
