/**
 * A part of a table in SQL of DuckDB or Postgres: in an order, and only rows that have the words that are looked for and the
 * values that somebody has chosen.
 *
 * It imports nothing of the server, since the page of an exported folder asks with it in the browser.
 */
import type { CellValue, ColumnInfo, Filter, TablesAnswer } from "./ExploreApi.ts"
import { patternsOf } from "./findWords.ts"

/** Rows of a table, in an order. */
export interface Selection {
  readonly table: string
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly key: ReadonlyArray<string>
  /** Words that a row must have; empty: every row. */
  readonly find: string
  readonly where: ReadonlyArray<Filter>
  readonly dialect: TablesAnswer["dialect"]
  /** `name` or `-name`; empty: as the database has them. */
  readonly order: string
}

/** Some of these rows, from one of them on. */
export interface Part extends Selection {
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
  return `SELECT ${shown} FROM (${allSql(part)} LIMIT ${limit} OFFSET ${offset}) AS part`
}

/** All of the rows, with their whole values. */
export const allSql = (rows: Selection): string => `SELECT * FROM ${quote(rows.table)}${where(rows)}${order(rows)}`

/** Undefined: the part itself says how many rows there are, since it ends before it is full. */
export const countSql = (part: Part, found: number): string | undefined =>
  found < part.limit && (found > 0 || part.offset === 0)
    ? undefined
    : `SELECT count(*) AS n FROM ${quote(part.table)}${where(part)}`

/**
 * How many values columns have in the whole table, or in the current rows of a history: which of them are empty. Undefined: no
 * column has only nulls in the part.
 */
export const filledSql = (
  { columns, table, where: filters }: Part,
  rows: ReadonlyArray<ReadonlyArray<CellValue>>
): { readonly sql: string; readonly names: ReadonlyArray<string> } | undefined => {
  // A column that the query names is shown.
  const chosen = new Set(filters.map(({ column }) => column))
  const names = columns.flatMap(({ name }, at) =>
    !chosen.has(name) && rows.every((row) => row[at] === null) ? [name] : []
  )
  if (rows.length === 0 || names.length === 0) return undefined
  const counts = names.map((name, at) => `count(${quote(name)}) AS n${at}`)
  const only = filters.some(isOfCurrent) ? currentOnly : ""
  return { names, sql: `SELECT ${counts.join(", ")} FROM ${quote(table)}${only}` }
}

/** What the page shows first of a history. */
export const currentFilter: Filter = { column: "is_current", kind: "is", value: true }

export const isOfCurrent = (filter: Filter): boolean =>
  filter.kind === "is" && filter.column === currentFilter.column && filter.value === true

/** The same in SQL. */
const currentOnly = " WHERE is_current"

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

const where = (rows: Selection): string => whereSql([...filtersSql(rows), ...wordsSql(rows)])

/** Only the rows that filters leave; empty: all of them. */
export const filteredSql = (rows: Pick<Selection, "where" | "columns">): string => whereSql(filtersSql(rows))

const filtersSql = ({ columns, where }: Pick<Selection, "where" | "columns">): ReadonlyArray<string> =>
  where.map((filter) =>
    filterSql(
      filter,
      columns.find(({ name }) => name === filter.column)
    )
  )

const whereSql = (all: ReadonlyArray<string>): string => (all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`)

/** A value of another type than text comes as the text that casts to it. */
const filterSql = (filter: Filter, column: ColumnInfo | undefined): string => {
  const name = quote(filter.column)
  const type = column?.type ?? "VARCHAR"
  switch (filter.kind) {
    case "filled":
      return `${name} IS NOT NULL`
    case "is": {
      const { value } = filter
      if (value === null) return `${name} IS NULL`
      const text = literal(String(value))
      if (column === undefined || isText(column) || isNested(column)) return `CAST(${name} AS VARCHAR) = ${text}`
      return `${name} = CAST(${text} AS ${type})`
    }
    case "range": {
      const isNumber = column !== undefined && isNumeric(column)
      // The border of a range of whole numbers need not be one.
      const value = isNumber ? `CAST(${name} AS FLOAT8)` : name
      const border = (text: number | string) => `CAST(${literal(String(text))} AS ${isNumber ? "FLOAT8" : type})`
      return `(${value} >= ${border(filter.from)} AND ${value} ${filter.isClosed ? "<=" : "<"} ${border(filter.to)})`
    }
  }
}

export const isNumeric = ({ type }: ColumnInfo): boolean =>
  /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|DOUBLE|REAL|DECIMAL|NUMERIC)\b(?!.*\[)/i.test(type)

/** A day or a moment. */
export const isTime = ({ type }: ColumnInfo): boolean => /^(?:DATE|TIMESTAMP)\b(?!.*\[)/i.test(type)

/** A list, a struct or JSON. */
export const isNested = ({ type }: ColumnInfo): boolean => /\[\]$|^(?:STRUCT|MAP|UNION|JSON)/i.test(type)

/** Each word may be in another column. */
const wordsSql = ({ columns, dialect, find }: Selection): ReadonlyArray<string> => {
  const patterns = patternsOf(find)
  if (patterns.length === 0) return []
  const texts = columns.filter(isText).map(({ name }) => `CAST(${quote(name)} AS VARCHAR)`)
  if (texts.length === 0) return ["false"]
  return patterns.map((pattern) => {
    const wanted = literal(`(?i)${pattern}`)
    const has = texts.map((text) =>
      dialect === "DuckDB" ? `regexp_matches(${text}, ${wanted})` : `${text} ~ ${wanted}`
    )
    return `(${has.join(" OR ")})`
  })
}

/** The key follows, so that equal values have one order on all pages. */
const order = ({ columns, key, order: wanted }: Selection): string => {
  if (wanted === "") return ""
  const name = wanted.replace(/^-/, "")
  const first = `${quote(name)} ${wanted.startsWith("-") ? "DESC" : "ASC"} NULLS LAST`
  const rest = key.filter((one) => one !== name && columns.some((column) => column.name === one)).map(quote)
  return ` ORDER BY ${[first, ...rest].join(", ")}`
}
