/**
 * A part of a table in SQL that DuckDB and Postgres both read: in an order, and only rows that have a text somewhere.
 *
 * The law: it imports nothing but types, since the page of an exported folder asks with it in the browser.
 */
import type { ColumnInfo } from "./ExploreApi.ts"

export interface Part {
  readonly table: string
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly key: ReadonlyArray<string>
  /** A text that a row must have; empty: every row. */
  readonly find: string
  /** `name` or `-name`; empty: as the database has them. */
  readonly order: string
  readonly offset: number
  readonly limit: number
  /** Whether long texts come whole. */
  readonly isWhole: boolean
}

/** Characters of a cell in a grid. */
export const longestCell = 200

export const partSql = (part: Part): string => {
  const shown = part.isWhole ? "*" : part.columns.map(shortened).join(", ")
  const { limit, offset } = part
  return `SELECT ${shown} FROM (SELECT * FROM ${quote(part.table)}${where(part)}${order(part)} LIMIT ${limit} OFFSET ${offset}) AS part`
}

export const countSql = (part: Pick<Part, "table" | "columns" | "find">): string =>
  `SELECT count(*) AS n FROM ${quote(part.table)}${where(part)}`

export const quote = (name: string): string => `"${name.replaceAll(`"`, `""`)}"`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const isText = ({ type }: ColumnInfo): boolean => /^(?:VARCHAR|JSONB?|TEXT|CHARACTER VARYING.*)$/i.test(type)

/** Long texts stay in the database: a page of HTML in each of 500 rows would be slow to send, and nobody reads it in a grid. */
const shortened = (column: ColumnInfo): string => {
  const quoted = quote(column.name)
  return isText(column) ? `left(CAST(${quoted} AS VARCHAR), ${longestCell + 1}) AS ${quoted}` : quoted
}

const where = ({ columns, find }: Pick<Part, "columns" | "find">): string => {
  if (find === "") return ""
  const has = columns
    .filter(isText)
    .map(({ name }) => `strpos(lower(CAST(${quote(name)} AS VARCHAR)), lower(${literal(find)})) > 0`)
  return ` WHERE ${has.length === 0 ? "false" : has.join(" OR ")}`
}

/** The key follows, so that equal values have one order on all pages. */
const order = ({ columns, key, order: asked }: Part): string => {
  if (asked === "") return ""
  const name = asked.replace(/^-/, "")
  const first = `${quote(name)} ${asked.startsWith("-") ? "DESC" : "ASC"} NULLS LAST`
  const rest = key.filter((one) => one !== name && columns.some((column) => column.name === one)).map(quote)
  return ` ORDER BY ${[first, ...rest].join(", ")}`
}
