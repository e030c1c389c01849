/**
 * The least and the greatest values of a file from the lake's own manifest: of the columns by which runs find rows,
 * which are the key, the run, and the end of a version.
 *
 * Guarantee: a bound that is not certain is left out, because a reader believes it and misses rows.
 */
import { daysOf, unscaledOf } from "#engine/cellValue"
import * as Instant from "#engine/Instant"
import type * as Manifest from "../manifest/Manifest.ts"
import { boundValue, type Edge } from "./boundValue.ts"
import { decimalOf } from "./partitionSpec.ts"
import type { Field } from "./TableMetadata.ts"

/** Bounds by the numbers of the columns. */
type Bounds = ReadonlyArray<{ readonly key: number; readonly value: Buffer }>

export interface FileBounds {
  readonly lower_bounds: Bounds
  readonly upper_bounds: Bounds
}

export const boundsOf = (
  { max, min, partition }: Pick<Manifest.DataFile, "max" | "min" | "partition">,
  fields: ReadonlyArray<Field>
): FileBounds => {
  const both = fields.flatMap(({ id, name, type }) => {
    const [least, greatest] = [min[name], max[name]]
    // A partition column is not in the file. Its value is in the manifest.
    if (
      typeof type !== "string" ||
      typeof least !== "string" ||
      typeof greatest !== "string" ||
      Object.hasOwn(partition, name)
    )
      return []
    return [{ id, lower: bound(type, least, "lower"), upper: bound(type, greatest, "upper") }]
  })
  const of = (edge: Edge) => both.flatMap(({ id, [edge]: value }) => (value === undefined ? [] : [{ key: id, value }]))
  return { lower_bounds: of("lower"), upper_bounds: of("upper") }
}

/** The binary form of a value that SQL has written as text; undefined if its type has none. */
const bound = (type: string, shown: string, edge: Edge): Buffer | undefined => {
  const value = valueOf(type, shown)
  return value === undefined ? undefined : boundValue(type, value, edge, maxPoints)
}

/** More than for other texts, because URLs of one site have long common beginnings. */
const maxPoints = 128

const valueOf = (type: string, shown: string) => {
  switch (type) {
    case "string":
      return shown
    case "boolean":
      return shown === "true"
    case "long":
      return /^-?\d+$/.test(shown) ? BigInt(shown) : undefined
    case "timestamp":
      return Instant.microsOf(`${shown.replace(" ", "T")}Z`)
    case "date":
      return daysOf(shown)
    // The text of a floating point number is not exact, so it gives no certain bound.
    case "double":
      return undefined
  }
  return unscaledOf(shown, decimalOf(type))
}
