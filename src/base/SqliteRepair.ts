/**
 * Repairs a SQLite file of our own when it is opened: a damaged row or page costs what is in it, and not the file.
 *
 * Guarantee: what is lost is set aside in the table `set_aside`, with its known cells, until it was reported. Rows whose values are not
 * those of their digest are moved there. If pages cannot be read, all other rows are copied to a new file, which takes the place of
 * the damaged one: that is then beside it. A file of which nothing can be read is refused.
 */
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Digest from "./Digest.ts"
import * as Durable from "./Durable.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as RowDigest from "./sqlite/RowDigest.ts"
import { changedRow, keyOf, type Lost, salvage } from "./sqlite/salvage.ts"

/** What is set aside in a file. The table "" stands for the whole file. */
export interface SetAside extends Lost {
  readonly id: number
}

/** What was lost, in words without values that may be private: `runs task docs, due 1000: its page cannot be read`. */
export const inWords = ({ key, reason, table }: Pick<Lost, "key" | "reason" | "table">): string => {
  if (table === "") return reason
  const named = Object.entries(key).map(([column, value]) => `${column} ${String(value)}`)
  return `${table} ${named.length === 0 ? "(not known which rows)" : named.join(", ")}: ${reason}`
}

/** A file up to this size is read whole when it is opened, which takes about two seconds. */
const checkedBytes = 256 * 1024 * 1024

/** Up to this size, its indexes are compared with its rows too. */
const comparedBytes = 16 * 1024 * 1024

/**
 * Repairs a file up to a size, if it needs that, and returns what is lost. It throws if nothing can be read of it, or if another
 * process has it open.
 */
export const repair = (path: string, limit = checkedBytes): ReadonlyArray<Lost> => {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size
  if (bytes === undefined || bytes > limit) return []
  if (bytes === 0) return usingFile(path, (database) => setAside(database, [ofFile(emptied)]))
  const damage = usingFile(path, (database) => {
    const fault = faultOf(database, path, limit)
    if (fault !== undefined) return fault
    if (isOtherSchema(database)) throw refused(path, otherSchema)
    const changed = changedIn(database)
    if (changed.length === 0) return []
    refuse(path, "its list of migrations was changed", changed)
    try {
      return SqliteFile.whole(database, () => setAside(database, changed))
    } catch (cause) {
      // An index does not have what the row has.
      return damageIn(cause)
    }
  })
  return typeof damage === "string" ? replace(path, damage) : damage
}

const ofFile = (reason: string): Lost => ({ table: "", key: {}, cells: {}, reason })

const emptied = "the file was empty: all that was in it is lost"

/** What is wrong with a file, or is set aside in it: nothing is changed. */
export const inspect = (path: string): ReadonlyArray<string> => {
  const database = new (SqliteFile.sqlite().DatabaseSync)(path, { readOnly: true, timeout: busyMillis })
  try {
    const fault = faultOf(database, path, Number.POSITIVE_INFINITY)
    if (fault !== undefined) return [fault]
    if (isOtherSchema(database)) return [otherSchema]
    RowDigest.define(database)
    return changedIn(database).map(inWords)
  } finally {
    database.close()
  }
}

const busyMillis = 5000

const usingFile = <A>(path: string, use: (database: DatabaseSync) => A): A => {
  const database = new (SqliteFile.sqlite().DatabaseSync)(path, { timeout: busyMillis, defensive: false })
  try {
    RowDigest.define(database)
    return use(database)
  } finally {
    database.close()
  }
}

/** What is wrong with the pages of a file up to a size, in the words of SQLite: otherwise it is found in the midst of a request. */
export const faultOf = (database: DatabaseSync, path: string, limit = checkedBytes): string | undefined => {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (bytes > limit) return undefined
  try {
    const check = bytes > comparedBytes ? "quick_check" : "integrity_check"
    const verdict = database.prepare(`PRAGMA ${check}(1)`).get()?.[check]
    return verdict === "ok" ? undefined : String(verdict).replaceAll(/\s+/g, " ")
  } catch (cause) {
    return damageIn(cause)
  }
}

/** What an error says of pages; another one, as of a file that is busy, is thrown again. */
const damageIn = (cause: unknown): string => {
  if (cause instanceof Error && "errcode" in cause && damagedCodes.has(Number(cause.errcode) & 0xff))
    return cause.message
  throw cause
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damagedCodes = new Set([11, 26])

/**
 * Whether the texts of the tables and indexes are not those that were written. SQLite counts the changes that it makes to them: where
 * that number is another one too, somebody changed them by SQL.
 */
const isOtherSchema = (database: DatabaseSync): boolean => {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_digest'").get() === undefined) return false
  const known = database.prepare("SELECT changes, digest FROM schema_digest").get()
  const changes = database.prepare("PRAGMA schema_version").get()?.["schema_version"]
  return known?.["changes"] === changes && known?.["digest"] !== digestOf(database.prepare(schema).all())
}

const otherSchema = "the texts of its tables were changed"

const schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
const digestOf = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): string =>
  Digest.short(JSON.stringify(rows.map((row) => Object.values(row))))

/** The rows that have other values than their digests say. */
const changedIn = (database: DatabaseSync): ReadonlyArray<Lost & { readonly number: bigint }> =>
  RowDigest.guardedIn(database).flatMap((guarded) => {
    const { columns, table } = guarded
    const [key, listed] = [keyOf(database, table), columns.map(RowDigest.quote).join(", ")]
    const statement = database.prepare(
      `SELECT rowid AS row_number, ${listed} FROM ${RowDigest.quote(table)} WHERE ${RowDigest.isOther(guarded)}`
    )
    statement.setReadBigInts(true)
    return statement
      .all()
      .map(({ row_number: number, ...cells }) => ({ ...changedRow(table, key, cells), number: BigInt(Number(number)) }))
  })

/** Notes what is lost, and removes the rows that have a number. */
const setAside = (
  database: DatabaseSync,
  lost: ReadonlyArray<Lost & { readonly number?: bigint }>
): ReadonlyArray<Lost> => {
  database.exec(create)
  const note = database.prepare('INSERT INTO set_aside ("table", key, cells, reason) VALUES (?, ?, ?, ?)')
  for (const { cells, key, number, reason, table } of lost) {
    note.run(table, jsonOf(key), jsonOf(cells), reason)
    if (number !== undefined) database.prepare(`DELETE FROM ${RowDigest.quote(table)} WHERE rowid = ?`).run(number)
  }
  // What an index has of a removed row is not removed with it if the row has other values now.
  const removed = lost.flatMap(({ number, table }) => (number === undefined ? [] : [table]))
  for (const table of new Set(removed)) database.exec(`REINDEX ${RowDigest.quote(table)}`)
  return lost
}

const create = `CREATE TABLE IF NOT EXISTS set_aside (
  id INTEGER PRIMARY KEY, "table" TEXT NOT NULL, key TEXT NOT NULL, cells TEXT NOT NULL, reason TEXT NOT NULL,
  reported INTEGER NOT NULL DEFAULT 0
)`

const jsonOf = (cells: Lost["cells"]): string =>
  JSON.stringify(cells, (_, cell: unknown) => (typeof cell === "bigint" ? Number(cell) : cell))

/** Refuses a file whose list of migrations has losses: without it nobody knows what its other tables are. */
const refuse = (path: string, damage: string, lost: ReadonlyArray<Lost>): void => {
  if (lost.some(({ table }) => table.endsWith("_migrations"))) throw refused(path, damage)
}

/** A file of which nothing can be read. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

export const refused = (path: string, damage: string): Unreadable =>
  new Unreadable(
    `${path} is damaged: ${damage}; restore it from a backup, or move it away with its -wal and -shm files: then all begins anew`
  )

/** Puts what can be read of a file into its place. */
const replace = (path: string, damage: string): ReadonlyArray<Lost> => {
  const [draft, damaged] = [`${path}.salvage`, damagedName(path)]
  rmSync(draft, { force: true })
  SqliteFile.makePrivate(draft)
  const { ino } = statSync(path)
  try {
    return usingFile(path, (from) => {
      alone(from, path, damage)
      if (isOtherSchema(from)) throw refused(path, otherSchema)
      const lost = usingFile(draft, (to) => {
        const lost = salvage(from, to)
        refuse(path, damage, lost)
        const reason = `${path} is damaged: ${damage}; what could be read is in a new file, and the old one is ${damaged}`
        return setAside(to, [ofFile(reason), ...lost])
      })
      Durable.syncNow(draft)
      // Another process that waited for the same may have been faster.
      if (statSync(path).ino !== ino) return []
      copyFileSync(path, damaged)
      Durable.syncNow(damaged)
      renameSync(draft, path)
      Durable.syncNow(dirname(path))
      return lost
    })
  } catch (cause) {
    throw cause instanceof Error && cause.message.includes(path) ? cause : refused(path, damage)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Locks a file and brings its -wal file into it: SQLite leaves that mode only if nobody else has the file open. */
const alone = (database: DatabaseSync, path: string, damage: string): void => {
  try {
    database.exec(
      "PRAGMA busy_timeout = 500; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE"
    )
  } catch (cause) {
    if (!(cause instanceof Error && "errcode" in cause && busyCodes.has(Number(cause.errcode) & 0xff))) throw cause
    throw new Error(
      `${path} is damaged: ${damage}; another process uses it: stop that one, and what can be read is saved`,
      { cause }
    )
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
const busyCodes = new Set([5, 6])

/** A name for a damaged file, which no other one has. */
export const damagedName = (path: string): string => {
  let name = `${path}.damaged`
  for (let number = 2; existsSync(name); number++) name = `${path}.damaged-${number}`
  return name
}

/** Guards the rows of all tables, after they were made. Another database than SQLite compares its pages itself. */
export const guard = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ sqlite: () => guardAll(sql), orElse: () => Effect.void })
})

const guardAll = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql.unsafe(create)
  const [main] = yield* sql<{ file: string }>`SELECT file FROM pragma_database_list WHERE name = 'main'`
  // Nothing damages what is in memory.
  if (main?.file === "") return
  const named = yield* sql<{ name: string; trigger: string | null }>`
    SELECT name, (SELECT sql FROM sqlite_schema AS own WHERE own.type = 'trigger' AND own.tbl_name = one.name
      AND own.name LIKE 'row#_digest#_%' ESCAPE '#') AS trigger
    FROM pragma_table_list AS one WHERE schema = 'main' AND type = 'table' AND NOT wr
      AND name NOT LIKE 'sqlite#_%' ESCAPE '#' AND name NOT IN ('set_aside', 'schema_digest')`
  for (const { name, trigger } of named) {
    const columns = yield* sql<{ name: string }>`SELECT name FROM pragma_table_info(${name}) WHERE name <> 'row_digest'`
    const guarded = { table: name, columns: columns.map((column) => column.name) }
    const before = trigger === null ? undefined : RowDigest.coveredBy(trigger)
    for (const statement of RowDigest.guard(guarded, before)) yield* sql.unsafe(statement)
  }
  yield* sql`CREATE TABLE IF NOT EXISTS schema_digest (changes INTEGER NOT NULL, digest TEXT NOT NULL)`
  const [version] = yield* sql<{ schema_version: number }>`PRAGMA schema_version`
  const digest = digestOf(yield* sql.unsafe<Record<string, unknown>>(schema))
  const known =
    yield* sql`SELECT 1 FROM schema_digest WHERE changes = ${version?.schema_version} AND digest = ${digest}`
  if (known.length > 0) return
  yield* sql.withTransaction(
    Effect.andThen(
      sql`DELETE FROM schema_digest`,
      sql`INSERT INTO schema_digest (changes, digest) VALUES (${version?.schema_version}, ${digest})`
    )
  )
})

/** What is set aside and was not reported yet. */
export const unreported = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    sqlite: () => sql<{ id: number; table: string; key: string; cells: string; reason: string }>`
      SELECT id, "table", key, cells, reason FROM set_aside WHERE reported = 0 ORDER BY id`,
    orElse: () => Effect.succeed([])
  })
  return rows.map(({ cells, key, ...row }): SetAside => ({ ...row, key: parsed(key), cells: parsed(cells) }))
})

const parsed = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Notes that these rows were reported. */
export const markReported = (rows: ReadonlyArray<SetAside>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const { id } of rows) yield* sql`UPDATE set_aside SET reported = 1 WHERE id = ${id}`
  })
