/**
 * Rows that wait until a statement is worth its while: so many, or so many bytes.
 *
 * The waiting rows are limited in bytes, whatever a row weighs, and leave in the order in which they came. Bytes are
 * estimated: one for a character, eight for anything else.
 */
import type * as Table from "../pipeline/Table.ts"

export interface RowBuffer {
  readonly rows: number
  readonly bytes: number
  readonly add: (row: Table.Row) => void
  /** All that waits; nothing waits after. */
  readonly take: () => ReadonlyArray<Table.Row>
}

export const make = (): RowBuffer => {
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
