/** Rows of a table that a request names: a part of them for a grid. */
import * as Effect from "effect/Effect"
import type * as Queries from "#engine/Queries"
import { wrong } from "../CliFailure.ts"
import type { RowsAnswer } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { columnsIn } from "./exploreTables.ts"
import { filtersIn } from "./filters.ts"
import { longestFind } from "./findWords.ts"
import { gridRows } from "./gridRows.ts"
import { countSql, filledSql, longestCell, type Part, partSql, type Selection } from "./gridSql.ts"

const mostRows = 500
/** The maximum number of characters of a cell, if one row is shown. */
const longestValue = 1_000_000

export const exploreRows = Effect.fn("exploreRows")(function* (explorer: Explorer.Explorer, params: URLSearchParams) {
  const offset = yield* wholeNumber(params, "offset", 0, Number.MAX_SAFE_INTEGER)
  const limit = yield* wholeNumber(params, "limit", 100, mostRows)
  const isWhole = params.get("whole") === "true"
  if (isWhole && limit !== 1) return yield* wrong("`whole` is for one row: set limit=1")
  return yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const part: Part = { ...(yield* selectionIn(explorer, queries, params)), offset, limit, isWhole }
      const answer = yield* Effect.flatMap(queries.ask(partSql(part)), (found) =>
        gridRows(found, { rows: mostRows, cell: isWhole ? longestValue : longestCell, characters: 64_000_000 })
      )
      const rows: RowsAnswer = { ...answer, columns: part.columns }
      if (params.get("count") !== "true") return rows
      const sql = countSql(part, answer.rows.length)
      const [counted] = sql === undefined ? [] : yield* Explorer.rowsOf(queries, sql)
      const withTotal: RowsAnswer = {
        ...rows,
        total: Number(counted?.["n"] ?? offset + answer.rows.length),
        empty: yield* emptyIn(queries, part, answer)
      }
      return withTotal
    })
  )
})

const emptyIn = Effect.fnUntraced(function* (queries: Queries.Queries, part: Part, { rows }: RowsAnswer) {
  const asked = filledSql(part, rows)
  if (asked === undefined) return []
  const [filled] = yield* Explorer.rowsOf(queries, asked.sql)
  return asked.names.filter((_, at) => Number(filled?.[`n${at}`]) === 0)
})

/** The rows that a request wants, after a look at whether the table and its columns are there. */
export const selectionIn = Effect.fn("selectionIn")(function* (
  explorer: Explorer.Explorer,
  queries: Queries.Queries,
  params: URLSearchParams
) {
  const table = params.get("table") ?? ""
  const find = params.get("find") ?? ""
  if (find.length > longestFind) return yield* wrong(`\`find\` must have at most ${longestFind} characters`)
  const where = filtersIn(params.get("where") ?? "")
  if (where === undefined)
    return yield* wrong('`where` must be a list of filters, such as [{"column":"language","kind":"is","value":"en"}]')
  const columns = (yield* columnsIn(explorer, queries)).get(table)
  if (columns === undefined) return yield* wrong(`there is no table ${table} in sink ${explorer.name}`)
  const order = params.get("order") ?? ""
  const named = [...(order === "" ? [] : [order.replace(/^-/, "")]), ...where.map(({ column }) => column)]
  const unknown = named.find((name) => !columns.some((column) => column.name === name))
  if (unknown !== undefined) return yield* wrong(`table ${table} has no column ${unknown}`)
  const key = explorer.layout.tables.find((one) => one.name === table)?.key ?? []
  const dialect = explorer.isDuckDb ? "DuckDB" : "Postgres"
  const selection: Selection = { table, columns, key, dialect, find, where, order }
  return selection
})

const wholeNumber = Effect.fnUntraced(function* (
  params: URLSearchParams,
  name: string,
  otherwise: number,
  most: number
) {
  const text = params.get(name)
  if (text === null) return otherwise
  return /^\d{1,15}$/.test(text) && Number(text) <= most
    ? Number(text)
    : yield* wrong(`${name} must be a whole number of at most ${most}, not ${text.slice(0, 40)}`)
})
