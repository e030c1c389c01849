/** Where the rows of a grid come from: an answer that is all here, or a table that is asked for part by part. */
import type { CellValue, RowsAnswer, RowsQuestion } from "../ExploreApi.ts"
import type { Answers } from "./Answers.ts"

export type Row = ReadonlyArray<CellValue>

export interface Rows {
  readonly total: number
  /** The row, if it is here. */
  readonly at: (row: number) => Row | undefined
  /** Says which rows are seen now. Those that are not here are fetched, and `changed` is called when they are. */
  readonly see: (first: number, last: number, changed: () => void) => void
}

export const rowsOf = (rows: ReadonlyArray<Row>): Rows => ({
  total: rows.length,
  at: (row) => rows[row],
  see: () => undefined
})

/** Which rows of which table. */
export type TableQuestion = Pick<RowsQuestion, "table" | "find" | "where" | "order">

const partSize = 200
const mostParts = 40

/** Asks for one part at a time, the one that is seen: what was passed by meanwhile is not fetched. */
export const rowsOfTable = (
  answers: Answers,
  question: TableQuestion,
  first: RowsAnswer,
  failed: (error: unknown) => void
): Rows => {
  const parts = new Map<number, ReadonlyArray<Row>>([[0, first.rows]])
  const total = first.total ?? first.rows.length
  let seen: readonly [first: number, last: number] = [0, 0]
  let isAsking = false

  const fill = async (changed: () => void): Promise<void> => {
    if (isAsking) return
    isAsking = true
    try {
      for (let part = missing(); part !== undefined; part = missing()) {
        const { rows } = await answers.rows({ ...question, offset: part * partSize, limit: partSize })
        parts.set(part, rows)
        // A Map has its oldest entry first.
        for (const old of parts.keys()) if (parts.size > mostParts) parts.delete(old)
        changed()
      }
    } catch (error) {
      failed(error)
    } finally {
      isAsking = false
    }
  }
  const missing = (): number | undefined => {
    const [from, to] = seen.map((row) => Math.floor(row / partSize))
    return [from, to].find((part) => part !== undefined && part * partSize < total && !parts.has(part))
  }
  return {
    total,
    at: (row) => parts.get(Math.floor(row / partSize))?.[row % partSize],
    see: (from, to, changed) => {
      // A table may have no rows, and then none is seen.
      if (total === 0) return
      seen = [from, Math.min(to, total - 1)]
      void fill(changed)
    }
  }
}

export const firstRows = (answers: Answers, question: TableQuestion, signal: AbortSignal): Promise<RowsAnswer> =>
  answers.rows({ ...question, offset: 0, limit: partSize, count: true }, signal)
