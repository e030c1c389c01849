/**
 * A database in this process: its tables, and what it remembers of those who wrote them. It is gone with the process.
 *
 * A database is a value that never changes. A commit puts a whole new one in its place, so a reader holds
 * either all of a commit or nothing of it.
 */
import type * as Checkpoint from "../../src/pipeline/Checkpoint.ts"
import type * as RowTable from "../../src/pipeline/rows/RowTable.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import type { Options } from "./options.ts"

/** A database in this process, as of one commit. */
export interface Database {
  /** The committed tables, by name. */
  readonly tables: ReadonlyMap<string, RowTable.RowTable>
  /** The last checkpoint of each pipeline. */
  readonly checkpoints: ReadonlyMap<string, Checkpoint.Stored>
  /** In the order of their last commits. */
  readonly runs: ReadonlyMap<string, Sink.RunRecord>
  /** What else is kept of each run. */
  readonly details: ReadonlyMap<string, Sink.RunDetails>
  /** The pipeline that each table belongs to. */
  readonly owners: ReadonlyMap<string, string>
}

const databases = new Map<string, Database>()
const none = new Map<string, never>()
const empty: Database = { tables: none, checkpoints: none, runs: none, details: none, owners: none }

/**
 * The name that tables are kept under: a schema is a database of its own.
 *
 * @internal
 */
export const nameOf = ({ name, schema }: Options): string => (schema === undefined ? name : `${name}.${schema}`)

/**
 * What was committed under a name; empty where nothing was.
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
 * The rows of one table, in the order written.
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
 * Puts a database in the place of the one that was there.
 *
 * @internal
 */
export const replace = (name: string, database: Database): void => {
  databases.set(name, database)
}

/**
 * Forgets a database.
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
