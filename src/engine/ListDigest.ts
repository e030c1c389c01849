/**
 * The digest of a cell with lists: what a history compares in the place of the lists, which are in tables of their own.
 *
 * It is the SHA-256 of the cell as JSON without blanks, with members in the order of their names. A field of a STRUCT that is null is
 * left out, so that a field which comes later changes no digest. Numbers are their digits: 1, 1.0 and 1.00 are one number.
 */
import { createHash } from "node:crypto"
import type { ColumnType } from "./Column.ts"
import * as Instant from "./Instant.ts"
import { ownCell } from "./ownCell.ts"

/** The column with the digests of another. */
export const nameOf = (column: string): string => `${column}__digest`

/** The digest of a cell of this type; null for null. */
export const ofCell = (type: ColumnType): ((cell: unknown) => string | null) => {
  const text = textOf(type)
  return (cell) => (isNull(cell) ? null : createHash("sha256").update(text(cell)).digest("hex"))
}

const isNull = (cell: unknown): boolean => cell === null || cell === undefined

/** The function that gives a cell as JSON text. */
const textOf = (type: ColumnType): ((cell: unknown) => string) => {
  const text = presentText(type)
  return (cell) => (isNull(cell) ? "null" : text(cell))
}

const presentText = (type: ColumnType): ((cell: unknown) => string) => {
  switch (type._tag) {
    case "BIGINT":
    case "BOOLEAN":
      return String
    case "DOUBLE":
      return (cell) => (Number.isFinite(cell) ? JSON.stringify(cell) : JSON.stringify(String(cell)))
    case "DECIMAL":
      return (cell) =>
        String(cell)
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "")
    case "TIMESTAMP":
      return (cell) => JSON.stringify(typeof cell === "bigint" ? Instant.textOf(cell) : cell)
    case "DATE":
    case "VARCHAR":
      return (cell) => JSON.stringify(cell)
    case "JSON":
      return jsonText
    case "LIST": {
      const item = textOf(type.of.type)
      return (cell) => (Array.isArray(cell) ? `[${cell.map(item).join(",")}]` : jsonText(cell))
    }
    case "STRUCT": {
      const fields = type.fields
        .map(({ name, type }) => ({ name, text: textOf(type) }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return (cell) =>
        typeof cell === "object" && cell !== null
          ? `{${fields.flatMap(({ name, text }) => memberText(name, ownCell(cell, name), text)).join(",")}}`
          : jsonText(cell)
    }
  }
}

const memberText = (name: string, cell: unknown, text: (cell: unknown) => string): ReadonlyArray<string> =>
  isNull(cell) ? [] : [`${JSON.stringify(name)}:${text(cell)}`]

const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : typeof inner === "bigint"
        ? String(inner)
        : inner
  )
