/**
 * Cells from the JSON values that `CellJson` writes. Any other value stays as it is, so that the check of the row rejects
 * it with a reason. Nothing is changed to fit.
 */
import * as Predicate from "effect/Predicate"
import type { ColumnType } from "./Column.ts"
import * as Instant from "./Instant.ts"

/** Converts JSON values to cells of a type. Null and undefined become null. */
export const cellFromJson = (type: ColumnType): ((value: unknown) => unknown) => {
  const convert = present(type)
  return (value) => (value === null || value === undefined ? null : convert(value))
}

const present = (type: ColumnType): ((value: unknown) => unknown) => {
  switch (type._tag) {
    case "BIGINT":
      return (value) =>
        typeof value === "string" && /^-?\d{16,19}$/.test(value) && !Number.isSafeInteger(Number(value))
          ? BigInt(value)
          : value
    case "DOUBLE":
      return (value) => (typeof value === "string" && noNumber.has(value) ? Number(value) : value)
    case "TIMESTAMP":
      return (value) => (typeof value === "string" ? (Instant.writtenMicrosOf(value) ?? value) : value)
    case "STRUCT": {
      const fields = new Map(type.fields.map((field) => [field.name, cellFromJson(field.type)]))
      return (value) =>
        Predicate.isObject(value) && !Array.isArray(value)
          ? Object.fromEntries(
              Object.entries(value).map(([name, member]) => [name, (fields.get(name) ?? asItIs)(member)])
            )
          : value
    }
    case "LIST": {
      const convert = cellFromJson(type.of.type)
      return (value) => (Array.isArray(value) ? value.map(convert) : value)
    }
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "JSON":
    case "VARCHAR":
      return asItIs
  }
}

const asItIs = (value: unknown): unknown => value

const noNumber: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"])
