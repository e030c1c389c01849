/**
 * Converts rows to record batches of Arrow and back.
 *
 * This file loads `apache-arrow`, so import it lazily where that is not always needed.
 */
import * as Arrow from "apache-arrow"
import type * as Column from "./Column.ts"
import { decimalText, jsonOf, refuse, unscaledOf } from "./cellValue.ts"
import * as Instant from "./Instant.ts"
import { ownCell } from "./ownCell.ts"
import { parseJson } from "./parseJson.ts"
import type * as Table from "./Table.ts"

export const schemaOf = (columns: ReadonlyArray<Column.Column>): Arrow.Schema =>
  new Arrow.Schema(columns.map(({ name, type }) => new Arrow.Field(name, typeOf(type), true)))

/** Makes a batch of rows; `schema` is that of the columns. It throws an error if a cell is not of its type. */
export const batchOf = (
  schema: Arrow.Schema,
  columns: ReadonlyArray<Column.Column>,
  rows: ReadonlyArray<Table.Row>
): Arrow.RecordBatch => {
  const children = columns.map(({ name, type }) => {
    const cells = rows.map((row) => row[name] ?? null)
    try {
      return dataOf(type, cells)
    } catch (cause) {
      throw new Error(`column ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  })
  const type = new Arrow.Struct(schema.fields)
  return new Arrow.RecordBatch(schema, Arrow.makeData({ type, length: rows.length, nullCount: 0, children }))
}

/** Whether two schemas are equal. */
export const isSame = (one: Arrow.Schema, other: Arrow.Schema): boolean => String(one) === String(other)

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

/** The Arrow type of a column. JSON is text. */
const typeOf = (type: Column.ColumnType): Arrow.DataType => {
  switch (type._tag) {
    case "BIGINT":
      return new Arrow.Int64()
    case "BOOLEAN":
      return new Arrow.Bool()
    case "DOUBLE":
      return new Arrow.Float64()
    case "TIMESTAMP":
      return new Arrow.TimestampMicrosecond("UTC")
    case "DATE":
      return new Arrow.DateDay()
    case "DECIMAL":
      return decimalOf(type)
    case "LIST":
      return listOf(type)
    case "STRUCT":
      return structOf(type)
    case "JSON":
    case "VARCHAR":
      return new Arrow.Utf8()
  }
}

type Typed<Tag extends Column.ColumnType["_tag"]> = Extract<Column.ColumnType, { readonly _tag: Tag }>

const decimalOf = ({ precision, scale }: Typed<"DECIMAL">) => new Arrow.Decimal(scale, precision, 128)
const listOf = ({ of }: Typed<"LIST">) => new Arrow.List(new Arrow.Field("item", typeOf(of.type), true))
const structOf = ({ fields }: Typed<"STRUCT">) =>
  new Arrow.Struct(fields.map(({ name, type }) => new Arrow.Field(name, typeOf(type), true)))

/**
 * The data of a column, or of a nested one. Times and decimals are written as integers of 64 and 128 bits, because JavaScript
 * numbers cannot hold all of them.
 */
const dataOf = (type: Column.ColumnType, cells: ReadonlyArray<unknown>): Arrow.Data => {
  const length = cells.length
  switch (type._tag) {
    case "TIMESTAMP": {
      const data = BigInt64Array.from(cells, (cell) => (typeof cell === "bigint" ? cell : 0n))
      return Arrow.makeData({ type: new Arrow.TimestampMicrosecond("UTC"), length, data, ...nullsOf(cells) })
    }
    case "DATE": {
      const data = Int32Array.from(cells, (cell) =>
        cell === null ? 0 : (Instant.writtenDaysOf(String(cell)) ?? refuse(type, cell))
      )
      return Arrow.makeData({ type: new Arrow.DateDay(), length, data, ...nullsOf(cells) })
    }
    case "DECIMAL": {
      const data = new BigInt64Array(length * 2)
      cells.forEach((cell, i) => {
        const value = cell === null ? 0n : (unscaledOf(cell, type) ?? refuse(type, cell))
        data[i * 2] = BigInt.asIntN(64, value)
        data[i * 2 + 1] = value >> 64n
      })
      return Arrow.makeData({ type: decimalOf(type), length, data: new Uint32Array(data.buffer), ...nullsOf(cells) })
    }
    case "LIST": {
      const items: Array<unknown> = []
      const valueOffsets = new Int32Array(length + 1)
      cells.forEach((cell, at) => {
        if (Array.isArray(cell)) for (const item of cell) items.push(item ?? null)
        valueOffsets[at + 1] = items.length
      })
      return Arrow.makeData({
        type: listOf(type),
        length,
        valueOffsets,
        child: dataOf(type.of.type, items),
        ...nullsOf(cells)
      })
    }
    case "STRUCT": {
      const children = type.fields.map((field) =>
        dataOf(
          field.type,
          cells.map((cell): unknown => (isStruct(cell) ? (ownCell(cell, field.name) ?? null) : null))
        )
      )
      return Arrow.makeData({ type: structOf(type), length, children, ...nullsOf(cells) })
    }
    case "JSON":
      return made(
        cells.map((cell) => (cell === null ? null : jsonOf(cell))),
        typeOf(type)
      )
    // A BIGINT cell is a number or a bigint; Arrow takes bigints.
    case "BIGINT":
      return made(
        cells.map((cell) => (typeof cell === "number" ? BigInt(cell) : cell)),
        typeOf(type)
      )
    case "BOOLEAN":
    case "DOUBLE":
    case "VARCHAR":
      return made(cells, typeOf(type))
  }
}

const isStruct = (cell: unknown): cell is object => typeof cell === "object" && cell !== null

const made = (cells: ReadonlyArray<unknown>, type: Arrow.DataType): Arrow.Data =>
  Arrow.vectorFromArray(cells, type).data[0] ?? Arrow.makeData({ type, length: 0 })

/** The bitmap and the number of null cells. */
const nullsOf = (cells: ReadonlyArray<unknown>) => {
  const { nullBitmap, nullCount } = made(
    cells.map((cell) => (cell === null ? null : true)),
    new Arrow.Bool()
  )
  return { nullBitmap, nullCount }
}

/** Makes the function that reads the cell at a position of a column, or of a nested one. */
const readerOf = (type: Column.ColumnType, data: Arrow.Data): ((at: number) => unknown) => {
  const present = presentOf(type, data)
  return (at) => (data.getValid(at) ? present(at) : null)
}

const presentOf = (type: Column.ColumnType, data: Arrow.Data): ((at: number) => unknown) => {
  const values: unknown = data.values
  if (type._tag === "TIMESTAMP" && values instanceof BigInt64Array) return (at) => values[at]
  if (type._tag === "DATE" && values instanceof Int32Array) {
    return (at) => Instant.dayTextOf(values[at] ?? 0)
  }
  if (type._tag === "DECIMAL" && values instanceof Uint32Array) {
    return (at) => {
      const word = (of: number) => BigInt(values[at * 4 + of] ?? 0)
      const unscaled = BigInt.asIntN(128, word(0) | (word(1) << 32n) | (word(2) << 64n) | (word(3) << 96n))
      return decimalText(unscaled, type.scale)
    }
  }
  const offsets: unknown = data.valueOffsets
  if (type._tag === "LIST" && data.children[0] !== undefined && offsets instanceof Int32Array) {
    const item = readerOf(type.of.type, data.children[0])
    return (at) => {
      const [from, to] = [offsets[at] ?? 0, offsets[at + 1] ?? 0]
      return Array.from({ length: to - from }, (_, offset) => item(from + offset))
    }
  }
  if (type._tag === "STRUCT") {
    const names: ReadonlyArray<string> = data.type.children.map(({ name }: Arrow.Field) => name)
    const members = type.fields.map((field) => {
      const child: Arrow.Data | undefined = data.children[names.indexOf(field.name)]
      return [field.name, child === undefined ? () => null : readerOf(field.type, child)] as const
    })
    return (at) => Object.fromEntries(members.map(([name, read]) => [name, read(at)]))
  }
  if (type._tag === "VARCHAR" && values instanceof Uint8Array && offsets instanceof Int32Array) {
    return (at) => utf8.decode(values.subarray(offsets[at], offsets[at + 1]))
  }
  const vector = new Arrow.Vector([data])
  return (at) => cellOf(type, vector.get(at))
}

/** Arrow's own decoder removes a byte order mark at the beginning of a text. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** A value of Arrow as a cell. In old files, times and decimals within lists and structs are texts. */
const cellOf = (type: Column.ColumnType, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  switch (type._tag) {
    case "JSON":
      return parseJson(String(value))
    case "TIMESTAMP":
      return Instant.microsOfWritten(String(value))
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "LIST":
    case "STRUCT":
    case "VARCHAR":
      return value
  }
}
