/**
 * The values behind the texts of cells, for formats that store them in binary: the day of a DATE, the digits of a DECIMAL.
 *
 * A cell that is not a value of its column's type is refused and never converted.
 */
import type { ColumnType } from "./Column.ts"

/** Days since the epoch of an ISO 8601 date; undefined: the cell is not a day of the calendar. */
export const daysOf = (cell: unknown): number | undefined => {
  if (typeof cell !== "string" || !/^\d{4}-\d\d-\d\d$/.test(cell)) return undefined
  const millis = Date.parse(`${cell}T00:00:00Z`)
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(cell) ? millis / 86_400_000 : undefined
}

/** The digits of a decimal text at its column's scale: "12.5" at scale 2 is 1250n; undefined: it does not fit. */
export const unscaledOf = (
  cell: unknown,
  { precision, scale }: { readonly precision: number; readonly scale: number }
): bigint | undefined => {
  const parts = typeof cell === "string" ? /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(cell) : null
  if (parts === null) return undefined
  const [, sign = "", whole = "", written = ""] = parts
  const fraction = written.replace(/0+$/, "")
  if (fraction.length > scale) return undefined
  const digits = BigInt(whole + fraction.padEnd(scale, "0"))
  return digits < 10n ** BigInt(precision) ? (sign === "-" ? -digits : digits) : undefined
}

/** The text of unscaled digits: 1250n at scale 2 is "12.50". */
export const decimalText = (unscaled: bigint, scale: number): string => {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0")
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return unscaled < 0n ? `-${text}` : text
}

/**
 * The JSON text of a cell; undefined: JSON has no such value. Half a surrogate pair becomes U+FFFD, as in UTF-8, because
 * DuckDB and others refuse a whole JSON text that has the escape of half a pair.
 */
export const jsonOf = (cell: unknown): string | undefined => {
  const text: string | undefined = JSON.stringify(cell)
  return text?.includes("\\ud") ? text.replaceAll(halfPair, "$1\ufffd") : text
}

/** The escape of half a pair, but not an escaped backslash before such letters. */
const halfPair = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g

/** Throws an error that names the cell and the type that it does not fit. */
export const refuse = (type: ColumnType, cell: unknown): never => {
  const shown = typeof cell === "bigint" ? `${cell}n` : (JSON.stringify(cell) ?? String(cell))
  throw new Error(
    `a ${typeof cell} is not a valid ${type._tag}: ${shown.length > 60 ? `${shown.slice(0, 60)}...` : shown}`
  )
}
