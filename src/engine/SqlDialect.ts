/**
 * What Millrace must know of a SQL database to write it with every disposition: how it spells things, and how to talk to it.
 *
 * The planner (`src/engine/sql`) says what append, replace, merge and scd2 are, as statements of standard SQL. A dialect says
 * what is different in one database. Names are between double quotes, as in SQL-92, and
 * the statements of a transaction that change tables are undone with it.
 */
import type { ColumnType } from "./Column.ts"
import type * as Table from "./Table.ts"
import type { WriteDisposition } from "./WriteDisposition.ts"

/** A value as the database stores it, and as a driver takes it. */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null

/** A row of the database: its values in the order of the query. */
export type SqlRow = ReadonlyArray<unknown>

/**
 * An open connection. Its functions may answer at once or with a promise, and what they throw becomes a `SinkError`. Calls come
 * one after the other.
 */
export interface SqlConnection {
  /** Runs one statement that is no query. The answer: how many rows it inserted, changed or removed. */
  readonly run: (sql: string) => number | Promise<number>
  /** The rows of a query, each as an array of values. Whole numbers beyond 2^53 are bigint. */
  readonly rows: (
    sql: string
  ) => Iterable<SqlRow> | AsyncIterable<SqlRow> | Promise<Iterable<SqlRow> | AsyncIterable<SqlRow>>
  /**
   * Inserts rows into a table, by the fastest way that the database has. `into` and `columns` are SQL names. Absent: INSERT
   * with literals, some hundred rows a statement.
   */
  readonly load?: (
    into: string,
    columns: ReadonlyArray<string>,
    rows: ReadonlyArray<ReadonlyArray<SqlValue>>
  ) => void | Promise<void>
  /** Closes the connection. A transaction that is open is rolled back, and temporary tables go. */
  readonly close: () => void | Promise<void>
  /** Where a person finds the tables: a file, or a URL without a password. */
  readonly location: string
}

/** How a database spells and stores what the planner says. All that is optional has a default, of standard SQL. */
export interface SqlDialect {
  /**
   * The SQL type of a column, as `describe` says it afterwards. Types that the database lacks are text: the planner keeps the
   * type of `Column` in `_millrace_columns`, or in `comments`. `stored`: the SQL type that the column has, which may stay.
   */
  readonly type: (type: ColumnType, stored?: string) => string
  /** The type of a column that Millrace did not make; default: that of plain types which `type` spells like this. */
  readonly typeOf?: (sql: string) => ColumnType | undefined
  /** Whether a SQL type holds less than the type that `typeOf` gives for it: a column of it is then widened. Default: none does. */
  readonly isNarrow?: (sql: string, type: ColumnType) => boolean
  /** Whether cells of two columns are compared as they are, and not as texts; default: if their SQL types are one. */
  readonly areAlike?: (one: string, other: string) => boolean
  /** What a definition of a column says after its type, such as a CHECK; default: nothing. */
  readonly constraint?: (name: string, type: ColumnType) => string
  /**
   * The stored value of a cell that is not null; default: text for DECIMAL, DATE and VARCHAR, RFC 3339 with six digits for
   * TIMESTAMP, JSON text for JSON, STRUCT and LIST, and the cell itself for the others.
   */
  readonly store?: (type: ColumnType) => ((cell: unknown) => SqlValue) | undefined
  /** The cell of a stored value that is not null; default: the inverse of the default of `store`. */
  readonly read?: (type: ColumnType) => ((value: unknown) => unknown) | undefined
  /**
   * Why the database cannot hold a cell of a type; undefined: it can. Such rows are rejects. Default: it holds every cell.
   * `column`: the SQL type, and the type that the cell has in the run.
   */
  readonly cellFault?: (
    type: ColumnType,
    column: { readonly sql: string; readonly from: ColumnType }
  ) => ((cell: unknown) => string | undefined) | undefined
  /** Why the database cannot have a table of these names, or not write it so; undefined: it can. */
  readonly nameFault?: (table: Table.Table, write: WriteDisposition) => string | undefined
  /** Why stored rows cannot be told apart as a disposition needs it; default: `rowId` has no name for them. */
  readonly rowIdFault?: (
    table: string,
    columns: ReadonlyArray<{ readonly name: string }>,
    write: WriteDisposition
  ) => string | undefined
  /** How messages name a table; default: by its name alone. */
  readonly spoken?: (table: string) => string
  /** The expression of a stored value; default: `'text'`, `1`, `TRUE`, `NULL`. */
  readonly literal?: (value: SqlValue) => string
  /** The expression of a moment that a TIMESTAMP column is compared with; default: the literal of its stored value. */
  readonly moment?: (micros: bigint) => string

  /**
   * The query of the columns of a table or view, in their order: name, type, whether a row may leave it null (1, true or YES),
   * its default or null, and what it is if it is not a table, such as "view". No rows: there is no such table. With `comments`
   * also: the comment of the column, that of the table, and whether this user may write them.
   */
  readonly describe: (table: string) => string
  /**
   * The query of the columns of all tables and views, where one process at a time has the database: what `describe` says of each, after
   * the name of its table. It is asked again when tables may have changed. Default: each table is described when it is needed.
   */
  readonly catalog?: string
  /**
   * The column that tells the stored rows of a table apart, until they are changed: `rowid`, `ctid`. `columns` are those of the
   * table, one of which may hide it. Undefined: all its names are taken.
   */
  readonly rowId: (columns: ReadonlyArray<{ readonly name: string }>) => string | undefined
  /** Whether rows are not sorted before they are inserted: the database keeps no order of rows, or that in which they came. */
  readonly isUnordered?: boolean
  /**
   * Whether tables are stored by columns, so that whole rows are dear to join and to change. Then keys alone are joined, rows of one
   * key are compared by their digests, and a changed row is removed and inserted again. It needs `digest`, which gives a whole number.
   */
  readonly isColumnar?: boolean
  /** Whether names of tables that differ only in case are different tables. */
  readonly isCaseSensitive?: boolean
  /** The SQL name of a table of the user; default: the quoted name. */
  readonly table?: (name: string) => string
  /** The SQL name of a temporary table of the connection; default: the quoted name. */
  readonly temporary?: (name: string) => string
  /**
   * How a temporary table is made, of columns or of a query, in the place of one that is there; default: `DROP TABLE IF EXISTS name`,
   * then `CREATE TEMPORARY TABLE name (columns)`, `... AS query`.
   */
  readonly createTemporary?: (name: string, of: { readonly columns: string } | { readonly query: string }) => string
  /** Changes rows of a table by rows of others; default: `UPDATE t AS t SET ... FROM ... WHERE ...`. */
  readonly update?: (parts: UpdateParts) => string

  /** That two cells are equal, where null equals null; default: `a IS NOT DISTINCT FROM b`. */
  readonly same?: (one: string, other: string, type: ColumnType) => string
  /** A cell as it can be compared and grouped; default: as it is. Postgres cannot compare `json`: `json::text`. */
  readonly comparable?: (value: string, type: ColumnType) => string
  /** A JSON column without some members of its objects; default: the whole value, so that they count as changes. */
  readonly withoutMembers?: (value: string, members: ReadonlyArray<string>) => string
  /**
   * One value for several, which is equal where they are, and differs where they differ: rows of many columns are then compared
   * by it where nothing else joins them. Default: they are compared column by column.
   */
  readonly digest?: (values: ReadonlyArray<string>, types: ReadonlyArray<ColumnType>) => string
  /**
   * The sum of the hashes of rows, as the text of a whole number: by it `millrace verify` finds rows that something else has changed. The
   * hash of a row is of its cells that are not null, each with the name of its column, and not of their order. Default: only rows are
   * counted.
   */
  readonly rowsHash?: (cells: ReadonlyArray<HashedCell>) => string
  /** A cell as text; default: `CAST(value AS VARCHAR)`. */
  readonly text?: (value: string) => string
  /** How a cell is selected so that `read` takes it; default: as it is. */
  readonly selected?: (value: string, type: ColumnType) => string
  /**
   * A cell as a cell of another type, which keeps its value or fails; default: the engine converts cells, outside the database. `sql`:
   * the SQL type that it gets.
   */
  readonly cast?: (value: string, from: ColumnType, to: ColumnType, sql: string) => string
  /** With `cast`: the condition that it would change a value; undefined: it changes none. */
  readonly loses?: (value: string, from: ColumnType, to: ColumnType) => string | undefined

  /** Begins, ends and undoes a transaction, and begins one that reads; default: BEGIN, COMMIT, ROLLBACK and BEGIN. */
  readonly transaction?: {
    readonly begin: string
    readonly commit: string
    readonly rollback: string
    readonly read?: string
  }
  /** The query of the names of all tables and views, which `millrace sql` then knows; default: those that runs have written. */
  readonly tables?: string
  /** Makes the index of the key of a table that is merged or a history, if it is not there; default: none is made. */
  readonly keyIndex?: (table: string, key: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Locks a table against other writers until the transaction ends; default: the transaction is lock enough. */
  readonly lock?: (table: string) => string
  /** Counts the rows of a temporary table for the plans of queries, where the database does not do so itself. */
  readonly analyze?: (table: string) => string
  /** The definition of a column whose values the database counts up; default: the planner counts commits. */
  readonly serial?: string
  /**
   * The expression that sorts the rows of a table as they were inserted, where only one process at a time has the database. Then the
   * planner's own tables have no number of the commit.
   */
  readonly arrival?: string
  /** Makes the view of the current rows of a history; default: CREATE VIEW. */
  readonly view?: (name: string, table: string) => string
  /** How comments are written. Then they have the types and the descriptions of columns, and there is no `_millrace_columns`. */
  readonly comments?: Comments
  /**
   * Changes columns in place, by clauses of ALTER TABLE: ADD COLUMN, DROP COLUMN, ALTER COLUMN ... TYPE ... USING, SET and DROP NOT
   * NULL. It needs `cast`. Default: the table is made again, and its rows are copied.
   */
  readonly alter?: (table: string, clauses: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Drops a table that is made again; default: DROP TABLE. Its views may go, if `belongings` has them. */
  readonly drop?: (table: string) => string
  /**
   * The query of the statements that make again what goes with a table: its indexes and triggers. It is asked before a table is
   * rebuilt to widen a column. Default: nothing is made again.
   */
  readonly belongings?: (table: string) => string
  /** The error of the driver in words, with what to do; undefined: its own message. */
  readonly explain?: (cause: unknown) => { readonly message: string; readonly retryable?: boolean } | undefined
}

/** A cell that is hashed: its column, its expression, and its type, if `ColumnType` has it. */
export interface HashedCell {
  readonly name: string
  readonly value: string
  readonly type: ColumnType | undefined
}

/** The statements of comments; null removes one. */
interface Comments {
  readonly table: (table: string, kind: "TABLE" | "VIEW", text: string | null) => string
  readonly column: (table: string, column: string, text: string | null) => string
}

/** The parts of an UPDATE of some rows by others. */
export interface UpdateParts {
  /** The SQL name of the table, which `where` calls `t`. */
  readonly target: string
  /** Columns, quoted, and their new values. */
  readonly set: ReadonlyArray<readonly [column: string, value: string]>
  /** The other rows: `x AS s JOIN y AS p ON ...`. */
  readonly from: string
  /** Which rows are changed, by which of the others. */
  readonly where: string
}
