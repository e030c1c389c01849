/**
 * The leaves of columns: Parquet stores a nested column as one flat column for each scalar in it.
 *
 * Each value of a leaf has a definition level, which says how much of its path is not null, and a repetition level, which
 * says which list it continues. In the file, every field may be null, whatever its table says, as in files of DuckDB: the
 * bytes of a schema are equal whether Millrace or DuckDB wrote it, so that one file can have row groups of both.
 */
import type { Column, ColumnType } from "./Column.ts"
import * as Thrift from "./Thrift.ts"

export interface Leaf {
  /** The names from the column down, with the `list` and `element` of Parquet's lists. */
  readonly path: ReadonlyArray<string>
  readonly type: Scalar
  readonly physical: Physical
  /** The definition level of a value that is not null. */
  readonly definition: number
  /** The number of lists around it. */
  readonly repetition: number
}

/** The types that are not nested. */
export type Scalar = Exclude<ColumnType, { readonly _tag: "STRUCT" | "LIST" }>

/** The physical types, with Parquet's numbers. */
export type Physical = (typeof Physical)[keyof typeof Physical]
export const Physical = { BOOLEAN: 0, INT32: 1, INT64: 2, DOUBLE: 5, BYTE_ARRAY: 6, FIXED: 7 } as const

/** The size of a FIXED value: as in DuckDB, it does not depend on the precision. */
export const fixedBytes = 16

export const leavesOf = (columns: ReadonlyArray<Column>): ReadonlyArray<Leaf> =>
  columns.flatMap(({ name, type }) => leavesBelow([name], type, 0, 0))

const leavesBelow = (
  path: ReadonlyArray<string>,
  type: ColumnType,
  above: number,
  repetition: number
): ReadonlyArray<Leaf> => {
  switch (type._tag) {
    case "STRUCT":
      if (type.fields.length === 0) throw new Error(`column ${path.join(".")} is a STRUCT without fields`)
      return type.fields.flatMap((field) => leavesBelow([...path, field.name], field.type, above + 1, repetition))
    case "LIST":
      return leavesBelow([...path, "list", "element"], type.of.type, above + 2, repetition + 1)
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "TIMESTAMP":
    case "VARCHAR":
      return [{ path, type, physical: physicalOf(type), definition: above + 1, repetition }]
  }
}

const physicalOf = (type: Scalar): Physical => {
  switch (type._tag) {
    case "BOOLEAN":
      return Physical.BOOLEAN
    case "DATE":
      return Physical.INT32
    case "BIGINT":
    case "TIMESTAMP":
      return Physical.INT64
    case "DOUBLE":
      return Physical.DOUBLE
    case "JSON":
    case "VARCHAR":
      return Physical.BYTE_ARRAY
    case "DECIMAL":
      return type.precision <= 9 ? Physical.INT32 : type.precision <= 18 ? Physical.INT64 : Physical.FIXED
  }
}

/** The schema of a file with these columns: a list of SchemaElement. */
export const schemaOf = (columns: ReadonlyArray<Column>): ReadonlyArray<Thrift.Struct> => [
  element("duckdb_schema", { repetition: 0, children: columns.length }),
  ...columns.flatMap(({ name, type }) => elementsOf(name, type))
]

const elementsOf = (name: string, type: ColumnType): ReadonlyArray<Thrift.Struct> => {
  switch (type._tag) {
    case "STRUCT":
      return [
        element(name, { children: type.fields.length }),
        ...type.fields.flatMap((field) => elementsOf(field.name, field.type))
      ]
    case "LIST":
      return [
        element(name, { children: 1, converted: Converted.LIST }),
        element("list", { repetition: 2, children: 1 }),
        ...elementsOf("element", type.of.type)
      ]
    case "BOOLEAN":
    case "DOUBLE":
      return [element(name, { physical: physicalOf(type) })]
    case "VARCHAR":
      return [element(name, { physical: Physical.BYTE_ARRAY, converted: Converted.UTF8 })]
    case "BIGINT":
      return [element(name, { physical: Physical.INT64, converted: Converted.INT_64 })]
    case "DATE":
      return [element(name, { physical: Physical.INT32, converted: Converted.DATE })]
    case "JSON":
      return [element(name, { physical: Physical.BYTE_ARRAY, converted: Converted.JSON, logical: [12, new Map()] })]
    case "TIMESTAMP": {
      const micros: Thrift.Value = { type: Thrift.struct, value: new Map([[2, nothing]]) }
      const logical = new Map<number, Thrift.Value>([
        [1, { type: Thrift.boolean, value: false }],
        [2, micros]
      ])
      return [element(name, { physical: Physical.INT64, converted: Converted.TIMESTAMP_MICROS, logical: [8, logical] })]
    }
    case "DECIMAL": {
      const logical = new Map([
        [1, Thrift.int(type.scale)],
        [2, Thrift.int(type.precision)]
      ])
      const physical = physicalOf(type)
      return [element(name, { physical, converted: Converted.DECIMAL, decimal: type, logical: [5, logical] })]
    }
  }
}

interface ElementParts {
  readonly physical?: Physical
  /** Default: 1, which means that it may be null. */
  readonly repetition?: number
  readonly children?: number
  readonly converted?: number
  readonly decimal?: { readonly precision: number; readonly scale: number }
  readonly logical?: readonly [id: number, of: Thrift.Struct]
}

const Converted = { UTF8: 0, LIST: 3, DECIMAL: 5, DATE: 6, TIMESTAMP_MICROS: 10, INT_64: 18, JSON: 19 }

const element = (name: string, parts: ElementParts): Thrift.Struct => {
  const fields: Thrift.Struct = new Map()
  if (parts.physical !== undefined) fields.set(1, Thrift.int(parts.physical))
  if (parts.physical === Physical.FIXED) fields.set(2, Thrift.int(fixedBytes))
  fields.set(3, Thrift.int(parts.repetition ?? 1))
  fields.set(4, Thrift.text(name))
  if (parts.children !== undefined) fields.set(5, Thrift.int(parts.children))
  if (parts.converted !== undefined) fields.set(6, Thrift.int(parts.converted))
  if (parts.decimal !== undefined) {
    fields.set(7, Thrift.int(parts.decimal.scale))
    fields.set(8, Thrift.int(parts.decimal.precision))
  }
  if (parts.logical !== undefined) {
    const [id, of] = parts.logical
    fields.set(10, { type: Thrift.struct, value: new Map([[id, { type: Thrift.struct, value: of }]]) })
  }
  return fields
}

const nothing: Thrift.Value = { type: Thrift.struct, value: new Map() }

/** The columns of a schema that `schemaOf` made. */
export const columnsOf = (elements: ReadonlyArray<Thrift.Struct>): ReadonlyArray<Column> => {
  let at = 1
  const next = (): Column => {
    const fields = elements[at++]
    if (fields === undefined) throw new Error("the schema ends too early")
    return { name: Thrift.textIn(fields, 4), type: typeOf(fields), nullable: true }
  }
  const typeOf = (fields: Thrift.Struct): ColumnType => {
    const [children, converted] = [Thrift.intIn(fields, 5), Thrift.intIn(fields, 6)]
    if (children === undefined) return scalarOf(Thrift.intIn(fields, 1), fields, converted)
    if (converted !== Converted.LIST) return { _tag: "STRUCT", fields: Array.from({ length: children }, next) }
    at++
    return { _tag: "LIST", of: next() }
  }
  const columns: Array<Column> = []
  while (at < elements.length) columns.push(next())
  return columns
}

const scalarOf = (physical: number | undefined, fields: Thrift.Struct, converted: number | undefined): Scalar => {
  if (converted === Converted.DECIMAL) {
    return { _tag: "DECIMAL", scale: Thrift.intIn(fields, 7) ?? 0, precision: Thrift.intIn(fields, 8) ?? 0 }
  }
  const tag = converted === undefined ? bareTypes.get(physical) : convertedTypes.get(converted)
  if (tag === undefined) throw new Error("the schema has a type that no column has")
  return { _tag: tag }
}

const bareTypes: ReadonlyMap<number | undefined, "BOOLEAN" | "DOUBLE"> = new Map([
  [Physical.BOOLEAN, "BOOLEAN"],
  [Physical.DOUBLE, "DOUBLE"]
])
const convertedTypes: ReadonlyMap<number, Exclude<Scalar["_tag"], "DECIMAL">> = new Map([
  [Converted.UTF8, "VARCHAR"],
  [Converted.JSON, "JSON"],
  [Converted.DATE, "DATE"],
  [Converted.TIMESTAMP_MICROS, "TIMESTAMP"],
  [Converted.INT_64, "BIGINT"]
])
