/**
 * The type for the values of two types: what a column becomes when a run has another type for it.
 *
 * BIGINT, DECIMAL and DOUBLE together become DOUBLE, as do DECIMALs that need more than 38 digits. That may change a value which a
 * double cannot hold (`mayChange`): where one is stored, the column becomes JSON (`LosslessPlan`), and a new one is refused. Every
 * other change keeps every value. Types that have nothing in common become JSON, which holds everything.
 */
import { type Column, type ColumnType, named, toSql } from "./Column.ts"
import { columnsFault } from "./columnsFault.ts"
import type { Parent } from "./TableShape.ts"

export const widen = (a: ColumnType, b: ColumnType): ColumnType => {
  if (toSql(a) === toSql(b)) return a
  const [one, other] = [digitsOf(a), digitsOf(b)]
  if (one !== undefined && other !== undefined) return decimal(one, other)
  if (a._tag === "LIST" && b._tag === "LIST")
    return { _tag: "LIST", of: { ...a.of, type: widen(a.of.type, b.of.type) } }
  if (a._tag === "STRUCT" && b._tag === "STRUCT") {
    const both = fields(a.fields, b.fields)
    // A struct cannot have both "Id" and "id".
    return columnsFault(both) === undefined ? { _tag: "STRUCT", fields: both } : { _tag: "JSON" }
  }
  const pair = [a._tag, b._tag].sort().join(" ")
  return ladder[pair] === undefined ? { _tag: "JSON" } : { _tag: ladder[pair] }
}

/** The columns for both stored and new rows: columns of one name are widened, and new ones come last. */
export const widenColumns = (
  present: ReadonlyArray<Column>,
  coming: ReadonlyArray<Column>,
  find: (columns: ReadonlyArray<Column>, name: string) => Column | undefined = named
): ReadonlyArray<Column> => [
  ...present.map((column) => {
    const other = find(coming, column.name)
    return other === undefined ? column : { ...column, type: widen(column.type, other.type) }
  }),
  ...coming.filter(({ name }) => find(present, name) === undefined)
]

/** The columns of a child table, of which those that refer to its parent hold all that the columns there hold: readers join them. */
export const linkColumns = (
  columns: ReadonlyArray<Column>,
  parent: Parent | undefined,
  above: ReadonlyArray<{ readonly name: string; readonly type: ColumnType | undefined }>
): ReadonlyArray<Column> => {
  const on = new Map(Object.entries(parent?.on ?? {}))
  return columns.map((column) => {
    const type = named(above, on.get(column.name) ?? "")?.type
    return type === undefined ? column : { ...column, type: widen(column.type, type) }
  })
}

/** Whether a column of type `wide` takes the values of `narrow` without being widened. */
export const fitsInto = (narrow: ColumnType, wide: ColumnType): boolean => toSql(widen(wide, narrow)) === toSql(wide)

/** Whether a value may change when its column is widened from one type to the other: digits beyond those of a double. */
export const mayChange = (from: ColumnType, to: ColumnType): boolean => {
  if (to._tag === "DOUBLE") return digitsOf(from) !== undefined
  if (from._tag === "LIST" && to._tag === "LIST") return mayChange(from.of.type, to.of.type)
  if (from._tag !== "STRUCT" || to._tag !== "STRUCT") return false
  return from.fields.some(({ name, type }) => {
    const field = to.fields.find((field) => field.name === name)
    return field !== undefined && mayChange(type, field.type)
  })
}

/** What is said behind a value that would change. */
export const changeText = (from: ColumnType, to: ColumnType): string =>
  `is ${toSql(from)} and would change as ${toSql(to)}; let the runs give the column as VARCHAR, which keeps every value, or replace the table`

const ladder: Readonly<Record<string, "DOUBLE" | "TIMESTAMP" | "VARCHAR">> = {
  "BIGINT DOUBLE": "DOUBLE",
  "DECIMAL DOUBLE": "DOUBLE",
  "DATE TIMESTAMP": "TIMESTAMP",
  "BIGINT VARCHAR": "VARCHAR",
  "BOOLEAN VARCHAR": "VARCHAR",
  "DOUBLE VARCHAR": "VARCHAR",
  "DECIMAL VARCHAR": "VARCHAR",
  "DATE VARCHAR": "VARCHAR",
  "TIMESTAMP VARCHAR": "VARCHAR"
}

interface Digits {
  readonly precision: number
  readonly scale: number
}

/** The digits of an exact number: a whole one has 19 at most. */
const digitsOf = (type: ColumnType): Digits | undefined =>
  type._tag === "DECIMAL" ? type : type._tag === "BIGINT" ? { precision: 19, scale: 0 } : undefined

/** Exact numbers stay exact, as long as 38 digits are enough. */
const decimal = (a: Digits, b: Digits): ColumnType => {
  const scale = Math.max(a.scale, b.scale)
  const precision = Math.max(a.precision - a.scale, b.precision - b.scale) + scale
  return precision > 38 ? { _tag: "DOUBLE" } : { _tag: "DECIMAL", precision, scale }
}

/** The fields of both structs: first those of `a`, in their order. */
const fields = (a: ReadonlyArray<Column>, b: ReadonlyArray<Column>): ReadonlyArray<Column> => [
  ...a.map((field) => {
    const other = b.find(({ name }) => name === field.name)
    return other === undefined
      ? { ...field, nullable: true }
      : { ...field, type: widen(field.type, other.type), nullable: field.nullable || other.nullable }
  }),
  ...b.filter(({ name }) => !a.some((field) => field.name === name)).map((field) => ({ ...field, nullable: true }))
]
