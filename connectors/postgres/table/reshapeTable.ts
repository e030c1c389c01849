/** Gives a table without rows the columns of a run and no others, for replace if no old row stays. */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { definition, typeSql } from "../columnSql.ts"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import { hideCurrent } from "./currentView.ts"
import { describeTable, noteColumn } from "./describeTable.ts"

export const reshapeTable = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  table: Table.Table
) {
  const target = Place.named(place, table.name)
  const present = yield* catalog.describe(connection, place, table.name)
  const fits = (there: catalog.Present): boolean =>
    table.columns.some(({ name, type }) => name === there.name && isSame(there, type))
  const changes = [
    ...present.filter((there) => !fits(there)).map(({ name }) => `DROP COLUMN ${Column.quote(name)}`),
    ...table.columns.flatMap((column) => {
      const there = present.find(({ name }) => name === column.name)
      if (there === undefined || !fits(there)) return [`ADD COLUMN ${definition(column)}`]
      if (there.nullable === column.nullable) return []
      return [`ALTER COLUMN ${Column.quote(column.name)} ${column.nullable ? "DROP" : "SET"} NOT NULL`]
    })
  ]
  if (changes.length === 0) return
  yield* hideCurrent(connection, place, table.name)
  yield* connection.run(`ALTER TABLE ${target} ${changes.join(", ")}`)
  for (const column of table.columns) {
    const there = present.find(({ name }) => name === column.name)
    if (there === undefined || !fits(there)) yield* noteColumn(connection, target, column.name, column)
  }
  yield* describeTable(connection, place, table, table.columns)
})

/** Whether an existing column already has the type. A `jsonb` column does not, so it becomes `json` here. */
const isSame = ({ sql, type }: catalog.Present, ours: Column.ColumnType): boolean =>
  type !== undefined && sql === typeSql(ours) && Column.toSql(type) === Column.toSql(ours)
