/**
 * Rows that wait until there are enough for a statement, by number or by bytes.
 *
 * They leave in the order in which they were added. Bytes are estimated: one per character of a text, and eight per value.
 */
import type * as Table from "./Table.ts"

export interface RowBuffer {
  readonly rows: number
  readonly bytes: number
  readonly add: (row: Table.Row) => void
  /** Returns all waiting rows, and empties the buffer. */
  readonly take: () => ReadonlyArray<Table.Row>
}

export const empty = (): RowBuffer => {
  let waiting: Array<Table.Row> = []
  let bytes = 0
  return {
    get rows() {
      return waiting.length
    },
    get bytes() {
      return bytes
    },
    add: (row) => {
      waiting.push(row)
      bytes += weigh(row)
    },
    take: () => {
      const taken = waiting
      waiting = []
      bytes = 0
      return taken
    }
  }
}

const weigh = (value: unknown): number => {
  if (typeof value === "string") return value.length + 8
  if (typeof value !== "object" || value === null) return 8
  let bytes = 8
  if (Array.isArray(value)) for (const item of value) bytes += weigh(item)
  else for (const key in value) bytes += weigh(Reflect.get(value, key))
  return bytes
}
