/**
 * Rows as record batches of Arrow, and back.
 *
 * Whoever imports this loads `apache-arrow`: those who may not need it load this file when they do.
 */
import * as Arrow from "apache-arrow"
import * as CellJson from "../pipeline/CellJson.ts"
import type * as Column from "../pipeline/Column.ts"
import { daysOf, decimalText, unscaledOf } from "../pipeline/cellValue.ts"
import * as Instant from "../pipeline/Instant.ts"
import type * as Table from "../pipeline/Table.ts"

export const schemaOf = (columns: ReadonlyArray<Column.Column>): Arrow.Schema =>
  new Arrow.Schema(columns.map(({ name, type }) => new Arrow.Field(name, typeOf(type), true)))

/** Rows of some columns; `schema` is that of the columns. Throws where a cell is not of its type. */
export const batchOf = (
  schema: Arrow.Schema,
  columns: ReadonlyArray<Column.Column>,
  rows: ReadonlyArray<Table.Row>
): Arrow.RecordBatch => {
  const children = columns.map((column) =>
    dataOf(
      column.type,
      rows.map((row) => row[column.name] ?? null)
    )
  )
  const type = new Arrow.Struct(schema.fields)
  return new Arrow.RecordBatch(schema, Arrow.makeData({ type, length: rows.length, nullCount: 0, children }))
}

/** The rows of a batch that `batchOf` made of these columns. */
export const rowsOf = (batch: Arrow.RecordBatch, columns: ReadonlyArray<Column.Column>): ReadonlyArray<Table.Row> => {
  const readers = columns.map(({ name, type }) => {
    const data: Arrow.Data<Arrow.DataType> | undefined = batch.getChild(name)?.data[0]
    return [name, data === undefined ? () => null : readerOf(type, data)] as const
  })
  return Array.from({ length: batch.numRows }, (_, at) =>
    Object.fromEntries(readers.map(([name, read]) => [name, read(at)]))
  )
}

/** JSON, and times inside of lists and structs, are text. */
const typeOf = (type: Column.ColumnType, isInner = false): Arrow.DataType => {
  switch (type._tag) {
    case "BIGINT":
      return new Arrow.Int64()
    case "BOOLEAN":
      return new Arrow.Bool()
    case "DOUBLE":
      return new Arrow.Float64()
    case "TIMESTAMP":
      return isInner ? new Arrow.Utf8() : new Arrow.TimestampMicrosecond("UTC")
    case "DATE":
      return isInner ? new Arrow.Utf8() : new Arrow.DateDay()
    case "DECIMAL":
      return isInner ? new Arrow.Utf8() : new Arrow.Decimal(type.scale, type.precision, 128)
    case "LIST":
      return new Arrow.List(new Arrow.Field("item", typeOf(type.of.type, true), true))
    case "STRUCT":
      return new Arrow.Struct(type.fields.map((field) => new Arrow.Field(field.name, typeOf(field.type, true), true)))
    case "JSON":
    case "VARCHAR":
      return new Arrow.Utf8()
  }
}

/** A column of a batch. Times and decimals are made as the numbers that they are: no number of JavaScript holds them all. */
const dataOf = (type: Column.ColumnType, cells: ReadonlyArray<unknown>): Arrow.Data => {
  const own = typeOf(type)
  const length = cells.length
  const nulls = () => {
    const { nullBitmap, nullCount } = made(
      cells.map((cell) => (cell === null ? null : true)),
      new Arrow.Bool()
    )
    return { nullBitmap, nullCount }
  }
  if (own instanceof Arrow.TimestampMicrosecond) {
    const data = BigInt64Array.from(cells, (cell) => (typeof cell === "bigint" ? cell : 0n))
    return Arrow.makeData({ type: own, length, data, ...nulls() })
  }
  if (own instanceof Arrow.DateDay) {
    return Arrow.makeData({ type: own, length, data: Int32Array.from(cells, (cell) => daysOf(cell) ?? 0), ...nulls() })
  }
  if (own instanceof Arrow.Decimal && type._tag === "DECIMAL") {
    const data = new BigInt64Array(length * 2)
    cells.forEach((cell, i) => {
      const value = unscaledOf(cell, type) ?? 0n
      data[i * 2] = BigInt.asIntN(64, value)
      data[i * 2 + 1] = value >> 64n
    })
    return Arrow.makeData({ type: own, length, data: new Uint32Array(data.buffer), ...nulls() })
  }
  return made(
    cells.map((cell) => innerOf(type, cell)),
    own
  )
}

const made = (cells: ReadonlyArray<unknown>, type: Arrow.DataType): Arrow.Data =>
  Arrow.vectorFromArray(cells, type).data[0] ?? Arrow.makeData({ type, length: 0 })

const innerOf = (type: Column.ColumnType, cell: unknown): unknown => {
  if (cell === null || cell === undefined) return null
  switch (type._tag) {
    case "JSON":
      return JSON.stringify(cell)
    case "LIST":
      return Array.isArray(cell) ? cell.map((one) => innerOf(type.of.type, one)) : null
    case "STRUCT":
      return typeof cell === "object"
        ? Object.fromEntries(
            type.fields.map((field) => [field.name, innerOf(field.type, Reflect.get(cell, field.name))])
          )
        : null
    case "TIMESTAMP":
    case "DATE":
    case "DECIMAL":
      return String(CellJson.ofCell(type)(cell))
    // A whole number of a source is a number as a rule, and one of a database may be larger.
    case "BIGINT":
      return typeof cell === "number" ? BigInt(cell) : cell
    case "BOOLEAN":
    case "DOUBLE":
    case "VARCHAR":
      return cell
  }
}

/** Reads the cells of a column of a batch by their places. */
const readerOf = (type: Column.ColumnType, data: Arrow.Data): ((at: number) => unknown) => {
  const present = presentOf(type, data)
  return (at) => (data.getValid(at) ? present(at) : null)
}

const presentOf = (type: Column.ColumnType, data: Arrow.Data): ((at: number) => unknown) => {
  const values: unknown = data.values
  if (type._tag === "TIMESTAMP" && values instanceof BigInt64Array) return (at) => values[at]
  if (type._tag === "DATE" && values instanceof Int32Array) {
    return (at) => Instant.textOf(BigInt(values[at] ?? 0) * 86_400_000_000n).slice(0, 10)
  }
  if (type._tag === "DECIMAL" && values instanceof Uint32Array) {
    return (at) => {
      const word = (of: number) => BigInt(values[at * 4 + of] ?? 0)
      const unscaled = BigInt.asIntN(128, word(0) | (word(1) << 32n) | (word(2) << 64n) | (word(3) << 96n))
      return decimalText(unscaled, type.scale)
    }
  }
  const vector = new Arrow.Vector([data])
  return (at) => cellOf(type, vector.get(at))
}

/** A value of Arrow as a cell: the way back of `innerOf`. */
const cellOf = (type: Column.ColumnType, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  switch (type._tag) {
    case "JSON":
      return JSON.parse(String(value))
    case "LIST":
      return value instanceof Arrow.Vector ? Array.from(value, (one) => cellOf(type.of.type, one)) : null
    case "STRUCT":
      return typeof value === "object"
        ? Object.fromEntries(
            type.fields.map((field) => [field.name, cellOf(field.type, Reflect.get(value, field.name))])
          )
        : null
    case "TIMESTAMP":
      return Instant.microsOfWritten(String(value))
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "VARCHAR":
      return value
  }
}
