/**
 * Copies rows from one table to another whose columns have other types. Cells are converted as the engine converts them, so a
 * value is the same cell afterwards, or it is refused with its column. The database casts them only where its dialect says how.
 */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import type { SinkError } from "../Commit.ts"
import { cellConverter } from "../convertCell.ts"
import { reading, storing } from "../SqlCell.ts"
import type { SqlDialect, SqlValue } from "../SqlDialect.ts"
import type { SqlDatabase } from "./SqlDatabase.ts"

export interface CopiedColumn {
  /** Its name in the one table, and in the other. */
  readonly from: string
  readonly into: string
  /** Its types; undefined: `Column` does not have it, and the values stay as they are. */
  readonly type: Column.ColumnType | undefined
  readonly to: Column.ColumnType | undefined
  /** Its SQL type in the other. */
  readonly sql: string
}

export interface Copy {
  /** The name of the table in messages. */
  readonly table: string
  /** The SQL of the one table, with an order, and the SQL name of the other. */
  readonly from: string
  readonly into: string
  readonly columns: ReadonlyArray<CopiedColumn>
}

export const copyRows = (
  database: SqlDatabase,
  { columns, from, into, table }: Copy
): Effect.Effect<void, SinkError> => {
  const { cast } = database.dialect
  if (cast !== undefined) {
    const values = columns.map(({ from, sql, to, type }) =>
      type === undefined || to === undefined ? Column.quote(from) : cast(Column.quote(from), type, to, sql)
    )
    const names = columns.map((column) => Column.quote(column.into)).join(", ")
    return Effect.asVoid(database.run(`INSERT INTO ${into} (${names}) SELECT ${values.join(", ")} FROM ${from}`))
  }
  const converters = columns.map((column) => valueConverter(database.dialect, table, column))
  const names = columns.map((column) => Column.quote(column.into))
  return database.each(`SELECT ${columns.map((column) => Column.quote(column.from)).join(", ")} FROM ${from}`, (rows) =>
    database.load(
      into,
      names,
      rows.map((row) => converters.map((convert, at) => convert(row[at])))
    )
  )
}

/** Converts a stored value of one type to the stored value of another. */
const valueConverter = (
  dialect: SqlDialect,
  table: string,
  { from, to, type }: Pick<CopiedColumn, "from" | "type" | "to">
): ((value: unknown) => SqlValue) => {
  if (type === undefined || to === undefined || Column.toSql(type) === Column.toSql(to)) return asItIs
  const [read, convert, store] = [reading(dialect, type), cellConverter(type, to), storing(dialect, to)]
  return (value) => {
    try {
      return store(convert(read(value)))
    } catch (cause) {
      throw new Error(`table ${table}: column ${from}: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause
      })
    }
  }
}

const asItIs = (value: unknown): SqlValue => {
  if (value === undefined || value === null) return null
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value
  if (typeof value === "boolean" || value instanceof Uint8Array) return value
  throw new Error(`a driver gave a ${typeof value}, which is no value of SQL; let it give texts`)
}
