import * as Effect from "effect/Effect"
import type * as Column from "./Column.ts"
import { columnFromSql } from "./columnFromSql.ts"
import type * as Database from "./Duckdb.ts"
import type { StoredColumn } from "./StoredTable.ts"

/** The columns of a relation: a table, a call, or a query in brackets. */
export const describe = (
  database: Database.Database,
  from: string
): Effect.Effect<ReadonlyArray<StoredColumn>, Database.DatabaseError> =>
  Effect.map(database.values(`DESCRIBE FROM ${from}`), (rows) =>
    rows.map(([name, type, nullable, , byDefault]) => ({
      name: String(name),
      sql: String(type),
      type: columnFromSql(String(type)),
      nullable: nullable !== "NO",
      hasDefault: byDefault !== null && byDefault !== undefined
    }))
  )

/** The columns whose types `Column` has. */
export const columnsIn = (present: ReadonlyArray<StoredColumn>): ReadonlyArray<Column.Column> =>
  present.flatMap(({ name, type }) => (type === undefined ? [] : [{ name, type, nullable: true }]))
