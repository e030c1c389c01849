/**
 * A check before the commit: a condition that the staged rows must meet.
 *
 * If a check does not pass, the commit is held. Every check of a run is evaluated, and each reports what it found.
 * `whole` and `required` use counts and no rows, so they need no stage.
 */
import * as Schema from "effect/Schema"
import {
  columnName,
  columnNames,
  duration,
  durationInWords,
  exactlyOne,
  fractionOf,
  listOf,
  share,
  tableName
} from "./KeySchemas.ts"

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
  required: Schema.optionalKey(
    share.annotate({
      description:
        "the minimum share of the values that the schema of an extract or an agent requires, and that must be found: 95%"
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
  Schema.makeFilter((check: { readonly table?: string; readonly whole?: string; readonly required?: string }) =>
    check.table === undefined || (check.whole === undefined && check.required === undefined)
      ? true
      : {
          path: ["table"],
          issue: `${check.whole === undefined ? "required" : "whole"} applies to the main table only; leave table out`
        }
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
export const looksAtRows = ({ required, whole }: Check): boolean => required === undefined && whole === undefined

/**
 * A check in words, as the command line, notices, reports and `_millrace_checks` say it:
 * `rows: at least 100 and at most 20% fewer than last time`.
 *
 * @internal
 */
export const inWords = (check: Check): string => {
  return allKinds.flatMap((kind) => phraseOf(kind, check)).join("; ")
}

type Kind = keyof typeof kinds

const phraseOf = <K extends Kind>(kind: K, check: Check): ReadonlyArray<string> => {
  const value = check[kind]
  return value === undefined ? [] : [words[kind](value)]
}

const words: { readonly [K in Kind]: (value: NonNullable<Check[K]>) => string } = {
  rows: ({ drop, max, min }) => {
    const isExact = min !== undefined && min === max
    const parts = [
      ...(isExact ? [`exactly ${shown(min)}`] : []),
      ...(isExact || min === undefined ? [] : [`at least ${shown(min)}`]),
      ...(isExact || max === undefined ? [] : [`at most ${shown(max)}`]),
      ...(drop === undefined ? [] : [fractionOf(drop) === 0 ? noFewer : `at most ${drop} fewer than last time`])
    ]
    return `rows: ${parts.length === 0 ? "any number" : joined(parts, "and")}`
  },
  not_null: (columns) => `${listOf(columns).join(", ")}: a value in every row`,
  unique: (columns) => {
    const names = listOf(columns)
    return `${names.join(", ")}: no two rows with the same value${names.length === 1 ? "" : "s"}`
  },
  accepted: (columns) =>
    Object.entries(columns)
      .map(([column, values]) => `${column}: only ${joined(fewOf(values.map(String)), "or")}`)
      .join("; "),
  freshness: ({ column, max }) => `${column}: the newest at most ${durationInWords(max)} old`,
  ok_status: (least) => `pages: at least ${least} with a status of 200 to 399`,
  changed: ({ max, min }) => {
    const parts = [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])]
    return `changed rows: ${parts.length === 0 ? "any share" : joined(parts, "and")}`
  },
  whole: (most) => (most === "off" ? "whole: any share may be missing" : `whole: at most ${most} may be missing`),
  required: (least) => `required values: at least ${least} found`,
  sql: (query) => `no row of: ${query}`
}

const noFewer = "no fewer than last time"

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of `words` are the kinds, as its type says
const allKinds = Object.keys(words) as ReadonlyArray<Kind>

const shown = (n: number): string => n.toLocaleString("en-US")

const joined = (parts: ReadonlyArray<string>, word: "and" | "or"): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1) ?? ""}`

/** A list of accepted values may be long. */
const mostValues = 8
const fewOf = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.length <= mostValues
    ? values
    : [...values.slice(0, mostValues - 1), `${shown(values.length - mostValues + 1)} other values`]
