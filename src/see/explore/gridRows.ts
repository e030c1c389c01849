/** The rows of a result for a grid, with limits on their number and size. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type { QueryResult } from "#engine/Queries"
import { jsonOf } from "../sql/answerText.ts"
import { count } from "../summary.ts"
import type { CellValue, RowsAnswer } from "./ExploreApi.ts"

export interface Limits {
  readonly rows: number
  /** The maximum number of characters of one cell. */
  readonly cell: number
  /** The maximum number of characters of all cells together, before cells are cut. */
  readonly characters: number
}

export const gridRows = Effect.fnUntraced(function* ({ columns, rows }: QueryResult, limits: Limits) {
  const cells = columns.map(({ name, type }) => ({ name, convert: jsonOf(type) }))
  const found: Array<ReadonlyArray<CellValue>> = []
  let characters = 0
  let cut: string | undefined
  yield* Stream.runForEachWhile(rows, (chunk) =>
    Effect.sync(() => {
      for (const row of chunk) {
        if (found.length === limits.rows) cut = `Only the first ${count(limits.rows)} rows are shown.`
        else if (characters > limits.characters)
          cut = `Only the first ${count(found.length)} rows are shown: their texts are long. Select fewer columns.`
        if (cut !== undefined) return false
        found.push(
          cells.map(({ convert, name }) => {
            const value = valueOf(convert(row[name]))
            if (typeof value !== "string") return value
            characters += value.length
            return value.length > limits.cell ? `${value.slice(0, limits.cell).toWellFormed()}…` : value
          })
        )
      }
      return true
    })
  )
  const answer: RowsAnswer = {
    columns: columns.map(({ name, type }) => ({ name, type: Column.toSql(type) })),
    rows: found,
    ...(cut === undefined ? {} : { cut })
  }
  return answer
})

const valueOf = (value: unknown): CellValue => {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value
  return JSON.stringify(value)
}
