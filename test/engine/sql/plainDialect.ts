/** SQLite by what a user writes first: the shortest dialect, whose rows are loaded as literals. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"
import type { SqlConnection, SqlDialect } from "#engine/SqlDialect"
import { sql } from "#engine/sqlSink"

const types: Readonly<Record<string, string>> = { BIGINT: "INTEGER", BOOLEAN: "INTEGER", DOUBLE: "REAL" }

export const plainDialect: SqlDialect = {
  type: ({ _tag }) => types[_tag] ?? "TEXT",
  store: ({ _tag }) => {
    if (_tag === "BOOLEAN") return (cell) => (cell === true ? 1 : 0)
    return _tag === "DOUBLE" ? (cell) => (Number.isFinite(cell) ? Number(cell) : String(cell)) : undefined
  },
  describe: (table) => `SELECT name, type, "notnull" = 0, dflt_value, 'table' FROM pragma_table_info('${table}')`,
  rowId: () => "rowid",
  withoutMembers: (value, members) =>
    `CASE WHEN json_type(${value}) = 'object' THEN json_remove(${value}, ${members.map((member) => `'$."${member}"'`).join(", ")}) ELSE ${value} END`,
  temporary: (name) => `temp."${name}"`,
  transaction: { begin: "BEGIN IMMEDIATE", commit: "COMMIT", rollback: "ROLLBACK" }
}

const Options = Schema.Struct({ path: Schema.String, write: Sink.writeOption, removed: Sink.removedOption })

/** Makes the sink. `change`: what a test changes of its connections. */
export const plain = (change: (connection: SqlConnection) => SqlConnection = (connection) => connection) =>
  sql<typeof Options.Type, typeof Options.Encoded>({
    type: "plain",
    description: "tables of a SQLite file, by the shortest dialect",
    options: Options,
    dialect: plainDialect,
    connect: ({ path }, directory) => change(connect(resolve(directory, path))),
    look: ({ path }, directory) =>
      existsSync(resolve(directory, path)) ? change(connect(resolve(directory, path))) : undefined
  })

const connect = (path: string): SqlConnection => {
  const database = new DatabaseSync(path)
  // Else a view on a table stops it from being made again.
  database.exec("PRAGMA legacy_alter_table = ON")
  return {
    location: path,
    run: (sql) => Number(database.prepare(sql).run().changes),
    rows: (sql) => {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      // Two columns of one name would be one here, so they are asked for as an array.
      statement.setReturnArrays(true)
      return statement.all().map((row) => Object.values(row))
    },
    close: () => database.close()
  }
}
