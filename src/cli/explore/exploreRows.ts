/** A part of a table for a grid: in an order, and only rows that have a text somewhere. */
import * as Effect from "effect/Effect"
import { literal } from "../../duckdb/Database.ts"
import * as Column from "../../pipeline/Column.ts"
import { wrong } from "../CliFailure.ts"
import type { ColumnInfo, RowsAnswer } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { columnsIn } from "./exploreTables.ts"
import { gridRows } from "./gridRows.ts"

export const mostRows = 500
/** Characters of a cell in a grid; a single row has them all, up to a limit. */
const longestCell = 200
const longestValue = 1_000_000

export const exploreRows = Effect.fn("exploreRows")(function* (explorer: Explorer.Explorer, asked: URLSearchParams) {
  const table = asked.get("table") ?? ""
  const offset = yield* wholeNumber(asked, "offset", 0, Number.MAX_SAFE_INTEGER)
  const limit = yield* wholeNumber(asked, "limit", 100, mostRows)
  const isWhole = asked.get("whole") === "true"
  if (isWhole && limit !== 1) return yield* wrong("`whole` shows one row: ask with limit=1")
  return yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const columns = (yield* columnsIn(queries)).get(table)
      if (columns === undefined) return yield* wrong(`there is no table ${table} in sink ${explorer.name}`)
      const where = whereOf(columns, asked.get("find") ?? "")
      const order = yield* orderOf(explorer, table, columns, asked.get("order") ?? "")
      const shown = isWhole ? "*" : columns.map(shortened).join(", ")
      const answer = yield* Effect.flatMap(
        queries.ask(
          `SELECT ${shown} FROM (FROM ${Column.quote(table)}${where}${order} LIMIT ${limit} OFFSET ${offset})`
        ),
        (found) =>
          gridRows(found, { rows: mostRows, cell: isWhole ? longestValue : longestCell, characters: 64_000_000 })
      )
      const rows: RowsAnswer = { ...answer, columns }
      if (asked.get("count") !== "true") return rows
      const [counted] = yield* Explorer.rowsOf(queries, `SELECT count(*) AS n FROM ${Column.quote(table)}${where}`)
      const withTotal: RowsAnswer = { ...rows, total: Number(counted?.["n"] ?? 0) }
      return withTotal
    })
  )
})

const wholeNumber = Effect.fnUntraced(function* (
  asked: URLSearchParams,
  name: string,
  otherwise: number,
  most: number
) {
  const text = asked.get(name)
  if (text === null) return otherwise
  return /^\d{1,15}$/.test(text) && Number(text) <= most
    ? Number(text)
    : yield* wrong(`${name} must be a whole number of at most ${most}, not ${text.slice(0, 40)}`)
})

const isText = ({ type }: ColumnInfo): boolean => type === "VARCHAR" || type === "JSON"

/** Long texts stay in the database: a page of HTML in each of 500 rows would be slow to send, and nobody reads it in a grid. */
const shortened = (column: ColumnInfo): string => {
  const quoted = Column.quote(column.name)
  return isText(column) ? `left(CAST(${quoted} AS VARCHAR), ${longestCell + 1}) AS ${quoted}` : quoted
}

const whereOf = (columns: ReadonlyArray<ColumnInfo>, find: string): string => {
  if (find === "") return ""
  const has = columns
    .filter(isText)
    .map(({ name }) => `contains(lower(CAST(${Column.quote(name)} AS VARCHAR)), lower(${literal(find)}))`)
  return ` WHERE ${has.length === 0 ? "false" : has.join(" OR ")}`
}

/** `name` or `-name`. The key follows, so that equal values have one order on all pages. */
const orderOf = Effect.fnUntraced(function* (
  { layout }: Explorer.Explorer,
  table: string,
  columns: ReadonlyArray<ColumnInfo>,
  order: string
) {
  if (order === "") return ""
  const name = order.replace(/^-/, "")
  if (!columns.some((column) => column.name === name)) return yield* wrong(`table ${table} has no column ${name}`)
  const key = layout.tables.find((one) => one.name === table)?.key ?? []
  const first = `${Column.quote(name)} ${order.startsWith("-") ? "DESC" : "ASC"} NULLS LAST`
  const rest = key.filter((one) => one !== name && columns.some((column) => column.name === one)).map(Column.quote)
  return ` ORDER BY ${[first, ...rest].join(", ")}`
})
