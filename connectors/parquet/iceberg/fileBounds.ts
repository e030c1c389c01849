/**
 * The least and the greatest values of a file, as Iceberg has them in its manifests: readers skip a file by them.
 *
 * They are those of the lake's own manifest, which has them of the columns that runs look for rows by: the key, the run, and
 * where a history ends. The law: a bound that is not certain is left out, because a reader believes it and misses rows.
 * (iceberg.apache.org/spec/#appendix-d-single-value-serialization)
 */
import { daysOf, unscaledOf } from "../../../src/pipeline/cellValue.ts"
import * as Instant from "../../../src/pipeline/Instant.ts"
import type * as Manifest from "../lake/Manifest.ts"
import { decimalOf } from "./partitionSpec.ts"
import type { Field } from "./TableMetadata.ts"

/** `lower_bounds` and `upper_bounds`, by the numbers of the columns. */
export type FileBounds = Readonly<Record<string, ReadonlyArray<{ readonly key: number; readonly value: Buffer }>>>

export const noBounds: FileBounds = {}

export const boundsOf = (
  { max, min, partition }: Pick<Manifest.DataFile, "max" | "min" | "partition">,
  fields: ReadonlyArray<Field>
): FileBounds => {
  const both = fields.flatMap(({ id, name, type }) => {
    const [least, greatest] = [min[name], max[name]]
    // A partition column is not in the file, and has its value beside it.
    if (typeof type !== "string" || typeof least !== "string" || typeof greatest !== "string" || name in partition)
      return []
    return [{ id, lower: bound(type, least, "lower"), upper: bound(type, greatest, "upper") }]
  })
  const of = (edge: "lower" | "upper") =>
    both.flatMap(({ id, [edge]: value }) => (value === undefined ? [] : [{ key: id, value }]))
  return { lower_bounds: of("lower"), upper_bounds: of("upper") }
}

/** A value as SQL shows it, in the bytes of its type; undefined where it has none. */
const bound = (type: string, shown: string, edge: "lower" | "upper"): Buffer | undefined => {
  switch (type) {
    case "string":
      return textBound(shown, edge)
    case "boolean":
      return Buffer.from([shown === "true" ? 1 : 0])
    case "long":
      return /^-?\d+$/.test(shown) ? long(BigInt(shown)) : undefined
    case "timestamp": {
      const micros = Instant.microsOf(`${shown.replace(" ", "T")}Z`)
      return micros === undefined ? undefined : long(micros)
    }
    case "date": {
      const days = daysOf(shown)
      if (days === undefined) return undefined
      const bytes = Buffer.alloc(4)
      bytes.writeInt32LE(days)
      return bytes
    }
    // How a number of floating point is shown is SQL's own matter.
    case "double":
      return undefined
  }
  const unscaled = unscaledOf(shown, decimalOf(type))
  return unscaled === undefined ? undefined : shortest(unscaled)
}

/** Longer texts are cut: the beginning of a text is not greater than it, and the next text after a beginning is. */
const textBound = (text: string, edge: "lower" | "upper"): Buffer | undefined => {
  if (!text.isWellFormed()) return undefined
  const points = Array.from(text.slice(0, 2 * maxPoints + 2), (point) => point.codePointAt(0) ?? 0)
  if (points.length <= maxPoints && text.length <= 2 * maxPoints) return Buffer.from(text)
  const start = points.slice(0, maxPoints)
  if (edge === "lower") return Buffer.from(String.fromCodePoint(...start))
  for (let point = start.pop(); point !== undefined; point = start.pop()) {
    if (point === 0x10ffff) continue
    // Behind the last code point before the surrogates comes the first one after them.
    return Buffer.from(String.fromCodePoint(...start, point === 0xd7ff ? 0xe000 : point + 1))
  }
  return undefined
}

/** Addresses of one site begin alike for long. */
const maxPoints = 128

const long = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
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
