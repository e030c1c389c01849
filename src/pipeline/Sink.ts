/**
 * The contract of a sink: open, write, commit.
 *
 * The laws, which `millrace/testing` SinkSuite runs on every sink:
 * - what was written and not committed is not there after reopening;
 * - after `commit(c)`, reopening shows the rows, and `resume` is c's checkpoint;
 * - a failed, interrupted or killed commit leaves the previous one whole;
 * - two writers of one pipeline: the second fails, at open or at commit, and nothing is mixed;
 * - `runs` tells every run that committed, once, and no other, each with its caller's key; `rows` tells what a reader sees;
 * - null, empty string, unicode, 2^53+1, far dates and nested values come back equal;
 * - a column that a table lacks is added and one that is too narrow is widened, where the plan says `evolve`;
 * - merge twice with one key leaves one row; scd2 keeps every version of a key, one of them current at most;
 * - merge leaves a stored row untouched where the new one says the same, and counts it as unchanged;
 * - replace removes the rows that a complete run did not write, except those of keys that it was told to keep; an
 *   incomplete run removes nothing, and the children of a row that stays, stay;
 * - a table belongs to one pipeline: another's is refused at open, unless both share it, and then each changes,
 *   replaces and closes its own rows alone;
 * - what a receipt counts is what the destination says it did: received = written + unchanged + superseded;
 * - a run that is written `again` leaves its rows once.
 */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Checkpoint from "./Checkpoint.ts"
import type * as Column from "./Column.ts"
import type * as Difference from "./Difference.ts"
import type * as Table from "./Table.ts"

/** A kind of sink, as a connector offers it. `with` is for TypeScript, `decode` for pipeline files. */
export interface Sink<in Options, out R> {
  /** What `type:` says in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description: string
  /** What a pipeline file may say under a sink, without `type`: it parses, and it documents. */
  readonly schema: Schema.Constraint
  /** The write dispositions it has; the engine refuses others before anything runs. */
  readonly writes: ReadonlyArray<WriteDisposition>
  readonly with: (options: Options) => Destination<R>
  readonly decode: (options: unknown) => Effect.Effect<Destination<R>, Schema.SchemaError>
}

/** A sink with its options: ready to open. */
export interface Destination<out R> {
  readonly type: string
  readonly writes: ReadonlyArray<WriteDisposition>
  /** How this table is written: what the user said, else the sink's default for it. */
  readonly writeOf: (table: Table.Table) => WriteDisposition
  /** How it is written where the user is silent. */
  readonly defaultWriteOf: (table: Table.Table) => WriteDisposition
  /** The runs that have committed here, of all pipelines, in the order of their last commits. Writes nothing. */
  readonly runs: (directory: string) => Effect.Effect<ReadonlyArray<RunRecord>, SinkError, R>
  /**
   * The run of a pipeline that committed here under a caller's key. Writes nothing, and sees the last commit also where
   * readers do not see it yet. Where it is absent, `runs` is asked.
   */
  readonly ranOnce?: (directory: string, of: OnceKey) => Effect.Effect<Option.Option<RunRecord>, SinkError, R>
  /** The rows of a table as a reader sees them; a column that the destination lacks is null. Writes nothing. */
  readonly rows: (directory: string, table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, SinkError, R>
  /** Opens the destination for one run of one pipeline. Closing the scope without a commit leaves no trace. */
  readonly open: (plan: Plan) => Effect.Effect<Writer, SinkError, R | Scope.Scope>
  /** The pipeline that owns each table of the destination (its schema, where it has one), by table name. Writes nothing. */
  readonly owners?: (directory: string) => Effect.Effect<ReadonlyMap<string, string>, SinkError, R>
  /** Whether several pipelines write the same tables here: rows then carry `_pipeline`, and each keeps to its own. */
  readonly shared?: boolean
  /** Makes many small files few large ones, where the destination is made of files. */
  readonly compact?: (directory: string, target: CompactTarget) => Effect.Effect<Compaction, SinkError, R>
  /** What changed in a table between two loads, where the destination can tell. Writes nothing; open while the scope is. */
  readonly differences?: Difference.Tell<R | Scope.Scope>
}

/** A caller's key, which counts for one pipeline. */
export interface OnceKey {
  readonly pipeline: string
  readonly once: string
}

export interface CompactTarget {
  /** A file of fewer bytes is small. */
  readonly below: number
}

export interface Compaction {
  readonly location: string
  /** Files before and after, by table; tables that were left as they are do not appear. */
  readonly tables: Readonly<Record<string, { readonly before: number; readonly after: number }>>
}

export const WriteDisposition = Schema.Literals(["append", "replace", "merge", "scd2"])
/**
 * append: add rows. replace: the new rows are the table. merge: a row replaces the one with its key. scd2: a row whose
 * fingerprint changed becomes a new version of its key, and the one before is closed.
 */
export type WriteDisposition = typeof WriteDisposition.Type

/** The option that every sink has. */
export const writeOption = Schema.optionalKey(
  WriteDisposition.annotate({
    description:
      "append adds rows; replace makes the new rows the table; merge replaces rows by their key; " +
      "scd2 keeps every version of a row, with valid_from, valid_to and is_current"
  })
)

/** The option of sinks that have scd2. */
export const removedOption = Schema.optionalKey(
  Schema.Literals(["keep", "close"]).annotate({
    description:
      "scd2: what happens to the version of a key that a complete run does not have: keep it, or close it; default: keep"
  })
)

/** The option of sinks in which several pipelines may write the same tables. */
export const sharedOption = Schema.optionalKey(
  Schema.Boolean.annotate({
    description:
      "true: other pipelines write the same tables. Rows get a _pipeline column, and each pipeline merges, replaces and " +
      "closes its own rows only; default: false"
  })
)

/** The column that tells the rows of pipelines apart in a shared table. The engine fills it and puts it first into each key. */
export const pipelineColumn: Column.Column = { name: "_pipeline", type: { _tag: "VARCHAR" }, nullable: false }

/** The columns that scd2 adds after the table's own. `valid_to` is null where `is_current`. */
export const historyColumns: ReadonlyArray<Column.Column> = [
  { name: "valid_from", type: { _tag: "TIMESTAMP" }, nullable: false },
  { name: "valid_to", type: { _tag: "TIMESTAMP" }, nullable: true },
  { name: "is_current", type: { _tag: "BOOLEAN" }, nullable: false }
]

/** What a sink that can merge does where the user is silent: merges tables that have a key, their own or their parent's. */
export const mergeWhereKeyed = (table: Table.Table): WriteDisposition =>
  table.key.length > 0 || table.parent !== undefined ? "merge" : "append"

/**
 * The pipeline that owns what a pipeline writes: the one whose interval it is, where it loads one of a backfill, and else
 * itself. `Plan.pipeline` of an interval is "docs@20260101T000000Z..20260102T000000Z"; its rows and tables are those of docs.
 */
export const ownerOf = (pipeline: string): string => pipeline.replace(/@\d{8}T\d{6}Z\.\.\d{8}T\d{6}Z$/, "")

/** A sink from its typed parts. Its options have `write: Sink.writeOption` among them, and `shared: Sink.sharedOption`. */
export const make = <
  Options extends { readonly write?: WriteDisposition; readonly shared?: boolean },
  OptionsEncoded,
  R
>(parts: {
  readonly type: string
  readonly description: string
  readonly options: Schema.Codec<Options, OptionsEncoded>
  readonly writes: ReadonlyArray<WriteDisposition>
  /** What `write` is where the user is silent. */
  readonly defaultWrite: (table: Table.Table) => WriteDisposition
  readonly runs: (options: Options, directory: string) => Effect.Effect<ReadonlyArray<RunRecord>, SinkError, R>
  readonly ranOnce?: (
    options: Options,
    directory: string,
    of: OnceKey
  ) => Effect.Effect<Option.Option<RunRecord>, SinkError, R>
  readonly rows: (
    options: Options,
    directory: string,
    table: Table.Table
  ) => Effect.Effect<ReadonlyArray<Table.Row>, SinkError, R>
  /** As of `Destination.owners`. */
  readonly owners?: (options: Options, directory: string) => Effect.Effect<ReadonlyMap<string, string>, SinkError, R>
  readonly compact?: (
    options: Options,
    directory: string,
    target: CompactTarget
  ) => Effect.Effect<Compaction, SinkError, R>
  readonly differences?: (
    options: Options,
    directory: string,
    ask: Difference.Ask
  ) => Effect.Effect<Difference.Differences, SinkError, R | Scope.Scope>
  readonly open: (options: Options, plan: Plan) => Effect.Effect<Writer, SinkError, R | Scope.Scope>
}): Sink<Options, R> => {
  const decodeOptions = Schema.decodeUnknownEffect(parts.options)
  const { compact, differences, owners, ranOnce } = parts
  const bind = (options: Options): Destination<R> => ({
    type: parts.type,
    writes: parts.writes,
    writeOf: (table) => options.write ?? parts.defaultWrite(table),
    defaultWriteOf: parts.defaultWrite,
    runs: (directory) => parts.runs(options, directory),
    rows: (directory, table) => parts.rows(options, directory, table),
    open: (plan) => parts.open(options, plan),
    ...(owners === undefined ? {} : { owners: (directory) => owners(options, directory) }),
    ...(options.shared === true ? { shared: true } : {}),
    ...(ranOnce === undefined ? {} : { ranOnce: (directory, of) => ranOnce(options, directory, of) }),
    ...(compact === undefined ? {} : { compact: (directory, target) => compact(options, directory, target) }),
    ...(differences === undefined ? {} : { differences: (directory, ask) => differences(options, directory, ask) })
  })
  return {
    type: parts.type,
    description: parts.description,
    schema: parts.options,
    writes: parts.writes,
    with: bind,
    decode: (raw) => Effect.map(decodeOptions(raw, { onExcessProperty: "error", errors: "all" }), bind)
  }
}

/** What a sink is opened for. Its tables already carry the system columns. */
export interface Plan {
  readonly pipeline: string
  readonly runId: string
  readonly tables: ReadonlyArray<TablePlan>
  /** The folder that relative paths start from: the pipeline file's own. */
  readonly directory: string
  /**
   * Whether columns that the destination lacks are added and narrow ones widened (`Column.widen`). Where not, the
   * destination keeps its columns, and the engine sees to it that every row fits them.
   */
  readonly evolve: boolean
  /** Whether rows of this very run, which an earlier commit of it left there, make way: a replay. */
  readonly again?: boolean
  /**
   * Whether other pipelines write the same tables. The tables then have `pipelineColumn`, which stands first in each key
   * and joins each child to its parent; a sink must keep to rows of `pipeline` where it goes by more than the key, as
   * replace does, and scd2 that closes what was not seen.
   */
  readonly shared?: boolean
}

export interface TablePlan {
  readonly table: Table.Table
  readonly write: WriteDisposition
  /** scd2: the columns whose change makes a new version. */
  readonly fingerprint?: ReadonlyArray<string>
}

export interface Writer {
  /** The checkpoint of the last commit of this pipeline in this destination. */
  readonly resume: Option.Option<Checkpoint.Stored>
  /**
   * The columns that the destination had of a table before this run, without those of `historyColumns`; none where it
   * had no such table, or where the table is replaced. A column of a type that `Column` does not know is left out.
   */
  readonly columns: (table: string) => Option.Option<ReadonlyArray<Column.Column>>
  /** Takes rows into the stage. Nothing is visible to a reader yet. */
  readonly write: (batch: Table.Batch) => Effect.Effect<void, SinkError>
  /** Takes keys whose rows this run could not learn: replace leaves their stored rows, scd2 their versions, as they are. */
  readonly keep: (table: string, keys: ReadonlyArray<Table.Row>) => Effect.Effect<void, SinkError>
  /** Makes every row written so far visible together with the checkpoint, or nothing. */
  readonly commit: (commit: Commit) => Effect.Effect<Receipt, SinkError>
}

export interface Commit {
  readonly checkpoint: Checkpoint.Stored
  /** The run's own record, kept beside the rows as `_millrace_runs`. */
  readonly run: RunRecord
  /** What was checked before the commit, kept as `_millrace_checks`. */
  readonly checks: ReadonlyArray<CheckRecord>
  /**
   * Whether the run saw everything that there is. Only then does replace remove rows that it did not write, and scd2 with
   * `removed: close` close what it did not see.
   */
  readonly complete: boolean
}

/** One expectation and what came of it. */
export interface CheckRecord {
  /** As the file says it: "not_null: url". */
  readonly check: string
  readonly table: string
  readonly passed: boolean
  /** What was found, in words: "3 of 392 rows have no title". */
  readonly found: string
}

export interface RunRecord {
  readonly runId: string
  readonly pipeline: string
  /** Microseconds since the epoch. */
  readonly startedAt: bigint
  readonly committedAt: bigint
  /** What was counted: discovered, loaded, rejected, dropped, failed, blocked, left, credits ... */
  readonly facts: Readonly<Record<string, number>>
  /** Rows written, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** The key that its caller gave it: a run that committed under a key is not made again. */
  readonly once?: string
}

export interface Receipt {
  /** Where a person finds it: a file, a folder, a URL. */
  readonly location: string
  /** Rows of each table in this commit: those that the destination says it wrote. */
  readonly rows: Readonly<Record<string, number>>
  /** What became of the rows of each table. */
  readonly tables?: Readonly<Record<string, TableReceipt>>
  /** Bytes written to the destination, where it can tell. */
  readonly bytes?: number
}

/** What a commit did with the rows of one table, as the destination counts them: received = written + unchanged + superseded. */
export interface TableReceipt {
  /** Rows that the sink was handed since the last commit. */
  readonly received: number
  /** Rows that are in the destination because of this commit: inserted, or in the place of others; of scd2: versions made. */
  readonly written: number
  /** Rows whose stored counterpart says the same and was left as it was: of merge and scd2. */
  readonly unchanged: number
  /** Rows that a later row of this commit took the place of, because both have the same key or parent. */
  readonly superseded: number
  /** Stored rows of other runs that replace left, because this run could not learn them or was not complete. */
  readonly kept: number
}

/** A sink that cannot go on. The message says what happened, to what, and what to do. */
export class SinkError extends Schema.TaggedError<SinkError>()("SinkError", {
  sink: Schema.String,
  message: Schema.String,
  /** Whether the same call may succeed a little later. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
