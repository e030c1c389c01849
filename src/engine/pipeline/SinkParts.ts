/** What the author of a sink writes: its options, its questions about the destination, and the writer of a run. */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Checkpoint from "../Checkpoint.ts"
import type * as Column from "../Column.ts"
import type { Commit, CommitResult, OnceKey, RunDetails, RunRecord, SinkError } from "../Commit.ts"
import type * as Difference from "../Difference.ts"
import type * as Queries from "../Queries.ts"
import type { Readers } from "../Readers.ts"
import type { Plan } from "../SinkPlan.ts"
import type * as Table from "../Table.ts"
import type { RowError } from "../validateRow.ts"
import type { WriteDisposition } from "../WriteDisposition.ts"
import type { Compaction, CompactTarget, Vacuumed, VacuumTarget, Verified, VerifyTarget } from "./FileMaintenance.ts"

/** The parts of a sink. `directory` is the folder that relative paths start from. */
export interface Parts<Options, OptionsEncoded, R> {
  /** The value of `type:` in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`: lower case, without a full stop. */
  readonly description: string
  /** The options that a pipeline file may set beside `type`. */
  readonly options: Schema.Codec<Options, OptionsEncoded>
  /** The write dispositions that it supports; others are refused before anything runs. */
  readonly writes: ReadonlyArray<WriteDisposition>
  /** The default of `write` for a table. */
  readonly defaultWrite: (table: Table.Table) => WriteDisposition
  /** As of `Destination.runs`. */
  readonly runs: (options: Options, directory: string) => Effect.Effect<ReadonlyArray<RunRecord>, SinkError, R>
  /** As of `Destination.ranOnce`. */
  readonly ranOnce?: (
    options: Options,
    directory: string,
    of: OnceKey
  ) => Effect.Effect<Option.Option<RunRecord>, SinkError, R>
  /** As of `Destination.newestRuns`. */
  readonly newestRuns?: (
    options: Options,
    directory: string,
    of: { readonly pipeline: string; readonly count: number }
  ) => Effect.Effect<ReadonlyArray<RunRecord>, SinkError, R>
  /** As of `Destination.details`. */
  readonly details?: (
    options: Options,
    directory: string,
    runIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<RunDetails>, SinkError, R>
  /** As of `Destination.rows`. */
  readonly rows: (
    options: Options,
    directory: string,
    table: Table.Table
  ) => Effect.Effect<ReadonlyArray<Table.Row>, SinkError, R>
  /** As of `Destination.owners`. */
  readonly owners?: (options: Options, directory: string) => Effect.Effect<ReadonlyMap<string, string>, SinkError, R>
  /** As of `Destination.pathFault`. */
  readonly pathFault?: (options: Options, directory: string) => Effect.Effect<string | undefined, never, R>
  /** As of `Destination.compact`. */
  readonly compact?: (
    options: Options,
    directory: string,
    target: CompactTarget
  ) => Effect.Effect<Compaction, SinkError, R>
  /** As of `Destination.vacuum`. */
  readonly vacuum?: (options: Options, directory: string, target: VacuumTarget) => Effect.Effect<Vacuumed, SinkError, R>
  /** As of `Destination.verify`. */
  readonly verify?: (options: Options, directory: string, target: VerifyTarget) => Effect.Effect<Verified, SinkError, R>
  /** As of `Destination.differences`. */
  readonly differences?: (
    options: Options,
    directory: string,
    ask: Difference.DiffRequest
  ) => Effect.Effect<Difference.Differences, SinkError, R | Scope.Scope>
  /** As of `Destination.queries`. */
  readonly queries?: (
    options: Options,
    directory: string,
    request: Queries.QueryRequest
  ) => Effect.Effect<Queries.Queries, SinkError, R | Scope.Scope>
  /** As of `Destination.readers`. */
  readonly readers?: (options: Options, directory: string) => Readers
  /** As of `Destination.open`. */
  readonly open: (options: Options, plan: Plan) => Effect.Effect<Writer, SinkError, R | Scope.Scope>
}

/** A destination that is open for one run. Its methods fail with `SinkError`. */
export interface Writer {
  /** The checkpoint of the last commit of this pipeline in this destination. */
  readonly resume: Option.Option<Checkpoint.Stored>
  /**
   * The tables of the plan as the destination takes their columns, in the order of the plan: with its names, and JSON for numbers
   * beside stored ones that a double cannot hold. Absent: as they are.
   */
  readonly tables?: ReadonlyArray<Table.Table>
  /**
   * The columns that a table of the destination had before this run, without `historyColumns`. None: there was no such
   * table, or the table is replaced. A column of a type that `Column` does not know is left out.
   */
  readonly columns: (table: string) => Option.Option<ReadonlyArray<Column.Column>>
  /**
   * Why the destination cannot hold a row that fits its table, such as a character that its texts cannot have;
   * undefined: it can. The engine rejects such rows for this destination only. Absent: the destination takes every row.
   */
  readonly rowError?: (table: string, row: Table.Row) => RowError | undefined
  /**
   * The keys of the rows that a table has, as rows of its key columns. The engine writes a row of presence "unread" only if
   * its key is not among them. Absent: such rows are not written.
   */
  readonly storedKeys?: (table: string) => Effect.Effect<ReadonlyArray<Table.Row>, SinkError>
  /** The files that were gone or damaged when it was opened, and are written again; absent: none. */
  readonly healed?: ReadonlyArray<string>
  /** Takes rows into the stage. Readers do not see them yet. */
  readonly write: (batch: Table.Batch) => Effect.Effect<void, SinkError>
  /** Takes keys whose rows this run could not read: replace keeps their stored rows, and scd2 their versions, unchanged. */
  readonly retainKeys: (table: string, keys: ReadonlyArray<Table.Row>) => Effect.Effect<void, SinkError>
  /** Makes every row written so far visible together with the checkpoint, or nothing. */
  readonly commit: (commit: Commit) => Effect.Effect<CommitResult, SinkError>
}
