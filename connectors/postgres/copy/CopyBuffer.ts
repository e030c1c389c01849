/**
 * Rows as the bytes of COPY ... (FORMAT binary), which Postgres takes without reading any text.
 *
 * A cell that the database cannot hold is refused, with its column; it is never changed. Whoever reads the head of a row first
 * finds how many cells follow, and before each cell how many bytes it has, -1 for null.
 */
import * as Column from "../../../src/pipeline/Column.ts"
import { cellConverter } from "../../../src/pipeline/rows/convertCell.ts"
import type * as Table from "../../../src/pipeline/Table.ts"
import { isInJson } from "../table/columnSql.ts"
import { type CellWriter, cellWriter } from "./cellWriter.ts"
import * as Growing from "./Growing.ts"

export interface CopyBuffer {
  /** The bytes that wait. */
  readonly bytes: number
  readonly rows: number
  /** Throws where a cell cannot be held; the row is then not among those that wait. */
  readonly add: (row: Table.Row) => void
  /** What waits, as COPY takes it; it is good until the next row is added. */
  readonly take: () => Uint8Array
  /** Begins to number the rows from 0 again; nothing waits then. */
  readonly restart: () => void
}

/** A cell of a row, and what it is in the database. */
export interface CopiedColumn {
  /** What our rows call it. */
  readonly ours: string
  readonly from: Column.ColumnType
  readonly to: Column.ColumnType
  /** The type as the database spells it. */
  readonly sql: string
}

/** `numbered`: each row has its number before its cells. */
export const make = (columns: ReadonlyArray<CopiedColumn>, numbered: boolean): CopyBuffer => {
  const buffer = Growing.make()
  const cells = columns.map(({ from, ours, sql, to }) => {
    // Within JSON nothing is converted, as in the rows that are there: who reads a member takes it for what it is by now.
    if (Column.toSql(from) === Column.toSql(to) || (isInJson(from) && isInJson(to)))
      return { ours, write: cellWriter(from, sql) }
    const write = cellWriter(to, sql)
    const convert = cellConverter(from, to)
    const converted: CellWriter = (into, cell) => write(into, convert(cell))
    return { ours, write: converted }
  })
  const count = cells.length + (numbered ? 1 : 0)
  let [rows, next] = [0, 0n]
  const begin = () => {
    buffer.at = 0
    buffer.bytesOf(signature)
  }
  begin()
  return {
    get bytes() {
      return buffer.at - signature.length
    },
    get rows() {
      return rows
    },
    add: (row) => {
      const start = buffer.at
      buffer.int16(count)
      if (numbered) {
        buffer.int32(8)
        buffer.int64(next)
      }
      for (const { ours, write } of cells) {
        const cell = row[ours]
        if (cell === null || cell === undefined) {
          buffer.int32(-1)
          continue
        }
        const head = buffer.at
        buffer.int32(0)
        try {
          write(buffer, cell)
        } catch (error) {
          buffer.at = start
          throw new Error(`column ${ours}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
        }
        buffer.int32At(head, buffer.at - head - 4)
      }
      rows++
      next++
    },
    restart: () => {
      rows = 0
      next = 0n
      begin()
    },
    take: () => {
      buffer.int16(-1)
      const taken = buffer.taken()
      rows = 0
      begin()
      return taken
    }
  }
}

/** "PGCOPY", flags and an extension that is empty. */
const signature = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1")
