/** The part of a table that a request wants for a grid. */
import * as Effect from "effect/Effect"
import { wrong } from "../CliFailure.ts"
import type { RowsAnswer } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { columnsIn } from "./exploreTables.ts"
import { longestFind } from "./findWords.ts"
import { gridRows } from "./gridRows.ts"
import { countSql, longestCell, type Part, partSql } from "./gridSql.ts"

const mostRows = 500
/** The maximum number of characters of a cell, if one row is shown. */
const longestValue = 1_000_000

export const exploreRows = Effect.fn("exploreRows")(function* (explorer: Explorer.Explorer, params: URLSearchParams) {
  const table = params.get("table") ?? ""
  const offset = yield* wholeNumber(params, "offset", 0, Number.MAX_SAFE_INTEGER)
  const limit = yield* wholeNumber(params, "limit", 100, mostRows)
  const isWhole = params.get("whole") === "true"
  if (isWhole && limit !== 1) return yield* wrong("`whole` is for one row: set limit=1")
  const find = params.get("find") ?? ""
  if (find.length > longestFind) return yield* wrong(`\`find\` must have at most ${longestFind} characters`)
  return yield* Explorer.ask(explorer, (queries) =>
    Effect.gen(function* () {
      const columns = (yield* columnsIn(explorer, queries)).get(table)
      if (columns === undefined) return yield* wrong(`there is no table ${table} in sink ${explorer.name}`)
      const order = params.get("order") ?? ""
      const by = order.replace(/^-/, "")
      if (order !== "" && !columns.some(({ name }) => name === by))
        return yield* wrong(`table ${table} has no column ${by}`)
      const key = explorer.layout.tables.find((one) => one.name === table)?.key ?? []
      const dialect = explorer.isDuckDb ? "DuckDB" : "Postgres"
      const part: Part = { table, columns, key, dialect, find, order, offset, limit, isWhole }
      const answer = yield* Effect.flatMap(queries.ask(partSql(part)), (found) =>
        gridRows(found, { rows: mostRows, cell: isWhole ? longestValue : longestCell, characters: 64_000_000 })
      )
      const rows: RowsAnswer = { ...answer, columns }
      if (params.get("count") !== "true") return rows
      const sql = countSql(part, answer.rows.length)
      const [counted] = sql === undefined ? [] : yield* Explorer.rowsOf(queries, sql)
      const withTotal: RowsAnswer = { ...rows, total: Number(counted?.["n"] ?? offset + answer.rows.length) }
      return withTotal
    })
  )
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
