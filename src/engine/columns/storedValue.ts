/** Converts cells to stored values and back. A cell that is not a value of its column's type is refused. */

import { type Value, whole } from "../ColumnBounds.ts"
import { daysOf, decimalText, jsonOf, refuse, unscaledOf } from "../cellValue.ts"
import type { Scalar } from "../ParquetLeaf.ts"
import { parseJson } from "../parseJson.ts"

/** Makes the function that converts cells that are not null. It throws an error that names a cell that does not fit. */
export const storer = (type: Scalar): ((cell: unknown) => Value) => {
  switch (type._tag) {
    case "VARCHAR":
      return (cell) => (typeof cell === "string" ? cell : refuse(type, cell))
    case "BOOLEAN":
      return (cell) => (typeof cell === "boolean" ? cell : refuse(type, cell))
    case "DOUBLE":
      return (cell) => (typeof cell === "number" ? cell : refuse(type, cell))
    case "BIGINT":
      return (cell) =>
        typeof cell === "number" && Number.isSafeInteger(cell)
          ? cell
          : typeof cell === "bigint" && BigInt.asIntN(64, cell) === cell
            ? whole(cell)
            : refuse(type, cell)
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" && BigInt.asIntN(64, cell) === cell ? whole(cell) : refuse(type, cell))
    case "JSON":
      return (cell) => jsonOf(cell) ?? refuse(type, cell)
    case "DATE":
      return remembering((cell) => daysOf(cell) ?? refuse(type, cell))
    case "DECIMAL": {
      const isWide = type.precision > 18
      return (cell) => {
        const unscaled = unscaledOf(cell, type) ?? refuse(type, cell)
        return isWide ? unscaled : whole(unscaled)
      }
    }
  }
}

export const loader = (type: Scalar): ((value: Value) => unknown) => {
  switch (type._tag) {
    case "TIMESTAMP":
      return (value) => BigInt(value)
    case "JSON":
      return (value) => parseJson(String(value))
    case "DATE":
      return remembering((days) => new Date(Number(days) * 86_400_000).toISOString().slice(0, 10))
    case "DECIMAL":
      return (value) => decimalText(BigInt(value), type.scale)
    case "BIGINT":
    case "BOOLEAN":
    case "DOUBLE":
    case "VARCHAR":
      return (value) => value
  }
}

/** Remembers the last result, because days often repeat from row to row. */
const remembering = <From, To>(convert: (from: From) => To): ((from: From) => To) => {
  let last: { readonly from: From; readonly to: To } | undefined
  return (from) => {
    if (last === undefined || last.from !== from) last = { from, to: convert(from) }
    return last.to
  }
}
