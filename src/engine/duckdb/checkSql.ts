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

type Found = ReadonlyArray<readonly [check: string, passed: boolean, found: string]>

/** Runs one check. Some checks give one result for each column that they name. */
export const tryCheck = Effect.fnUntraced(function* (check: Check.Check, subject: Subject, facts: Stage.Facts) {
  const found = yield* find(check, subject, facts)
  return found.map(
    ([said, passed, found]): Sink.CheckRecord => ({ check: said, table: subject.table.name, passed, found })
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

const find = Effect.fnUntraced(function* (check: Check.Check, subject: Subject, facts: Stage.Facts) {
  const { counts, database, table } = subject
  const { accepted, changed, freshness, not_null: notNull, ok_status: okStatus, rows, sql, unique } = check
  const name = Check.inWords(check)
  const from = quote(table.name)
  const { revalidated = 0 } = facts
  const staged = counts[table.name] ?? 0
  const numbers = (select: string, rest = "") => Database.numbers(database, `SELECT ${select} FROM ${from} ${rest}`)

  if (rows !== undefined) {
    // Unchanged rows are not staged, but they exist.
    const total = staged + revalidated
    const last = facts.lastRows?.[table.name]
    const least = Math.max(
      rows.min ?? 0,
      rows.drop === undefined || last === undefined ? 0 : last * (1 - fractionOf(rows.drop))
    )
    const before =
      rows.drop === undefined
        ? ""
        : last === undefined
          ? ", and no successful run before"
          : `, ${of(last)} in the last successful run`
    return [[name, total >= least && total <= (rows.max ?? Infinity), `${of(total)}${before}`]] satisfies Found
  }
  if (notNull !== undefined) {
    const columns = listOf(notNull)
    const empty = yield* numbers(columns.map((column) => `count(*) FILTER (${quote(column)} IS NULL)`).join(", "))
    return columns.map((column, at): Found[number] => {
      const n = empty[at] ?? 0
      return [`not_null: ${column}`, n === 0, `${n.toLocaleString("en-US")} of ${of(staged)} have no ${column}`]
    })
  }
  if (unique !== undefined) {
    const columns = listOf(unique)
    const keys = columns.map(quote).join(", ")
    const [doubles = 0] = yield* Database.numbers(
      database,
      `SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM ${from} GROUP BY ${keys} HAVING count(*) > 1)`
    )
    const found = `${of(doubles)} share their ${columns.join(", ")} with another`
    return [[`unique: ${columns.join(", ")}`, doubles === 0, found]] satisfies Found
  }
  if (accepted !== undefined) {
    return yield* Effect.forEach(Object.entries(accepted), ([column, values]) =>
      Effect.gen(function* () {
        const wrong = `WHERE ${quote(column)} NOT IN (${values.map(literalOf).join(", ")})`
        const [n = 0] = yield* numbers("count(*)", wrong)
        const [odd] =
          n === 0
            ? []
            : yield* Database.texts(database, `SELECT ${quote(column)}::VARCHAR FROM ${from} ${wrong} LIMIT 1`)
        const as = odd === undefined ? "" : `, such as ${JSON.stringify(odd)}`
        return [
          `accepted: ${column}`,
          n === 0,
          `${of(n)} ${n === 1 ? "has" : "have"} another ${column}${as}`
        ] satisfies Found[number]
      })
    )
  }
  if (freshness !== undefined) {
    const { column, max } = freshness
    const [last] = yield* numbers(`epoch_us(max(${quote(column)})::TIMESTAMP)`)
    const newest = revalidated > 0 ? Number(facts.now) : last
    if (newest === undefined || staged + revalidated === 0)
      return [[name, false, `no row has a ${column}`]] satisfies Found
    const age = (Number(facts.now) - newest) / 1000
    const hours = (Math.max(0, age) / 3_600_000).toFixed(1)
    return [[name, age <= millisOf(max), `the newest ${column} is ${hours} hours old`]] satisfies Found
  }
  if (okStatus !== undefined) {
    const [read = 0] = yield* numbers("count(*) FILTER (status_code BETWEEN 200 AND 399)")
    const ok = read + revalidated
    const all = staged + revalidated + facts.failed
    const found = `${ok.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} pages answered with a status of 200 to 399 (${percent(ok, all)})`
    return [[name, all > 0 && ok / all >= fractionOf(okStatus), found]] satisfies Found
  }
  if (changed !== undefined) {
    if (subject.last === undefined) return [[name, true, "no successful run before to compare with"]] satisfies Found
    const [known = 0, other = 0] = yield* Database.numbers(
      database,
      `SELECT count(*), count(*) FILTER (${subject.differs}) FROM ${from} AS t JOIN ${subject.last} AS l ON ${sameValues(table.key, "t", table.key, "l")}`
    )
    const part = known === 0 ? 0 : other / known
    const passed = part <= fractionOf(changed.max ?? "100%") && (known === 0 || part >= fractionOf(changed.min ?? "0%"))
    const found = `${other.toLocaleString("en-US")} of ${of(known)} known before changed (${percent(other, known)})`
    return [[name, passed, found]] satisfies Found
  }
  const wrong = sql ?? ""
  const [n = 0] = yield* Database.numbers(database, `SELECT count(*) FROM (${wrong}\n)`)
  const [first] =
    n === 0 ? [] : yield* Database.texts(database, `SELECT to_json(wrong)::VARCHAR FROM (${wrong}\n) AS wrong LIMIT 1`)
  const as = first === undefined ? "" : `, such as ${first.length > 200 ? `${first.slice(0, 200)}...` : first}`
  return [[name, n === 0, `it finds ${of(n)}${as}`]] satisfies Found
})

const of = (rows: number): string => `${rows.toLocaleString("en-US")} ${rows === 1 ? "row" : "rows"}`
const percent = (part: number, all: number): string => `${all === 0 ? 0 : Math.round((part / all) * 1000) / 10}%`

/** A value as an SQL text, which DuckDB converts to the type of the column that it is compared with. */
export const literalOf = (value: string | number | boolean): string => Database.literal(String(value))
