/**
 * Copies what can be read of a damaged SQLite file to a new one, and says which rows are lost.
 *
 * A table is read from both ends up to the pages that cannot be read; between those, each row is asked for that its indexes know,
 * because they are pages of their own. They also name the rows that are lost.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import * as RowDigest from "./RowDigest.ts"

/** A row that was not copied. */
export interface Lost {
  readonly table: string
  /** The cells that name it; none: it is not known which rows there were. */
  readonly key: Readonly<Record<string, unknown>>
  /** All its known cells. */
  readonly cells: Readonly<Record<string, unknown>>
  readonly reason: string
}

/** Copies all tables, and then what hangs on them. It throws if the schema cannot be read. */
export const salvage = (from: DatabaseSync, to: DatabaseSync): ReadonlyArray<Lost> => {
  const kinds = from.prepare("SELECT name, type FROM pragma_table_list WHERE schema = 'main'").all()
  const schema = from
    .prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite#_%' ESCAPE '#'")
    .all()
    .map(({ name, sql }) => ({
      name: String(name),
      sql: String(sql),
      kind: kinds.find((one) => one["name"] === name)?.["type"]
    }))
  const guarded = new Map(RowDigest.guardedIn(from).map((one) => [one.table, one]))
  to.exec("PRAGMA foreign_keys = OFF; BEGIN")
  const lost: Array<Lost> = []
  for (const { kind, name, sql } of schema) {
    if (kind !== "table" && kind !== "virtual") continue
    to.exec(sql)
    lost.push(
      ...(kind === "table"
        ? copyTable(from, to, { table: name, known: indexesOf(from, name), guarded: guarded.get(name) })
        : copyVirtual(from, to, name, sql))
    )
  }
  for (const { kind, sql } of schema) if (kind === undefined) to.exec(sql)
  lost.push(...withoutParents(to))
  to.exec("COMMIT")
  return lost
}

/** The tables of a virtual one, as they are. If one of them is not whole, it begins empty. */
const copyVirtual = (from: DatabaseSync, to: DatabaseSync, table: string, sql: string): ReadonlyArray<Lost> => {
  const name = RowDigest.quote(table)
  try {
    const shadows =
      "SELECT name FROM pragma_table_list WHERE type = 'shadow' AND substr(name, 1, length(?) + 1) = ? || '_'"
    for (const { name: shadow } of to.prepare(shadows).all(table, table)) {
      const own = RowDigest.quote(String(shadow))
      to.exec(`DELETE FROM ${own}`)
      const put = to.prepare(`INSERT INTO ${own} VALUES (?${", ?".repeat(columnsOf(to, String(shadow)).length - 1)})`)
      for (const row of arrays(from, `SELECT * FROM ${own}`).iterate()) if (Array.isArray(row)) put.run(...inputs(row))
    }
    to.exec(`INSERT INTO ${name} (${name}) VALUES ('integrity-check')`)
    return []
  } catch {
    to.exec(`DROP TABLE ${name}`)
    to.exec(sql)
    return [{ table, key: {}, cells: {}, reason: unreadable }]
  }
}

interface Copied {
  readonly table: string
  readonly known: ReadonlyArray<Index>
  readonly guarded: RowDigest.Guarded | undefined
}

const copyTable = (from: DatabaseSync, to: DatabaseSync, { guarded, known, table }: Copied): ReadonlyArray<Lost> => {
  const name = RowDigest.quote(table)
  const columns = columnsOf(to, table)
  const listed = ["rowid", ...columns.map(RowDigest.quote)].join(", ")
  const isOther = guarded === undefined ? "0" : RowDigest.isOther(guarded)
  const put = to.prepare(`INSERT INTO ${name} (${listed}) VALUES (?${", ?".repeat(columns.length)})`)
  const read = (rest: string) => arrays(from, `SELECT ${listed}, ${isOther} FROM ${name} NOT INDEXED ${rest}`)
  const salvaged = new Set<unknown>()
  const lost: Array<Lost> = []
  const take = (row: Row): boolean => {
    const [number, ...cells] = row.slice(0, -1)
    // Pages that point to each other in a circle have no end.
    if (salvaged.has(number)) return false
    salvaged.add(number)
    if (row.at(-1) === 1n || !isPut(put, row.slice(0, -1)))
      lost.push(changedRow(table, keyOf(from, table), named(columns, cells)))
    return true
  }
  const isRead = eachRow(() => read("ORDER BY rowid").iterate(), take)
  if (!isRead) eachRow(() => read("ORDER BY rowid DESC").iterate(), take)
  const missing = new Map<bigint, Lost["cells"]>()
  const one = read("WHERE rowid = ?")
  for (const index of known) {
    const keys = index.columns.map(RowDigest.quote)
    const entries = arrays(
      from,
      `SELECT rowid, ${keys.join(", ")} FROM ${name} INDEXED BY ${RowDigest.quote(index.name)}`
    )
    const same = to.prepare(`SELECT 1 FROM ${name} WHERE ${keys.map((key) => `${key} IS ?`).join(" AND ")}`)
    eachRow(
      () => entries.iterate(),
      ([number, ...cells]) => {
        if (typeof number !== "bigint" || salvaged.has(number)) return true
        if (!missing.has(number)) eachRow(() => one.iterate(number), take)
        // The index may be what is damaged.
        if (salvaged.has(number) || same.get(...inputs(cells)) !== undefined) return true
        missing.set(number, { ...missing.get(number), ...named(index.columns, cells) })
        return true
      }
    )
  }
  const unknown = isRead || missing.size > 0 || lost.length > 0 ? [] : [{}]
  const unread = [...missing.values(), ...unknown].map((cells) => ({ table, key: cells, cells, reason: unreadable }))
  return [...lost, ...unread]
}

/** A row with other values than its digest says, or that fits its table no more. */
export const changedRow = (table: string, key: ReadonlyArray<string>, cells: Lost["cells"]): Lost => ({
  table,
  key: Object.fromEntries(key.map((column) => [column, cells[column]])),
  cells,
  reason: "a value of it was changed"
})

const unreadable = "its page cannot be read"

type Row = ReadonlyArray<unknown>

const named = (columns: ReadonlyArray<string>, cells: Row): Lost["cells"] =>
  Object.fromEntries(columns.flatMap((column, at) => (column === "row_digest" ? [] : [[column, cells[at]]])))

const arrays = (database: DatabaseSync, sql: string): StatementSync => {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  return statement
}

/** Gives each row to a function, until one cannot be read or it says false. Whether all were read. */
const eachRow = (rows: () => Iterable<unknown>, take: (row: Row) => boolean): boolean => {
  try {
    for (const row of rows()) if (!Array.isArray(row) || !take(row)) return false
    return true
  } catch {
    return false
  }
}

/** Whether a row was put: damaged values may fit no column. */
const isPut = (put: StatementSync, cells: Row): boolean => {
  try {
    put.run(...inputs(cells))
    return true
  } catch {
    return false
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- SQLite takes what it gave
const inputs = (cells: Row): Array<SQLInputValue> => cells as Array<SQLInputValue>

const columnsOf = (database: DatabaseSync, table: string): ReadonlyArray<string> =>
  database
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => String(name))

interface Index {
  readonly name: string
  readonly columns: ReadonlyArray<string>
}

/** The indexes that have every row of a table. */
const indexesOf = (database: DatabaseSync, table: string): ReadonlyArray<Index> =>
  database
    .prepare("SELECT name FROM pragma_index_list(?) WHERE partial = 0 ORDER BY origin = 'pk' DESC, origin = 'u' DESC")
    .all(table)
    .map(({ name }) => ({
      name: String(name),
      columns: database
        .prepare("SELECT name FROM pragma_index_info(?)")
        .all(String(name))
        .flatMap((column) => (column["name"] === null ? [] : [String(column["name"])]))
    }))

/** The columns that name a row of a table: those of its first unique index, or its number. */
export const keyOf = (database: DatabaseSync, table: string): ReadonlyArray<string> => {
  const [unique] = indexesOf(database, table)
  if (unique !== undefined) return unique.columns
  return database
    .prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0")
    .all(table)
    .map(({ name }) => String(name))
}

/** Removes the rows whose parents are lost. */
const withoutParents = (database: DatabaseSync): ReadonlyArray<Lost> =>
  database
    .prepare('SELECT "table" AS name, rowid AS number, parent FROM pragma_foreign_key_check')
    .all()
    .flatMap(({ name, number, parent }) => {
      const table = String(name)
      const [cells] = database
        .prepare(`DELETE FROM ${RowDigest.quote(table)} WHERE rowid = ? RETURNING *`)
        .all(Number(number))
      const row = changedRow(table, keyOf(database, table), cells ?? {})
      return cells === undefined ? [] : [{ ...row, reason: `its row of ${String(parent)} is lost` }]
    })
