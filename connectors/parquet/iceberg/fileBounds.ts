/**
 * The least and the greatest values of a file that the lake's own manifest has: those of the columns that runs look for rows by,
 * which are the key, the run, and where a history ends.
 *
 * The law: a bound that is not certain is left out, because a reader believes it and misses rows.
 */
import { daysOf, unscaledOf } from "../../../src/pipeline/cellValue.ts"
import * as Instant from "../../../src/pipeline/Instant.ts"
import type * as Manifest from "../lake/Manifest.ts"
import { boundValue, type Edge } from "./boundValue.ts"
import { decimalOf } from "./partitionSpec.ts"
import type { Field } from "./TableMetadata.ts"

/** Bounds by the numbers of the columns. */
export type Bounds = ReadonlyArray<{ readonly key: number; readonly value: Buffer }>

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
    // A partition column is not in the file, and has its value beside it.
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

/** A value as SQL shows it, in the bytes of its type; undefined where it has none. */
const bound = (type: string, shown: string, edge: Edge): Buffer | undefined => {
  const value = valueOf(type, shown)
  return value === undefined ? undefined : boundValue(type, value, edge, maxPoints)
}

/** Addresses of one site begin alike for long. */
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
    // How a number of floating point is shown is SQL's own matter.
    case "double":
      return undefined
  }
  return unscaledOf(shown, decimalOf(type))
}
