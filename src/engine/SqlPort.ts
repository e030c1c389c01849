/**
 * An open database as the planner (`src/engine/sql`) uses it: effects, and what a connector does in its own way.
 *
 * `Sink.sql` makes it of a `SqlConnection`, which has promises and nothing else. A connector of this repository makes it itself where
 * its driver has more: an interruption that cancels a statement, a COMMIT with a deadline, COPY or Arrow for the rows of a run.
 */
import type * as Effect from "effect/Effect"
import type * as Column from "./Column.ts"
import type { SinkError } from "./Commit.ts"
import type { SqlDialect, SqlRow, SqlValue } from "./SqlDialect.ts"
import type * as Table from "./TableShape.ts"
import type { WriteDisposition } from "./WriteDisposition.ts"

export interface SqlPort {
  /** The dialect, of this place: its names may have a schema, or a token of the session. */
  readonly dialect: SqlDialect
  /** Where a person finds the tables: a file, or a URL without a password. */
  readonly location: string
  /** Where readers find the tables, if that is another place. */
  readonly published?: string
  /** Runs one statement that is no query. The answer: how many rows it inserted, changed or removed. */
  readonly run: (sql: string) => Effect.Effect<number, SinkError>
  readonly rows: (sql: string) => Effect.Effect<ReadonlyArray<SqlRow>, SinkError>
  /** Uses the rows of a query in pieces; absent: all of them are in memory. */
  readonly each?: <E, R>(
    sql: string,
    use: (rows: ReadonlyArray<SqlRow>) => Effect.Effect<unknown, E, R>
  ) => Effect.Effect<void, SinkError | E, R>
  /** Inserts rows into a table; absent: INSERT with literals. `into` and `columns` are SQL names. */
  readonly load?: (
    into: string,
    columns: ReadonlyArray<string>,
    rows: ReadonlyArray<ReadonlyArray<SqlValue>>
  ) => Effect.Effect<void, SinkError>
  /** How rows of a run come into their temporary table; absent: by `load`. */
  readonly staging?: (table: StagingTable) => Effect.Effect<Staging, SinkError>
  /**
   * Whether rows of append go into the table itself, and those of replace into a table that takes its place, in a transaction that
   * is open during the run: they are then written once. Absent: they wait for the commit.
   */
  readonly isDirect?: boolean
  /** Runs a statement of a disposition with the memory that it needs; absent: as it is. `into`: the table of the staged rows. */
  readonly roomFor?: (
    into: string,
    reads: Reads
  ) => <A>(statement: Effect.Effect<A, SinkError>) => Effect.Effect<A, SinkError>
  /** The error, with what was being done; absent: that comes before its message. */
  readonly within?: (doing: string, error: SinkError) => SinkError
  /** The transaction of a commit; absent: the words of the dialect. */
  readonly transaction?: Transaction
  /** The index of the key of a table; absent: that of the dialect. */
  readonly keyIndex?: KeyIndex
}

/** What a statement holds in memory: keys and digests, whole rows, or the whole rows that it inserts until the COMMIT. */
export type Reads = "keys" | "rows" | "insertions"

/** A column that the run writes. */
export interface WrittenColumn {
  /** Its name in the stored table, which may differ in case. */
  readonly name: string
  /** Its name in the table of the run. */
  readonly ours: string
  /** Its type in the run, and in the stored table at the commit. */
  readonly from: Column.ColumnType
  readonly to: Column.ColumnType
  readonly sql: string
}

/** A temporary table that takes rows of a run. */
export interface StagingTable {
  /** The name of the table of the run, for messages. */
  readonly table: string
  /** Its SQL name. */
  readonly into: string
  /** The SQL name of its first column, which has the numbers of the rows; undefined: it has none. */
  readonly number: string | undefined
  readonly columns: ReadonlyArray<WrittenColumn>
}

export interface Staging {
  /** Takes rows, which may wait here. `first`: the number of the first; the others count up. */
  readonly add: (rows: ReadonlyArray<Table.Row>, first: number) => Effect.Effect<void, SinkError>
  /** Writes the rows that wait. */
  readonly flush: Effect.Effect<void, SinkError>
}

export interface Transaction {
  readonly begin: Effect.Effect<void, SinkError>
  readonly commit: Effect.Effect<void, SinkError>
  /** Undoes it after a failure, after which only the connection is closed, or what was undone is done again. */
  readonly rollback: Effect.Effect<void, SinkError>
  /** Runs what is done in it; absent: as it is. `again` undoes it and does it once more; undefined: its rows would be lost. */
  readonly attempt?: <A>(
    work: Effect.Effect<A, SinkError>,
    again: Effect.Effect<A, SinkError> | undefined
  ) => Effect.Effect<A, SinkError>
  /** What follows a commit, such as a copy for readers. If it fails, the commit is there all the same. */
  readonly committed?: Effect.Effect<void, SinkError>
}

/** An index which exists while a table is merged. */
export interface KeyIndex {
  /** Removes one that the rows of a commit would not fit, before they are written. */
  readonly loosen: (table: KeyedTable) => Effect.Effect<void, SinkError>
  /** Makes it, when they are written. */
  readonly hold: (table: KeyedTable) => Effect.Effect<void, SinkError>
}

export interface KeyedTable {
  readonly table: Table.Table
  readonly write: WriteDisposition
  /** The names of the columns of its key in the database. */
  readonly key: ReadonlyArray<string>
  /** The SQL name of the temporary table with the rows of the run. */
  readonly staged: string
  /** Whether this commit has made the table. */
  readonly isNew: boolean
}
