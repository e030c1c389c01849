import * as Effect from "effect/Effect"
import type * as Column from "../pipeline/Column.ts"
import { columnFromSql } from "../pipeline/columnFromSql.ts"
import type * as Database from "./Database.ts"

/** A column as it is there: its name and type in DuckDB's words, and ours where we have one for it. */
export interface Present {
  readonly name: string
  readonly sql: string
  readonly type: Column.ColumnType | undefined
  /** Whether a row may leave it null. */
  readonly nullable: boolean
  /** Whether it has a value of its own for rows that leave it out. */
  readonly hasDefault: boolean
}

/** The columns of what a query can be from: a table, a call, a query in brackets. */
export const describe = (
  database: Database.Database,
  from: string
): Effect.Effect<ReadonlyArray<Present>, Database.DatabaseError> =>
  Effect.map(database.values(`DESCRIBE FROM ${from}`), (rows) =>
    rows.map(([name, type, nullable, , byDefault]) => ({
      name: String(name),
      sql: String(type),
      type: columnFromSql(String(type)),
      nullable: nullable !== "NO",
      hasDefault: byDefault !== null && byDefault !== undefined
    }))
  )

/** Those of types that are ours. */
export const columnsIn = (present: ReadonlyArray<Present>): ReadonlyArray<Column.Column> =>
  present.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type, nullable: true }]))
