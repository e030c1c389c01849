/**
 * A database in this process: its tables, and the records of their writers. It ends with the process.
 *
 * A database is a value that never changes. A commit replaces it by a new value, so a reader sees either all of a commit or
 * nothing of it.
 */
import type * as Checkpoint from "#engine/Checkpoint"
import type * as RowTable from "#engine/RowTable"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import type { Options } from "./options.ts"

/** A database in this process, after one commit. */
export interface Database {
  /** The committed tables, by name. */
  readonly tables: ReadonlyMap<string, RowTable.RowTable>
  /** The last checkpoint of each pipeline. */
  readonly checkpoints: ReadonlyMap<string, Checkpoint.Stored>
  /** The records of runs by id, in the order of their last commits. */
  readonly runs: ReadonlyMap<string, Sink.RunRecord>
  /** The details of each run, by its id. */
  readonly details: ReadonlyMap<string, Sink.RunDetails>
  /** The pipeline that owns each table. */
  readonly owners: ReadonlyMap<string, string>
}

const databases = new Map<string, Database>()
const none = new Map<string, never>()
const empty: Database = { tables: none, checkpoints: none, runs: none, details: none, owners: none }

/**
 * The name of the database: each schema is a database of its own.
 *
 * @internal
 */
export const nameOf = ({ name, schema }: Options): string => (schema === undefined ? name : `${name}.${schema}`)

/**
 * The database of a name; it is empty if nothing was committed.
 *
 * @example
 * ```ts
 * import { Database } from "millrace/connectors/memory"
 *
 * console.log(Database.read("empty").tables.size) // 0
 * ```
 */
export const read = (name: string): Database => databases.get(name) ?? empty

/**
 * The rows of one table, in the order in which they were written.
 *
 * @example
 * ```ts
 * import { Database } from "millrace/connectors/memory"
 *
 * console.log(Database.rows("empty", "numbers")) // []
 * ```
 */
export const rows = (name: string, table: string): ReadonlyArray<Table.Row> => read(name).tables.get(table)?.rows ?? []

/**
 * Replaces the database of a name.
 *
 * @internal
 */
export const replace = (name: string, database: Database): void => {
  databases.set(name, database)
}

/**
 * Removes the database of a name.
 *
 * @example
 * ```ts
 * import { rows, run } from "millrace"
 * import { Database, memory } from "millrace/connectors/memory"
 *
 * await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { out: memory.with({ name: "gone" }) } })
 * Database.remove("gone")
 * console.log(Database.rows("gone", "numbers").length) // 0
 * ```
 */
export const remove = (name: string): void => {
  databases.delete(name)
}
