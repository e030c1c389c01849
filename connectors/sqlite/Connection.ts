/**
 * An open SQLite file.
 *
 * Guarantee: a commit is on the disk when it returns (WAL, synchronous = FULL). SQLite runs on this thread, so rows are loaded in
 * pieces, between which others have their turn; a file that another program writes is waited for without blocking the thread.
 */
import { existsSync, mkdirSync } from "node:fs"
import * as Path from "node:path"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { setImmediate, setTimeout } from "node:timers/promises"
import { sqlite } from "#base/SqliteFile"
import type { SqlConnection, SqlRow } from "#engine/SqlDialect"
import type { Options } from "./options.ts"

/** Opens the file for a run, and creates it if it is missing. */
export const connect = async (options: Options, directory: string): Promise<SqlConnection> => {
  const file = fileOf(options, directory)
  mkdirSync(Path.dirname(file), { recursive: true })
  const connection = of(open(file, false), file, options.busy_timeout)
  try {
    for (const pragma of pragmas) await connection.run(`PRAGMA ${pragma}`)
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

const pragmas = [
  // Where the file system cannot share memory, SQLite keeps its rollback journal, which is as safe.
  "main.journal_mode = WAL",
  "main.synchronous = FULL",
  "temp.cache_size = -65536",
  // Views and triggers of the user find a table that is made again by its name.
  "legacy_alter_table = ON"
]

/** Opens the file for reading; undefined: there is none yet. */
export const look = (options: Options, directory: string): SqlConnection | undefined => {
  const file = fileOf(options, directory)
  return existsSync(file) ? of(open(file, true), file, options.busy_timeout) : undefined
}

export const fileOf = ({ path }: Pick<Options, "path">, directory: string): string => Path.resolve(directory, path)

/** Foreign keys of the user are not enforced here, as a table that is made again would remove the rows that refer to it. */
const open = (file: string, readOnly: boolean): DatabaseSync =>
  new (sqlite().DatabaseSync)(file, { readOnly, timeout: 0, enableForeignKeyConstraints: false })

const of = (database: DatabaseSync, file: string, busyTimeout = 30_000) => {
  const patiently = waiting(busyTimeout)
  const inserts = new Map<string, StatementSync>()
  const insertInto = (into: string, columns: ReadonlyArray<string>): StatementSync => {
    const sql = `INSERT INTO ${into} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`
    const known = inserts.get(sql) ?? database.prepare(sql)
    inserts.set(sql, known)
    return known
  }
  return {
    location: file,
    run: (sql) => patiently(() => Number(database.prepare(sql).run().changes)),
    rows: (sql) => patiently(() => all(database, sql)),
    load: async (into, columns, rows) => {
      await setImmediate()
      const statement = insertInto(into, columns)
      const isAlone = !database.isTransaction
      if (isAlone) database.exec("BEGIN")
      for (const row of rows) statement.run(...row.map((value) => (typeof value === "boolean" ? Number(value) : value)))
      if (isAlone) database.exec("COMMIT")
    },
    close: () => database.close()
  } satisfies SqlConnection
}

/** The rows of a query. The first is read at once, so that a file that is in use is known now. */
function all(database: DatabaseSync, sql: string): Iterable<SqlRow> {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  const rows = statement.iterate()
  const first = rows.next()
  return joined(first.done === true ? [] : [first.value], rows)
}

function* joined(first: ReadonlyArray<unknown>, rest: Iterable<unknown>): Generator<SqlRow> {
  for (const row of first) if (Array.isArray(row)) yield row
  for (const row of rest) if (Array.isArray(row)) yield row
}

/** Runs a call again while another program has the file. */
const waiting =
  (busyTimeout: number) =>
  async <A>(call: () => A): Promise<A> => {
    const end = performance.now() + busyTimeout
    for (;;) {
      try {
        return call()
      } catch (cause) {
        if (!isBusy(cause) || performance.now() >= end) throw cause
        await setTimeout(Math.min(50, busyTimeout))
      }
    }
  }

const isBusy = (cause: unknown): boolean => cause instanceof Error && Reflect.get(cause, "errcode") === 5
