/**
 * A check before the commit: what has to hold of the staged rows.
 *
 * The law: a check that does not pass holds the commit. Every check of a run is tried, and each says what it found. `whole`
 * looks at what was counted and at no row, so it needs no stage.
 */
import * as Schema from "effect/Schema"
import { exactlyOne } from "./exactlyOne.ts"
import { duration, share } from "./Measures.ts"
import { columnName, columnNames, tableName } from "./Names.ts"

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const kinds = {
  rows: Schema.optionalKey(
    Schema.Struct({
      min: Schema.optionalKey(count.annotate({ description: "the least number of rows; fewer hold the commit" })),
      max: Schema.optionalKey(count.annotate({ description: "the greatest number of rows; more hold the commit" })),
      drop: Schema.optionalKey(
        share.annotate({ description: "how many fewer rows than in the last good run are allowed" })
      )
    }).annotate({ description: "how many rows there are" })
  ),
  not_null: Schema.optionalKey(columnNames.annotate({ description: "columns that every row fills" })),
  unique: Schema.optionalKey(columnNames.annotate({ description: "columns in which no two rows are equal" })),
  accepted: Schema.optionalKey(
    Schema.Record(
      columnName,
      Schema.NonEmptyArray(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))
    ).annotate({ description: "the values that a column may have: { language: [en, de] }; null is allowed" })
  ),
  freshness: Schema.optionalKey(
    Schema.Struct({
      column: columnName.annotate({ description: "a column of days or of moments" }),
      max: duration.annotate({ description: "how old its newest value may be: 24h" })
    }).annotate({ description: "how old the newest row is" })
  ),
  ok_status: Schema.optionalKey(
    share.annotate({ description: "the least share of pages that answered well, of all that were asked for: 98%" })
  ),
  changed: Schema.optionalKey(
    Schema.Struct({
      max: Schema.optionalKey(share.annotate({ description: "a greater share of changed rows holds the commit" })),
      min: Schema.optionalKey(share.annotate({ description: "a smaller share of changed rows holds the commit" }))
    }).annotate({
      description: "the share of the rows known from the last good run whose fingerprint differs"
    })
  ),
  whole: Schema.optionalKey(
    Schema.Union([share, Schema.Literal("off")]).annotate({
      description:
        "the share of what the source discovered, or of what the last good run had, that may be missing; off: any. " +
        "default: 10% for crawls"
    })
  ),
  sql: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description: "a query for rows that are wrong: it passes when it finds none. Tables go by their names"
    })
  )
}

export const Check = Schema.Struct({
  table: Schema.optionalKey(tableName.annotate({ description: "the table; default: the main table" })),
  ...kinds
}).check(
  exactlyOne("check", Object.keys(kinds)),
  Schema.makeFilter(({ table, whole }: { readonly table?: string; readonly whole?: string }) =>
    whole === undefined || table === undefined
      ? true
      : { path: ["table"], issue: "whole is for the main table; leave table out" }
  )
)
export type Check = typeof Check.Type

/** Whether a check looks at rows, so that they must wait for it. */
export const looksAtRows = ({ whole }: Check): boolean => whole === undefined

/** A check as its file says it: `rows: {"min":500}`. */
export const inWords = (check: Check): string => {
  const [[kind, value] = ["", ""]] = Object.entries(check).filter(([key]) => key !== "table")
  return `${kind}: ${typeof value === "string" ? value : JSON.stringify(value)}`
}
