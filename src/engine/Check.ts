/**
 * A check before the commit: a condition that the staged rows must meet.
 *
 * If a check does not pass, the commit is held. Every check of a run is evaluated, and each reports what it found.
 * `whole` uses counts and no rows, so it needs no stage.
 */
import * as Schema from "effect/Schema"
import { columnName, columnNames, duration, exactlyOne, share, tableName } from "./KeySchemas.ts"

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const kinds = {
  rows: Schema.optionalKey(
    Schema.Struct({
      min: Schema.optionalKey(
        count.annotate({ description: "the minimum number of rows; with fewer, the commit is held" })
      ),
      max: Schema.optionalKey(
        count.annotate({ description: "the maximum number of rows; with more, the commit is held" })
      ),
      drop: Schema.optionalKey(
        share.annotate({ description: "the share of rows that may be missing, compared with the last successful run" })
      )
    }).annotate({ description: "how many rows there are" })
  ),
  not_null: Schema.optionalKey(columnNames.annotate({ description: "columns that must have a value in every row" })),
  unique: Schema.optionalKey(columnNames.annotate({ description: "columns whose values must be unique" })),
  accepted: Schema.optionalKey(
    Schema.Record(
      columnName,
      Schema.NonEmptyArray(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))
    ).annotate({ description: "the values that a column may have: { language: [en, de] }; null is allowed" })
  ),
  freshness: Schema.optionalKey(
    Schema.Struct({
      column: columnName.annotate({ description: "a column of dates or times" }),
      max: duration.annotate({ description: "how old its newest value may be: 24h" })
    }).annotate({ description: "how old the newest row is" })
  ),
  ok_status: Schema.optionalKey(
    share.annotate({
      description: "the minimum share of the requested pages that must answer with a status of 200 to 399: 98%"
    })
  ),
  changed: Schema.optionalKey(
    Schema.Struct({
      max: Schema.optionalKey(
        share.annotate({ description: "the maximum share of changed rows; with more, the commit is held" })
      ),
      min: Schema.optionalKey(
        share.annotate({ description: "the minimum share of changed rows; with fewer, the commit is held" })
      )
    }).annotate({
      description: "the share of the rows of the last successful run whose fingerprint has changed"
    })
  ),
  whole: Schema.optionalKey(
    Schema.Union([share, Schema.Literal("off")]).annotate({
      description:
        "the share of rows that may be missing, of those that the source discovered or that the last successful " +
        "run had; off: any share, even a run with nothing to load. default: 10% for crawls"
    })
  ),
  sql: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "an SQL query for wrong rows: the check passes if it finds none. Use the names of the tables"
    })
  )
}

/**
 * A check before the commit, as in a pipeline file: one key beside `table` says what must be true.
 *
 * @example
 * ```ts
 * import { type Check, rows, run } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const checks: ReadonlyArray<Check.Check> = [{ rows: { min: 1 } }, { not_null: ["name"] }]
 * const source = rows([{ id: 1, name: null }], { table: "people", columns: { id: "BIGINT", name: "VARCHAR" } })
 * const report = await run({ source, sinks: { out: memory.with({ name: "people" }) }, checks })
 * console.log(report.status) // "held"
 * ```
 */
export const Check = Schema.Struct({
  table: Schema.optionalKey(tableName.annotate({ description: "the table; default: the main table" })),
  ...kinds
}).check(
  exactlyOne("check", Object.keys(kinds)),
  Schema.makeFilter(({ table, whole }: { readonly table?: string; readonly whole?: string }) =>
    whole === undefined || table === undefined
      ? true
      : { path: ["table"], issue: "whole applies to the main table only; leave table out" }
  ),
  Schema.makeFilter(({ rows }: { readonly rows?: { readonly min?: number; readonly max?: number } }) =>
    rows?.min === undefined || rows.max === undefined || rows.min <= rows.max
      ? true
      : { path: ["rows", "max"], issue: `max (${rows.max}) is less than min (${rows.min})` }
  )
)
export type Check = typeof Check.Type

/**
 * Whether a check looks at rows, so that no row is committed before the check has run.
 *
 * @internal
 */
export const looksAtRows = ({ whole }: Check): boolean => whole === undefined

/**
 * A check as text: `rows: {"min":500}`.
 *
 * @internal
 */
export const inWords = (check: Check): string => {
  const [[kind, value] = ["", ""]] = Object.entries(check).filter(([key]) => key !== "table")
  return `${kind}: ${typeof value === "string" ? value : JSON.stringify(value)}`
}
