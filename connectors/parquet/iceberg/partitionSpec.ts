/**
 * The partition of a table for Iceberg: columns whose values are the same in all rows of a file. Readers take these values
 * from the Iceberg manifest, because our files do not have them.
 */

import { refuse, unscaledOf } from "#engine/cellValue"
import type * as Manifest from "../manifest/Manifest.ts"
import * as Partition from "../manifest/Partition.ts"
import type { Field, PartitionSpec } from "./TableMetadata.ts"

export interface PartitionField {
  readonly id: number
  readonly name: string
  /** An Iceberg type that is not nested. */
  readonly type: string
}

/** The partition spec of a table: an earlier one, or a new one. `last`: the highest field id so far. */
export const specFor = (
  partition: Manifest.TableState["partition"],
  fields: ReadonlyArray<Field>,
  known: ReadonlyArray<PartitionSpec>,
  last: number
): { readonly spec: PartitionSpec; readonly last: number } => {
  const sources = partition.flatMap((name) => fields.filter((field) => field.name === name))
  const same = known.find(
    (spec) =>
      spec.fields.map((field) => field["source-id"]).join() === sources.map(({ id }) => id).join() &&
      spec.fields.every((field, at) => field.name === sources[at]?.name)
  )
  if (same !== undefined) return { spec: same, last }
  const ids = new Map(known.flatMap((spec) => spec.fields.map((field) => [field["source-id"], field["field-id"]])))
  let highest = last
  const own = sources.map(({ id, name }) => ({
    "source-id": id,
    "field-id": ids.get(id) ?? ++highest,
    name,
    transform: "identity" as const
  }))
  const specId = known.reduce((most, spec) => Math.max(most, spec["spec-id"]), -1) + 1
  return { spec: { "spec-id": specId, fields: own }, last: highest }
}

/** The columns of a partition with their types; undefined if the table does not have such a column. */
export const partitionFields = (
  spec: PartitionSpec,
  fields: ReadonlyArray<Field>
): ReadonlyArray<PartitionField> | undefined => {
  const own = spec.fields.flatMap((field) => {
    const type = fields.find(({ id }) => id === field["source-id"])?.type
    return typeof type === "string" ? [{ id: field["field-id"], name: field.name, type }] : []
  })
  return own.length === spec.fields.length ? own : undefined
}

/** The name of a field in Avro, which allows only ASCII letters, digits and `_`. */
export const avroName = (name: string): string =>
  Array.from(name, (letter, at) => {
    if (/[A-Za-z_]/.test(letter) || (at > 0 && /\d/.test(letter))) return letter
    return /\d/.test(letter) ? `_${letter}` : `_x${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase()}`
  }).join("")

/** The type of a partition value in Avro. */
export const avroType = ({ id, type }: PartitionField): string | object => {
  switch (type) {
    case "string":
    case "long":
    case "boolean":
    case "double":
      return type
    case "date":
      return { type: "int", logicalType: "date" }
    case "timestamp":
      return { type: "long", logicalType: "timestamp-micros", "adjust-to-utc": false }
  }
  const { precision, scale } = decimalOf(type)
  const size = bytesFor(precision)
  return { type: "fixed", name: `decimal_${id}`, size, logicalType: "decimal", precision, scale }
}

/** The value of a partition in the type of its column, from its text in the folder name. */
export const avroValue = ({ type }: PartitionField, value: string | null | undefined): unknown => {
  if (value === null || value === undefined) return null
  switch (type) {
    case "string":
      return value.toWellFormed()
    case "long":
      return BigInt(value)
    case "boolean":
      return value === "true"
    case "double":
      return Number(value)
    case "date":
      return (
        Date.parse(`${value.slice(0, value.indexOf("T") < 0 ? undefined : value.indexOf("T"))}T00:00:00Z`) / dayMillis
      )
    case "timestamp":
      // A column that was a DATE before may have a date here.
      return Partition.microsFromIso(value.includes("T") ? value : `${value}T00:00:00.000000Z`)
  }
  const { precision, scale } = decimalOf(type)
  const decimal = { _tag: "DECIMAL", precision, scale } as const
  return bytesOf(unscaledOf(value, decimal) ?? refuse(decimal, value), bytesFor(precision))
}

const dayMillis = 86_400_000

/** Precision and scale of "decimal(18, 2)". */
export const decimalOf = (type: string): { readonly precision: number; readonly scale: number } => {
  const [, precision, scale] = /^decimal\((\d+), (\d+)\)$/.exec(type) ?? []
  return { precision: Number(precision), scale: Number(scale) }
}

/** How many bytes hold every signed number of so many digits. */
const bytesFor = (precision: number): number => {
  let size = 1
  while (10n ** BigInt(precision) > 2n ** BigInt(8 * size - 1)) size++
  return size
}

/** The highest byte first, in two's complement. */
const bytesOf = (value: bigint, size: number): Buffer =>
  Buffer.from(
    BigInt.asUintN(8 * size, value)
      .toString(16)
      .padStart(2 * size, "0"),
    "hex"
  )
