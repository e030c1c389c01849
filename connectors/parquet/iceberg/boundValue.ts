/**
 * A least or greatest value in Iceberg's binary form, by the type of its column.
 *
 * Guarantee: a bound that is not certain is left out, because a reader believes it and misses rows.
 * (iceberg.apache.org/spec/#appendix-d-single-value-serialization)
 */
import type { Value } from "#engine/ColumnBounds"

export type Edge = "lower" | "upper"

/** `value`: as stored in a column of this type. `points`: how many characters of a text are kept. Undefined: no bound. */
export const boundValue = (type: string, value: Value, edge: Edge, points: number): Buffer | undefined => {
  switch (type) {
    case "string":
      return typeof value === "string" ? textBound(value, edge, points) : undefined
    case "boolean":
      return Buffer.from([value === true ? 1 : 0])
    case "long":
    case "timestamp": {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(value))
      return bytes
    }
    case "date": {
      const bytes = Buffer.alloc(4)
      bytes.writeInt32LE(Number(value))
      return bytes
    }
    case "double": {
      const [bytes, number] = [Buffer.alloc(8), Number(value)]
      // Readers order -0 before 0, but rows do not: a bound of zero has both.
      bytes.writeDoubleLE(number === 0 ? (edge === "lower" ? -0 : 0) : number)
      return bytes
    }
  }
  return shortest(BigInt(value))
}

/** Shortens a text: its beginning is a lower bound, and the next text after the beginning is an upper bound. */
const textBound = (text: string, edge: Edge, most: number): Buffer | undefined => {
  if (!text.isWellFormed()) return undefined
  const points = Array.from(text.slice(0, 2 * most + 2), (point) => point.codePointAt(0) ?? 0)
  if (points.length <= most && text.length <= 2 * most) return Buffer.from(text)
  const start = points.slice(0, most)
  if (edge === "lower") return Buffer.from(String.fromCodePoint(...start))
  for (let point = start.pop(); point !== undefined; point = start.pop()) {
    if (point === 0x10ffff) continue
    // Behind the last code point before the surrogates comes the first one after them.
    return Buffer.from(String.fromCodePoint(...start, point === 0xd7ff ? 0xe000 : point + 1))
  }
  return undefined
}

/** The fewest bytes in two's complement, the highest first. */
const shortest = (value: bigint): Buffer => {
  let size = 1
  while (BigInt.asIntN(8 * size, value) !== value) size++
  return Buffer.from(
    BigInt.asUintN(8 * size, value)
      .toString(16)
      .padStart(2 * size, "0"),
    "hex"
  )
}
