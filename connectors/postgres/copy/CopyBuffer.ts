/**
 * Rows as the bytes of COPY ... (FORMAT binary), which Postgres does not need to parse as text.
 *
 * A cell that the database cannot hold is refused with its column, and never changed. In the format, a row begins with the
 * number of its cells, and each cell begins with its length in bytes, or -1 for null.
 */
import * as Column from "#engine/Column"
import { cellConverter } from "#engine/convertCell"
import { ownCellReader } from "#engine/ownCell"
import type { StagingTable } from "#engine/SqlPort"
import type * as Table from "#engine/Table"
import { isInJson } from "../columnSql.ts"
import { type CellWriter, cellWriter } from "./cellWriter.ts"
import * as Growing from "./Growing.ts"

export interface CopyBuffer {
  /** The number of waiting bytes. */
  readonly bytes: number
  readonly rows: number
  /** Adds a row, behind its number if the table has one. If the database cannot hold a cell, it throws, and the row is not added. */
  readonly add: (row: Table.Row, number: number) => void
  /** Returns the waiting rows for COPY. The bytes are valid until the next row is added. */
  readonly take: () => Uint8Array
}

export const of = ({ columns, number: counted }: Pick<StagingTable, "columns" | "number">): CopyBuffer => {
  const buffer = Growing.empty()
  const cells = columns.map(({ from, ours, sql, to }) => {
    // Within JSON nothing is converted, as in the rows that are there: who reads a member takes it for what it is by now.
    if (Column.toSql(from) === Column.toSql(to) || (isInJson(from) && isInJson(to)))
      return { ours, read: ownCellReader(ours), write: cellWriter(from, sql) }
    const write = cellWriter(to, sql)
    const convert = cellConverter(from, to)
    const converted: CellWriter = (into, cell) => write(into, convert(cell))
    return { ours, read: ownCellReader(ours), write: converted }
  })
  const count = cells.length + (counted === undefined ? 0 : 1)
  let rows = 0
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
    add: (row, number) => {
      const start = buffer.at
      buffer.int16(count)
      if (counted !== undefined) {
        buffer.int32(8)
        buffer.int64(BigInt(number))
      }
      for (const { ours, read, write } of cells) {
        const cell = read(row)
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

/** "PGCOPY", flags, and an empty header extension. */
const signature = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1")
