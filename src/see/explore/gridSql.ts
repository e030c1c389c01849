/**
 * A part of a table in SQL of DuckDB or Postgres: in an order, and only rows that have the words that are looked for.
 *
 * It imports nothing of the server, since the page of an exported folder asks with it in the browser.
 */
import type { ColumnInfo, TablesAnswer } from "./ExploreApi.ts"
import { patternsOf } from "./findWords.ts"

export interface Part {
  readonly table: string
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly key: ReadonlyArray<string>
  /** Words that a row must have; empty: every row. */
  readonly find: string
  readonly dialect: TablesAnswer["dialect"]
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
  const shown = part.isWhole ? "*" : part.columns.map(shortened(part)).join(", ")
  const { limit, offset } = part
  return `SELECT ${shown} FROM (SELECT * FROM ${quote(part.table)}${where(part)}${order(part)} LIMIT ${limit} OFFSET ${offset}) AS part`
}

/** Undefined: the part itself says how many rows there are, since it ends before it is full. */
export const countSql = (part: Part, found: number): string | undefined =>
  found < part.limit && (found > 0 || part.offset === 0)
    ? undefined
    : `SELECT count(*) AS n FROM ${quote(part.table)}${where(part)}`

export const quote = (name: string): string => `"${name.replaceAll(`"`, `""`)}"`

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Whether words are looked for in a column. */
export const isText = ({ type }: ColumnInfo): boolean => /^(?:VARCHAR|JSONB?|TEXT|CHARACTER VARYING.*)$/i.test(type)

/**
 * Long texts stay in the database: a page of HTML in each of 500 rows would be slow to send, and nobody reads it in a grid.
 * Of a text that has a word beyond its beginning, the place with the word is shown.
 */
const shortened =
  ({ dialect, find }: Pick<Part, "find" | "dialect">) =>
  (column: ColumnInfo): string => {
    const quoted = quote(column.name)
    if (!isText(column)) return quoted
    const text = `CAST(${quoted} AS VARCHAR)`
    const begin = `left(${text}, ${longestCell + 1})`
    const patterns = patternsOf(find)
    if (patterns.length === 0) return `${begin} AS ${quoted}`
    const any = literal(`(?i)(?:${patterns.join("|")})`)
    const word = dialect === "DuckDB" ? `regexp_extract(${text}, ${any})` : `substring(${text} FROM ${any})`
    const at = `strpos(${text}, ${word})`
    const place = `'…' || substring(${text}, CAST(${at} - ${before} AS INTEGER), ${longestCell})`
    return `CASE WHEN ${at} > ${longestCell - before} THEN ${place} ELSE ${begin} END AS ${quoted}`
  }

/** Characters that are shown before a word. */
const before = 40

/** Each word may be in another column. */
const where = ({ columns, dialect, find }: Pick<Part, "columns" | "find" | "dialect">): string => {
  const patterns = patternsOf(find)
  if (patterns.length === 0) return ""
  const texts = columns.filter(isText).map(({ name }) => `CAST(${quote(name)} AS VARCHAR)`)
  if (texts.length === 0) return " WHERE false"
  const words = patterns.map((pattern) => {
    const wanted = literal(`(?i)${pattern}`)
    const has = texts.map((text) =>
      dialect === "DuckDB" ? `regexp_matches(${text}, ${wanted})` : `${text} ~ ${wanted}`
    )
    return `(${has.join(" OR ")})`
  })
  return ` WHERE ${words.join(" AND ")}`
}

/** The key follows, so that equal values have one order on all pages. */
const order = ({ columns, key, order: wanted }: Part): string => {
  if (wanted === "") return ""
  const name = wanted.replace(/^-/, "")
  const first = `${quote(name)} ${wanted.startsWith("-") ? "DESC" : "ASC"} NULLS LAST`
  const rest = key.filter((one) => one !== name && columns.some((column) => column.name === one)).map(quote)
  return ` ORDER BY ${[first, ...rest].join(", ")}`
}
