/**
 * Runs checks on the staged tables.
 */
import * as Effect from "effect/Effect"
import * as Check from "../Check.ts"
import { quote } from "../Column.ts"
import * as Database from "../Duckdb.ts"
import { sameValues } from "../Duckdb.ts"
import { fractionOf, listOf, millisOf } from "../KeySchemas.ts"
import type * as Sink from "../Sink.ts"
import type * as Stage from "../Stage.ts"
import type * as Table from "../Table.ts"

/** What a check is run on. */
interface Subject {
  readonly database: Database.Database
  readonly table: Table.Table
  /** The number of rows of every table after the steps. */
  readonly counts: Readonly<Record<string, number>>
  /** The relation with the fingerprints of the last successful run; undefined: no run has succeeded yet. */
  readonly last: string | undefined
  /** The condition that a row `t` differs from the fingerprint `l` of the last successful run. */
  readonly differs: string
}

type CheckResults = ReadonlyArray<readonly [check: string, passed: boolean, found: string]>

/** Runs one check. Some checks give one result for each column that they name. */
export const tryCheck = Effect.fnUntraced(function* (check: Check.Check, subject: Subject, facts: Stage.Facts) {
  const results = yield* find(check, subject, facts)
  return results.map(
    ([checkName, passed, found]): Sink.CheckRecord => ({ check: checkName, table: subject.table.name, passed, found })
  )
})

/** The columns that a check names. */
export const columnsOf = (check: Check.Check): ReadonlyArray<string> => [
  ...(check.not_null === undefined ? [] : listOf(check.not_null)),
  ...(check.unique === undefined ? [] : listOf(check.unique)),
  ...Object.keys(check.accepted ?? {}),
  ...(check.freshness === undefined ? [] : [check.freshness.column]),
  ...(check.ok_status === undefined ? [] : ["status_code"])
]

/** A check of one kind against the rows. The kinds `whole` and `required` look at no rows. */
type Finder<Value> = (
  value: Value,
  subject: Subject,
  facts: Stage.Facts,
  name: string
) => Effect.Effect<CheckResults, Database.DatabaseError>

const one =
  <Value>(
    find: (value: Value, subject: Subject, facts: Stage.Facts) => Effect.Effect<Result, Database.DatabaseError>
  ) =>
  (value: Value, subject: Subject, facts: Stage.Facts, name: string) =>
    Effect.map(find(value, subject, facts), (result): CheckResults => [[name, ...result]])

const finders: {
  readonly [K in Exclude<keyof Check.Check, "table" | "whole" | "required">]-?: Finder<NonNullable<Check.Check[K]>>
} = {
  rows: one((rows, subject, facts) => Effect.succeed(rowsResult(rows, subject, facts))),
  not_null: (columns, subject) => emptyResults(listOf(columns), subject),
  unique: one((columns, subject) => doublesResult(listOf(columns), subject)),
  accepted: (columns, subject) =>
    Effect.forEach(Object.entries(columns), ([column, values]) => othersResult(column, values, subject)),
  freshness: one((value, subject, facts) => ageResult(value, subject, facts)),
  ok_status: one((value, subject, facts) => answersResult(value, subject, facts)),
  changed: one((value, subject) => changesResult(value, subject)),
  sql: one((value, subject) => queryResult(value, subject))
}

const find = (check: Check.Check, subject: Subject, facts: Stage.Facts) => {
  const ofKind = <K extends keyof typeof finders>(kind: K) => {
    const value = check[kind]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the finder and the value are of one kind
    const finder = finders[kind] as Finder<typeof value>
    return value === undefined ? Effect.succeed<CheckResults>([]) : finder(value, subject, facts, Check.inWords(check))
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of `finders` are the kinds, as its type says
  const kinds = Object.keys(finders) as ReadonlyArray<keyof typeof finders>
  return Effect.map(Effect.forEach(kinds, ofKind), (results) => results.flat())
}

type Result = readonly [passed: boolean, found: string]

const rowsResult = (
  { drop, max, min }: NonNullable<Check.Check["rows"]>,
  { counts, table }: Subject,
  { lastRows, revalidated = 0 }: Stage.Facts
): Result => {
  // Unchanged rows are not staged, but they exist.
  const total = (counts[table.name] ?? 0) + revalidated
  const last = lastRows?.[table.name]
  const least = Math.max(min ?? 0, drop === undefined || last === undefined ? 0 : last * (1 - fractionOf(drop)))
  const before =
    drop === undefined
      ? ""
      : last === undefined
        ? ", and no successful run before"
        : `, ${of(last)} in the last successful run`
  return [total >= least && total <= (max ?? Infinity), `${of(total)}${before}`]
}

/** Numbers that a query finds in the rows of the table. */
const numbers = ({ database, table }: Subject, select: string, rest = "") =>
  Database.numbers(database, `SELECT ${select} FROM ${quote(table.name)} ${rest}`)

const emptyResults = Effect.fnUntraced(function* (columns: ReadonlyArray<string>, subject: Subject) {
  const all = of(subject.counts[subject.table.name] ?? 0)
  const empty = yield* numbers(
    subject,
    columns.map((column) => `count(*) FILTER (${quote(column)} IS NULL)`).join(", ")
  )
  return columns.map((column, at): CheckResults[number] => {
    const n = empty[at] ?? 0
    return [Check.inWords({ not_null: column }), n === 0, `${n.toLocaleString("en-US")} of ${all} have no ${column}`]
  })
})

const doublesResult = Effect.fnUntraced(function* (columns: ReadonlyArray<string>, { database, table }: Subject) {
  const [from, keys] = [quote(table.name), columns.map(quote).join(", ")]
  const [doubles = 0] = yield* Database.numbers(
    database,
    `SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM ${from} GROUP BY ${keys} HAVING count(*) > 1)`
  )
  const names = columns.join(", ")
  return [doubles === 0, `${of(doubles)} share their ${names} with another`] satisfies Result
})

const othersResult = Effect.fnUntraced(function* (
  column: string,
  values: NonNullable<Check.Check["accepted"]>[string],
  subject: Subject
) {
  const from = quote(subject.table.name)
  const wrong = `WHERE ${quote(column)} NOT IN (${values.map(literalOf).join(", ")})`
  const [n = 0] = yield* numbers(subject, "count(*)", wrong)
  const [odd] =
    n === 0
      ? []
      : yield* Database.texts(subject.database, `SELECT ${quote(column)}::VARCHAR FROM ${from} ${wrong} LIMIT 1`)
  const as = odd === undefined ? "" : `, such as ${JSON.stringify(odd)}`
  const found = `${of(n)} ${n === 1 ? "has" : "have"} another ${column}${as}`
  return [Check.inWords({ accepted: { [column]: values } }), n === 0, found] satisfies CheckResults[number]
})

const ageResult = Effect.fnUntraced(function* (
  { column, max }: NonNullable<Check.Check["freshness"]>,
  subject: Subject,
  { now, revalidated = 0 }: Stage.Facts
): Effect.fn.Return<Result, Database.DatabaseError> {
  const [last] = yield* numbers(subject, `epoch_us(max(${quote(column)})::TIMESTAMP)`)
  const newest = revalidated > 0 ? Number(now) : last
  const all = (subject.counts[subject.table.name] ?? 0) + revalidated
  if (newest === undefined || all === 0) return [false, `no row has a ${column}`]
  const age = (Number(now) - newest) / 1000
  const hours = (Math.max(0, age) / 3_600_000).toFixed(1)
  return [age <= millisOf(max), `the newest ${column} is ${hours} hours old`]
})

const answersResult = Effect.fnUntraced(function* (
  least: NonNullable<Check.Check["ok_status"]>,
  subject: Subject,
  { failed, revalidated = 0 }: Stage.Facts
): Effect.fn.Return<Result, Database.DatabaseError> {
  const [read = 0] = yield* numbers(subject, "count(*) FILTER (status_code BETWEEN 200 AND 399)")
  const ok = read + revalidated
  const all = (subject.counts[subject.table.name] ?? 0) + revalidated + failed
  const found = `${ok.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} pages answered with a status of 200 to 399 (${percent(ok, all)})`
  return [all > 0 && ok / all >= fractionOf(least), found]
})

const changesResult = Effect.fnUntraced(function* (
  { max, min }: NonNullable<Check.Check["changed"]>,
  { database, differs, last, table }: Subject
): Effect.fn.Return<Result, Database.DatabaseError> {
  if (last === undefined) return [true, "no successful run before to compare with"]
  const [known = 0, other = 0] = yield* Database.numbers(
    database,
    `SELECT count(*), count(*) FILTER (${differs}) FROM ${quote(table.name)} AS t JOIN ${last} AS l ON ${sameValues(table.key, "t", table.key, "l")}`
  )
  const part = known === 0 ? 0 : other / known
  const passed = part <= fractionOf(max ?? "100%") && (known === 0 || part >= fractionOf(min ?? "0%"))
  return [passed, `${other.toLocaleString("en-US")} of ${of(known)} known before changed (${percent(other, known)})`]
})

/** What a query of the user finds is wrong. */
const queryResult = Effect.fnUntraced(function* (
  sql: string,
  { database }: Subject
): Effect.fn.Return<Result, Database.DatabaseError> {
  const [n = 0] = yield* Database.numbers(database, `SELECT count(*) FROM (${sql}\n)`)
  const [first] =
    n === 0 ? [] : yield* Database.texts(database, `SELECT to_json(wrong)::VARCHAR FROM (${sql}\n) AS wrong LIMIT 1`)
  const as = first === undefined ? "" : `, such as ${first.length > 200 ? `${first.slice(0, 200)}...` : first}`
  return [n === 0, `it finds ${of(n)}${as}`]
})

const of = (rows: number): string => `${rows.toLocaleString("en-US")} ${rows === 1 ? "row" : "rows"}`
const percent = (part: number, all: number): string => `${all === 0 ? 0 : Math.round((part / all) * 1000) / 10}%`

/** A value as an SQL text, which DuckDB converts to the type of the column that it is compared with. */
export const literalOf = (value: string | number | boolean): string => Database.literal(String(value))
