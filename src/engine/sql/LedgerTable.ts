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

/** The number of the commit that wrote a row. A database may count its rows itself. */
export const commitNumber = "commit_number"

/** The definition of a column in a new table. */
export const definition = (
  { dialect }: Pick<SqlDatabase, "dialect">,
  { name, nullable, type }: Column.Column
): string =>
  name === commitNumber && dialect.serial !== undefined
    ? `${name} ${dialect.serial}`
    : `${Column.quote(name)} ${dialect.type(type)}${nullable ? "" : " NOT NULL"}${dialect.constraint?.(name, type) ?? ""}`

/** Creates it if it is missing, and adds columns that an older version did not have. */
export const prepare = Effect.fnUntraced(function* (
  database: SqlDatabase,
  { columns, name }: LedgerTable
): Effect.fn.Return<void, SinkError> {
  const there = yield* database.describe(name)
  const target = database.spelling.table(name)
  if (there === undefined) {
    const definitions = columns.map((column) => definition(database, column)).join(", ")
    yield* database.run(`CREATE TABLE ${target} (${definitions})`)
    return void database.prepared.add(name)
  }
  for (const column of columns) {
    if (Column.named(there.columns, column.name) !== undefined) continue
    yield* database.run(`ALTER TABLE ${target} ADD COLUMN ${definition(database, { ...column, nullable: true })}`)
  }
  database.prepared.add(name)
})

/** Inserts rows of cells. */
export const insert = (
  database: SqlDatabase,
  { columns, name }: LedgerTable,
  rows: ReadonlyArray<Row>
): Effect.Effect<void, SinkError> => {
  const own = columns.filter((column) => column.name !== commitNumber || database.dialect.serial === undefined)
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

/** The rows as cells; none if there is no such table. `tail`: what comes behind FROM. */
export const select = Effect.fnUntraced(function* (
  database: SqlDatabase,
  { columns, name }: LedgerTable,
  tail: string
): Effect.fn.Return<ReadonlyArray<Row>, SinkError> {
  const there = database.prepared.has(name) ? columns : (yield* database.describe(name))?.columns
  if (there === undefined) return []
  const known = columns.filter((column) => there.some((own) => own.name.toLowerCase() === column.name.toLowerCase()))
  const cells = known.map((column) => [column.name, reading(database.dialect, column.type)] as const)
  const names = known.map((column) => Column.quote(column.name)).join(", ")
  const rows = yield* database.rows(`SELECT ${names} FROM ${database.spelling.table(name)} ${tail}`)
  return rows.map((row): Row => Object.fromEntries(cells.map(([column, read], at) => [column, read(row[at])])))
})
