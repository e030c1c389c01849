/** A table of Millrace's own in a database: its columns, and how its rows are written and read in any dialect. */
import * as Effect from "effect/Effect"
import * as Column from "../Column.ts"
import type { SinkError } from "../Commit.ts"
import { columnFromSql } from "../columnFromSql.ts"
import { reading, storing } from "../SqlCell.ts"
import type { Row } from "../TableShape.ts"
import type { SqlDatabase } from "./SqlDatabase.ts"

export interface LedgerTable {
  readonly name: string
  readonly columns: ReadonlyArray<Column.Column>
}

/** Makes it of its columns, such as `{ run_id: "VARCHAR NOT NULL" }`. */
export const of = (name: string, columns: Readonly<Record<string, string>>): LedgerTable => ({
  name,
  columns: Object.entries(columns).map(([column, sql]) => ({
    name: column,
    type: columnFromSql(sql.replace(" NOT NULL", "")) ?? { _tag: "VARCHAR" },
    nullable: !sql.endsWith("NOT NULL")
  }))
})

/** The number of the commit that wrote a row. A database may count its rows itself, or keep their order. */
export const commitNumber = "commit_number"

/** The order in which commits wrote rows. */
export const inOrder = ({ dialect }: Pick<SqlDatabase, "dialect">): string =>
  `ORDER BY ${dialect.arrival ?? commitNumber}`

const columnsIn = ({ dialect }: SqlDatabase, { columns }: LedgerTable): LedgerTable["columns"] =>
  dialect.arrival === undefined ? columns : columns.filter(({ name }) => name !== commitNumber)

/** The definition of a column in a new table. */
export const definition = (
  { dialect }: Pick<SqlDatabase, "dialect">,
  { name, nullable, type }: Column.Column
): string =>
  name === commitNumber && dialect.serial !== undefined
    ? `${name} ${dialect.serial}`
    : `${Column.quote(name)} ${dialect.type(type)}${nullable ? "" : " NOT NULL"}${dialect.constraint?.(name, type) ?? ""}`

/** Creates tables that are missing, and adds columns that an older version did not have; returns their names by table. */
export const prepare = Effect.fnUntraced(function* (
  database: SqlDatabase,
  tables: ReadonlyArray<LedgerTable>
): Effect.fn.Return<ReadonlyMap<string, ReadonlyArray<string>>, SinkError> {
  const added = new Map<string, ReadonlyArray<string>>()
  // All are looked up before one is made.
  const described = yield* Effect.forEach(
    tables.filter(({ name }) => !database.prepared.has(name)),
    (table) => Effect.map(database.describe(table.name), (there) => ({ table, there }))
  )
  for (const { table, there } of described) {
    const target = database.spelling.table(table.name)
    const columns = columnsIn(database, table)
    database.prepared.add(table.name)
    if (there === undefined) {
      const definitions = columns.map((column) => definition(database, column)).join(", ")
      yield* database.run(`CREATE TABLE ${target} (${definitions})`)
      continue
    }
    const lacking = columns.filter((column) => Column.named(there.columns, column.name) === undefined)
    for (const column of lacking) {
      yield* database.run(`ALTER TABLE ${target} ADD COLUMN ${definition(database, { ...column, nullable: true })}`)
    }
    added.set(
      table.name,
      lacking.map(({ name }) => name)
    )
  }
  return added
})

/** Inserts rows of cells. */
export const insert = (
  database: SqlDatabase,
  table: LedgerTable,
  rows: ReadonlyArray<Row>
): Effect.Effect<void, SinkError> => {
  const { name } = table
  const own = columnsIn(database, table).filter(
    (column) => column.name !== commitNumber || database.dialect.serial === undefined
  )
  const cells = own.map(({ name, nullable, type }) => {
    const store = storing(database.dialect, type)
    // The null of JSON, where a column has no other.
    const isJson = !nullable && type._tag === "JSON"
    return [name, isJson ? (cell: unknown) => store(cell) ?? "null" : store] as const
  })
  return database.load(
    database.spelling.table(name),
    own.map((column) => Column.quote(column.name)),
    rows.map((row) => cells.map(([column, store]) => store(row[column])))
  )
}

/** Removes the rows in which a column has this text. */
export const remove = ({ run, spelling }: SqlDatabase, { name }: LedgerTable, column: string, text: string) =>
  run(`DELETE FROM ${spelling.table(name)} WHERE ${Column.quote(column)} = ${spelling.literal(text)}`)

/** The rows as cells; none if there is no such table. A column that it lacks is null. `tail`: what comes behind FROM. */
export const select = Effect.fnUntraced(function* (
  database: SqlDatabase,
  table: LedgerTable,
  tail: string
): Effect.fn.Return<ReadonlyArray<Row>, SinkError> {
  const { name } = table
  const columns = columnsIn(database, table)
  const there = database.prepared.has(name) ? columns : (yield* database.describe(name))?.columns
  if (there === undefined) return []
  const known = columns.filter((column) => there.some((own) => own.name.toLowerCase() === column.name.toLowerCase()))
  const lacking = Object.fromEntries(
    columns.filter((column) => !known.includes(column)).map((column) => [column.name, null])
  )
  const cells = known.map((column) => [column.name, reading(database.dialect, column.type)] as const)
  const names = known.map((column) => Column.quote(column.name)).join(", ")
  const rows = yield* database.rows(`SELECT ${names} FROM ${database.spelling.table(name)} ${tail}`)
  return rows.map(
    (row): Row => ({ ...lacking, ...Object.fromEntries(cells.map(([column, read], at) => [column, read(row[at])])) })
  )
})
