/**
 * Answers SQL on the tables of a database, in a DuckDB of its own: with the types of `Column` and the SQL of other sinks, also
 * where the database has neither. A table is copied when a query first names it, and spills to a temporary folder.
 *
 * Guarantee: the database is only read, in one transaction, so that all tables are of one moment.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Column from "../Column.ts"
import { SinkError } from "../Commit.ts"
import * as Duckdb from "../Duckdb.ts"
import { queries as queriesOf } from "../duckdbQueries.ts"
import type * as Queries from "../Queries.ts"
import { reading } from "../SqlCell.ts"
import { temporaryFolder } from "../temporaryFolder.ts"
import * as Receipts from "./Receipts.ts"
import { type Described, refused, type SqlDatabase } from "./SqlDatabase.ts"
import * as TableRegistry from "./TableRegistry.ts"

export const queries = Effect.fn("sql.queries")(function* (
  database: SqlDatabase,
  { asOf, file: out }: Queries.QueryRequest
): Effect.fn.Return<Queries.Queries, SinkError, Scope.Scope> {
  if (asOf !== undefined) {
    const why = "a database keeps its tables as they are now"
    return yield* refused(
      database,
      `${why}: ask without --as-of, ask a history (write: scd2) by valid_from and valid_to, or ask a lake`
    )
  }
  const failure = (doing: string) => (cause?: unknown) =>
    cause instanceof SinkError
      ? cause
      : refused(database, cause instanceof Error ? `${doing}: ${cause.message}` : doing)
  const unread = failure(`cannot read ${database.location}`)
  const folder = yield* Effect.mapError(temporaryFolder("sql"), unread)
  const spill = Path.join(folder, "spill")
  const copy = yield* Effect.mapError(Duckdb.open({ threads: 2, memory: "1GB", spill }), unread)
  yield* database.run(database.dialect.transaction?.read ?? "BEGIN")
  const waiting = new Map<string, Described>()
  for (const name of yield* namesOf(database)) {
    // A view of the user whose table is gone has no columns, and hides no other table.
    const there = yield* Effect.orElseSucceed(TableRegistry.describe(database, name), () => undefined)
    if (there === undefined || there.columns.length === 0) continue
    waiting.set(name, there)
    const columns = columnsOf(there).map((column) => `${Column.quote(column.name)} ${Column.toSql(column.type)}`)
    yield* Effect.mapError(copy.run(`CREATE TABLE ${Column.quote(name)} (${columns.join(", ")})`), unread)
  }
  const answers = yield* queriesOf(copy, { files: [], out }, failure)
  const fill = Effect.fnUntraced(function* (sql: string): Effect.fn.Return<void, SinkError> {
    const text = sql.toLowerCase()
    const named = Array.from(waiting).filter(([name]) => text.includes(name.toLowerCase()))
    for (const [name, there] of named) {
      waiting.delete(name)
      yield* fetchTable(database, copy, name, there).pipe(Effect.mapError(failure(`cannot read table ${name}`)))
    }
  })
  return {
    ask: (sql) => Effect.andThen(fill(sql), answers.ask(sql)),
    toParquet: (sql) => Effect.andThen(fill(sql), answers.toParquet(sql))
  }
})

/** The tables that a query can name: those that the dialect lists, otherwise Millrace's own and those that runs have written. */
const namesOf = Effect.fnUntraced(function* (
  database: SqlDatabase
): Effect.fn.Return<ReadonlyArray<string>, SinkError> {
  const { tables } = database.dialect
  if (tables !== undefined) return (yield* database.rows(tables)).map(([name]) => String(name))
  const owned = yield* TableRegistry.owners(database)
  return [...owned.map(({ table }) => table), ...Receipts.tableNames, ...TableRegistry.tableNames]
})

const columnsOf = ({ columns }: Described): ReadonlyArray<Column.Column> =>
  columns.map(({ name, type }) => ({ name, type: type ?? { _tag: "VARCHAR" }, nullable: true }))

/** Copies the rows of a table. */
const fetchTable = Effect.fnUntraced(function* (
  database: SqlDatabase,
  copy: Duckdb.Database,
  name: string,
  there: Described
): Effect.fn.Return<void, SinkError | Duckdb.DatabaseError> {
  const { dialect, spelling } = database
  const columns = columnsOf(there)
  const cells = columns.map((column) => [column.name, reading(dialect, column.type)] as const)
  const values = there.columns.map((column) => {
    const quoted = Column.quote(column.name)
    return column.type === undefined ? spelling.text(quoted) : spelling.selected(quoted, column.type)
  })
  const rowId = there.kind === undefined ? dialect.rowId(there.columns) : undefined
  const order = rowId === undefined ? "" : ` ORDER BY ${rowId}`
  const feed = yield* copy.feed(columns)
  yield* database.each(`SELECT ${values.join(", ")} FROM ${spelling.table(name)}${order}`, (rows) => {
    feed.load(rows.map((row) => Object.fromEntries(cells.map(([column, read], at) => [column, read(row[at])]))))
    return copy.run(`INSERT INTO ${Column.quote(name)} FROM ${feed.call}`)
  })
})
