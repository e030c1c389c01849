/**
 * Answers queries on a database. It can read what was attached and made before, and nothing else.
 *
 * A query must be one statement by itself, and also in brackets, where DuckDB accepts no INSERT, COPY, ATTACH or SET. The
 * first test refuses text that is not complete by itself, such as text that closes the bracket.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Column from "./Column.ts"
import type { SinkError } from "./Commit.ts"
import * as Database from "./Duckdb.ts"
import * as Cell from "./DuckdbCell.ts"
import { describe } from "./describeDuckdb.ts"
import type { Queries } from "./Queries.ts"
import type { StoredColumn } from "./StoredTable.ts"

interface Limits {
  /** Files of its tables that are not attached. */
  readonly files: ReadonlyArray<string>
  /** The file that a result may be written to; undefined: none. */
  readonly out: string | undefined
}

/** Locks the database, and makes the functions that answer queries. */
export const queries = Effect.fnUntraced(function* (
  database: Database.Database,
  { files, out }: Limits,
  failure: (doing: string) => (cause?: Database.DatabaseError) => SinkError
) {
  const allowed = [...files, ...(out === undefined ? [] : [out])].map(Database.literal).join(", ")
  const locks = [
    ...(allowed === "" ? [] : [`SET allowed_paths = [${allowed}]`]),
    "SET enable_external_access = false",
    "SET lock_configuration = true"
  ]
  for (const lock of locks) yield* database.run(lock).pipe(Effect.mapError(failure("cannot lock the database")))
  const within = Effect.mapError((cause: Database.DatabaseError) => failure("the query failed")(withHint(cause)))

  const prepared = Effect.fnUntraced(function* (sql: string) {
    const inner = `(\n${sql.trim().replace(/;+\s*$/, "")}\n)`
    const count = yield* within(database.countStatements(sql))
    const counted = yield* Effect.result(database.countStatements(`FROM ${inner}`))
    // DuckDB makes two statements of a PIVOT without values: the first one finds the values.
    const more = /\bpivot\b/i.test(sql) ? `; ${pivot}` : ""
    if (count !== 1) return yield* failure(`the query is ${count} statements: ask one at a time${more}`)()
    if (Result.isFailure(counted)) {
      // A statement that fails only in brackets is not a query, or has a comment after its semicolon.
      const isCut = counted.failure.message.includes('at or near ";"')
      return yield* isCut ? within(Effect.fail(counted.failure)) : failure(onlyReads)()
    }
    if (counted.success !== 1)
      return yield* failure(`the query is ${counted.success} statements: ask one at a time${more}`)()
    const present = yield* within(describe(database, inner))
    const columns = present.map(columnOf)
    const select = (as: "cell" | "stored") => `SELECT ${columns.map((column) => column[as]).join(", ")} FROM ${inner}`
    return { columns, select }
  })
  const answers: Queries = {
    ask: (sql) =>
      Effect.map(prepared(sql), ({ columns, select }) => ({
        columns,
        rows: Stream.mapError(database.rows(select("cell"), columns), failure("the query failed"))
      })),
    toParquet: Effect.fnUntraced(function* (sql) {
      const { select } = yield* prepared(sql)
      yield* within(
        database.run(`COPY (${select("stored")}) TO ${Database.literal(out ?? "")} (FORMAT parquet, COMPRESSION zstd)`)
      )
    })
  }
  return answers
})

const onlyReads =
  "this statement is not a query, and tables are only read here; begin with SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE or SHOW"

const pivot = "a PIVOT is one statement if it names its values: PIVOT pages ON language IN ('en', 'de') USING count(*)"

interface SelectedColumn extends Column.Column {
  /** How it is selected for a cell. */
  readonly cell: string
  /** How it is selected for a file. */
  readonly stored: string
}

/** A column of the result. Types that `Column` does not have become text, but whole numbers of any size become decimals. */
const columnOf = ({ name, sql, type }: StoredColumn): SelectedColumn => {
  const quoted = Column.quote(name)
  if (type !== undefined) {
    const column: Column.Column = { name, type, nullable: true }
    return { ...column, cell: Cell.selected(column), stored: quoted }
  }
  const as = (other: string) => `CAST(${quoted} AS ${other}) AS ${quoted}`
  if (!/^U?(?:HUGEINT|BIGINT|INTEGER|SMALLINT|TINYINT)$/.test(sql)) {
    return { name, type: { _tag: "VARCHAR" }, nullable: true, cell: as("VARCHAR"), stored: as("VARCHAR") }
  }
  // The cell of a decimal is its digits. A HUGEINT may have 39 of them, which no type of a file has.
  return { name, type: whole, nullable: true, cell: as("VARCHAR"), stored: as(Column.toSql(whole)) }
}

const whole: Column.ColumnType = { _tag: "DECIMAL", precision: 38, scale: 0 }

/** Why a whole number cannot be written to a file. */
export const tooLarge = "files have no whole numbers of more than 38 digits"

const withHint = (error: Database.DatabaseError): Database.DatabaseError => {
  const { candidates, cause, message } = error
  const column = /to DECIMAL\(38,0\) when casting from source column (.+)$/.exec(message)?.[1]
  if (column !== undefined) {
    return new Database.DatabaseError({
      message: `${message}; ${tooLarge}: ask for it as text, CAST(${column} AS VARCHAR)`
    })
  }
  const hint = /file system operations are disabled|configuration has been locked/.test(message)
    ? "; a query reads the tables of this destination only"
    : candidates === undefined
      ? /Table with name .+ does not exist/.test(message)
        ? " SHOW TABLES lists those that do"
        : ""
      : `; ${candidates}`
  return new Database.DatabaseError({ message: `${message}${hint}`, ...(cause === undefined ? {} : { cause }) })
}
