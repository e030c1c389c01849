/**
 * The minimum and maximum of a column: in Parquet's order, as bytes of a footer, and as SQL shows them.
 *
 * Texts are in the order of their UTF-8 bytes, which is the order of code points and not that of JavaScript.
 */
import { decimalText } from "./cellValue.ts"
import * as Instant from "./Instant.ts"
import { fixedBytes, type Leaf, Physical, type Scalar } from "./ParquetLeaf.ts"

export interface Bounds {
  readonly min: Value
  readonly max: Value
}

/**
 * A value as it is stored: days of a DATE, microseconds of a TIMESTAMP, the digits of a DECIMAL. A whole number is a number
 * if that is exact, otherwise a bigint.
 */
export type Value = string | number | bigint | boolean

/** The bounds of two parts together. */
export const join = (one: Bounds | undefined, other: Bounds | undefined): Bounds | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  return {
    min: isLess(other.min, one.min) ? other.min : one.min,
    max: isLess(one.max, other.max) ? other.max : one.max
  }
}

export const isLess = (a: Value, b: Value): boolean =>
  typeof a === "string" && typeof b === "string" ? isTextLess(a, b) : a < b

/** Compares well-formed texts by code points: code units of surrogates come after all others. */
export const isTextLess = (a: string, b: string): boolean => {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [ours, theirs] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (ours !== theirs) return rankOf(ours) < rankOf(theirs)
  }
  return a.length < b.length
}

const rankOf = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** Bytes: if a bound is longer, the footer has no bounds, rather than a part of one. */
const longest = 512

/** The bytes of a bound in a footer; undefined: it is too long. */
export const toBytes = ({ physical, type }: Leaf, value: Value): Uint8Array | undefined => {
  if (typeof value === "string") {
    const bytes = Buffer.from(value)
    return bytes.length > longest ? undefined : bytes
  }
  const bytes = new Uint8Array(sizes[physical])
  const view = new DataView(bytes.buffer)
  if (typeof value === "boolean") bytes[0] = value ? 1 : 0
  else if (physical === Physical.INT32) view.setInt32(0, Number(value), true)
  else if (physical === Physical.DOUBLE) view.setFloat64(0, Number(value), true)
  else if (physical === Physical.FIXED) {
    view.setBigInt64(0, BigInt(value) >> 64n)
    view.setBigUint64(8, BigInt.asUintN(64, BigInt(value)))
  } else if (physical === Physical.INT64) view.setBigInt64(0, BigInt(value), true)
  else throw new Error(`a bound of a ${type._tag} cannot be ${typeof value}`)
  return bytes
}

const sizes: Readonly<Record<Physical, number>> = {
  [Physical.BOOLEAN]: 1,
  [Physical.INT32]: 4,
  [Physical.INT64]: 8,
  [Physical.DOUBLE]: 8,
  [Physical.BYTE_ARRAY]: 0,
  [Physical.FIXED]: fixedBytes
}

export const fromBytes = ({ physical }: Leaf, bytes: Uint8Array): Value => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  switch (physical) {
    case Physical.BOOLEAN:
      return bytes[0] === 1
    case Physical.INT32:
      return view.getInt32(0, true)
    case Physical.INT64:
      return whole(view.getBigInt64(0, true))
    case Physical.DOUBLE:
      return view.getFloat64(0, true)
    case Physical.FIXED:
      return (view.getBigInt64(0) << 64n) | view.getBigUint64(8)
    case Physical.BYTE_ARRAY:
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  }
}

/** A number if that is exact, because numbers are faster than bigints. */
export const whole = (value: bigint): number | bigint =>
  value <= mostSafe && value >= -mostSafe ? Number(value) : value

const mostSafe = BigInt(Number.MAX_SAFE_INTEGER)

/** Whether `textOf` can be used for a type. Databases show floating-point numbers in different ways. */
export const hasText = (type: Scalar): boolean => type._tag !== "DOUBLE"

/** A value as a cast to VARCHAR shows it in SQL. */
export const textOf = (type: Scalar, value: Value): string => {
  switch (type._tag) {
    case "DATE":
      return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10)
    case "TIMESTAMP":
      return momentText(BigInt(value))
    case "DECIMAL":
      return decimalText(BigInt(value), type.scale)
    case "BIGINT":
    case "BOOLEAN":
    case "DOUBLE":
    case "JSON":
    case "VARCHAR":
      return String(value)
  }
}

/** "2026-11-21 12:00:00.5": without zeros at the end of the fraction, and with years before 1 as BC. */
const momentText = (micros: bigint): string => {
  const text = Instant.textOf(micros)
  const match = /^([+-]?)(\d+)(-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(text)
  if (match === null) return text
  const [, sign, years = "", day = "", time = "", fraction] = match
  const [year, era] = sign === "-" || Number(years) === 0 ? [1 + Number(years), " (BC)"] : [Number(years), ""]
  const shown = fraction === undefined ? "" : `.${fraction.replace(/0+$/, "")}`
  return `${String(year).padStart(4, "0")}${day}${era} ${time}${shown}`
}
