/**
 * Answers queries on a database. It can read what was attached and made before, and nothing else.
 *
 * A query must be one statement by itself, and also in brackets, where DuckDB accepts no INSERT, COPY, ATTACH or SET. The
 * first test refuses text that is not complete by itself, such as text that closes the bracket.
 */
import { totalmem } from "node:os"
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
  /** The memory that this process may take for a query; default: half of the machine's, at most 4 GB. */
  readonly mostBytes?: number
}

/** Locks the database, and makes the functions that answer queries. */
export const queries = Effect.fnUntraced(function* (
  database: Database.Database,
  { files, mostBytes = Math.min(totalmem() / 2, 4 * 1024 ** 3), out }: Limits,
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
    const select = (cells: ReadonlyArray<string>) => `SELECT ${cells.join(", ")} FROM ${inner}`
    return { columns, select }
  })
  const answers: Queries = {
    ask: (sql) =>
      Effect.map(prepared(sql), ({ columns, select }) => ({
        columns,
        rows: Stream.suspend(() => {
          const rows = database.sizedRows(select([...columns.map(({ cell }) => cell), bytesOf(columns)]), columns)
          return Stream.mapError(Stream.interruptWhen(rows, outgrown(mostBytes)), failure("the query failed"))
        })
      })),
    toParquet: Effect.fnUntraced(function* (sql) {
      const { columns, select } = yield* prepared(sql)
      const stored = select(columns.map((column) => column.stored))
      yield* within(
        database
          .run(`COPY (${stored}) TO ${Database.literal(out ?? "")} (FORMAT parquet, COMPRESSION zstd)`)
          .pipe(Effect.raceFirst(outgrown(mostBytes)))
      )
    })
  }
  return answers
})

/** Fails when this process has grown by more: DuckDB counts pages of tables against its own limit, and not the texts of a query. */
const outgrown = (mostBytes: number): Effect.Effect<never, Database.DatabaseError> =>
  Effect.suspend(() => {
    const most = process.memoryUsage.rss() + mostBytes
    const look = Effect.suspend(() =>
      process.memoryUsage.rss() <= most
        ? Effect.void
        : Effect.fail(
            new Database.DatabaseError({
              message: `it needs more than ${Math.round(mostBytes / 1024 ** 2)} MB of memory: ask for fewer or shorter values at a time`
            })
          )
    )
    return Effect.forever(Effect.andThen(Effect.sleep("50 millis"), look))
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

/** The bytes of a row: those of its texts and nested values, which alone can be large. */
const bytesOf = (columns: ReadonlyArray<Column.Column>): string => {
  const large = columns.filter(({ type }) => ["VARCHAR", "JSON", "LIST", "STRUCT"].includes(type._tag))
  const sizes = large.map(({ name }) => `coalesce(strlen(CAST(${Column.quote(name)} AS VARCHAR)), 0)`)
  return sizes.length === 0 ? "0" : sizes.join(" + ")
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
