/** An answer as a stream of Arrow IPC: a schema, then a batch for each chunk of rows. */
import { Readable, type Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as Arrow from "apache-arrow"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CellJson from "../../pipeline/CellJson.ts"
import type * as Column from "../../pipeline/Column.ts"
import { SinkError } from "../../pipeline/Commit.ts"
import { daysOf, unscaledOf } from "../../pipeline/cellValue.ts"
import type { Answer } from "../../pipeline/Queries.ts"
import type * as Table from "../../pipeline/Table.ts"

export const asArrow = ({ columns, rows }: Answer, out: Writable) => {
  const schema = new Arrow.Schema(columns.map(({ name, type }) => new Arrow.Field(name, typeOf(type), true)))
  const type = new Arrow.Struct(schema.fields)
  const batchOf = (some: ReadonlyArray<Table.Row>) => {
    const children = columns.map((column) =>
      dataOf(
        column.type,
        some.map((row) => row[column.name] ?? null)
      )
    )
    return new Arrow.RecordBatch(schema, Arrow.makeData({ type, length: some.length, nullCount: 0, children }))
  }
  const written = (some: ReadonlyArray<Table.Row>) =>
    Effect.try({ try: () => batchOf(some), catch: (cause) => refused(cause) })
  // The schema is written with the first batch, which an answer without rows has too.
  const none: ReadonlyArray<Table.Row> = []
  const batches = Stream.make(none).pipe(Stream.concat(rows), Stream.mapEffect(written))
  return Effect.tryPromise({
    try: () =>
      pipeline(
        Readable.from(Stream.toAsyncIterable(batches)),
        Arrow.RecordBatchStreamWriter.throughNode({ autoDestroy: true }),
        out,
        { end: out !== process.stdout }
      ),
    catch: (cause) => (cause instanceof SinkError ? cause : refused(cause))
  })
}

const refused = (cause: unknown): SinkError =>
  new SinkError({ sink: "arrow", message: `the answer cannot be written: ${String(cause)}`, retryable: false, cause })

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
