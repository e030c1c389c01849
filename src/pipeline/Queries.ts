/**
 * Questions to the tables of a destination, in SQL.
 *
 * The law: a question reads these tables and nothing else: no file, no address, no other database; and it writes nothing.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Column from "./Column.ts"
import type { RunRecord, SinkError } from "./Commit.ts"
import type * as Table from "./Table.ts"

/** A destination that is open for questions. */
export interface Queries {
  /** Asks one question: SELECT, FROM, WITH, VALUES, SHOW TABLES, DESCRIBE or SUMMARIZE. */
  readonly ask: (sql: string) => Effect.Effect<Answer, SinkError>
  /** Writes the answer as a Parquet file, at the path that is `file` of the request. */
  readonly toParquet: (sql: string) => Effect.Effect<void, SinkError>
}

/** What a question found. */
export interface Answer {
  /** In the order of the question. */
  readonly columns: ReadonlyArray<Column.Column>
  /** In its order, some at a time; read once. */
  readonly rows: Stream.Stream<ReadonlyArray<Table.Row>, SinkError>
}

/** Which tables a question sees. */
export interface QueryRequest {
  /** The tables as this run left them; absent: as they are now. */
  readonly asOf?: RunRecord | undefined
  /** A file that an answer may be written to. */
  readonly file?: string | undefined
}

/** Opens a destination for questions: `directory` is the folder that relative paths start from. */
export type QueryProvider<R> = (directory: string, request: QueryRequest) => Effect.Effect<Queries, SinkError, R>
