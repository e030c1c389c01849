/**
 * Queries in SQL on the tables of a destination.
 *
 * Guarantee: a query reads these tables and nothing else: no file, no URL, no other database. It writes nothing.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Column from "./Column.ts"
import type { RunRecord, SinkError } from "./Commit.ts"
import type * as Table from "./Table.ts"

/** A destination that is open for queries. */
export interface Queries {
  /** Runs one query: SELECT, FROM, WITH, VALUES, SHOW TABLES, DESCRIBE or SUMMARIZE. */
  readonly ask: (sql: string) => Effect.Effect<QueryResult, SinkError>
  /** Writes the result as a Parquet file, at the path `QueryRequest.file`. */
  readonly toParquet: (sql: string) => Effect.Effect<void, SinkError>
}

/** The result of a query. */
export interface QueryResult {
  /** The columns, in the order of the query. */
  readonly columns: ReadonlyArray<Column.Column>
  /** The rows, in the order of the query, in chunks. The stream can be read once. */
  readonly rows: Stream.Stream<ReadonlyArray<Table.Row>, SinkError>
}

/** Which tables a query sees. */
export interface QueryRequest {
  /** The tables as this run left them; absent: as they are now. */
  readonly asOf?: RunRecord | undefined
  /** The file that `toParquet` writes; absent: it is not used. */
  readonly file?: string | undefined
}

/** Opens a destination for queries. `directory` is the folder that relative paths start from. */
export type QueryProvider<R> = (directory: string, request: QueryRequest) => Effect.Effect<Queries, SinkError, R>
