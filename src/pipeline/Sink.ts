/**
 * The contract of a sink: open, write, commit.
 *
 * The laws, which `millrace/testing` SinkSuite runs on every sink:
 * - what was written and not committed is not there after reopening;
 * - after `commit(c)`, reopening shows the rows, and `resume` is c's checkpoint;
 * - a failed, interrupted or killed commit leaves the previous one whole;
 * - two writers of one pipeline: the second fails, at open or at commit, and nothing is mixed;
 * - `runs` tells every run that committed, once, and no other;
 * - null, empty string, unicode, 2^53+1, far dates and nested values come back equal;
 * - merge twice with one key leaves one row.
 */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Checkpoint from "./Checkpoint.ts"
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
  /** The runs that have committed here, of all pipelines, in the order of their last commits. Writes nothing. */
  readonly runs: (directory: string) => Effect.Effect<ReadonlyArray<RunRecord>, SinkError, R>
  /** Opens the destination for one run of one pipeline. Closing the scope without a commit leaves no trace. */
  readonly open: (plan: Plan) => Effect.Effect<Writer, SinkError, R | Scope.Scope>
}

export const WriteDisposition = Schema.Literals(["append", "replace", "merge"])
/** append: add rows. replace: the new rows are the table. merge: a row replaces the one with its key. */
export type WriteDisposition = typeof WriteDisposition.Type

/** The option that every sink has. */
export const writeOption = Schema.optionalKey(
  WriteDisposition.annotate({
    description: "append adds rows; replace makes the new rows the table; merge replaces rows by their key"
  })
)

/** What a sink that can merge does where the user is silent: merges tables that have a key, their own or their parent's. */
export const mergeWhereKeyed = (table: Table.Table): WriteDisposition =>
  table.key.length > 0 || table.parent !== undefined ? "merge" : "append"

/** A sink from its typed parts. Its options have `write: Sink.writeOption` among them. */
export const make = <Options extends { readonly write?: WriteDisposition }, OptionsEncoded, R>(parts: {
  readonly type: string
  readonly description: string
  readonly options: Schema.Codec<Options, OptionsEncoded>
  readonly writes: ReadonlyArray<WriteDisposition>
  /** What `write` is where the user is silent. */
  readonly defaultWrite: (table: Table.Table) => WriteDisposition
  readonly runs: (options: Options, directory: string) => Effect.Effect<ReadonlyArray<RunRecord>, SinkError, R>
  readonly open: (options: Options, plan: Plan) => Effect.Effect<Writer, SinkError, R | Scope.Scope>
}): Sink<Options, R> => {
  const decodeOptions = Schema.decodeUnknownEffect(parts.options)
  const bind = (options: Options): Destination<R> => ({
    type: parts.type,
    writes: parts.writes,
    writeOf: (table) => options.write ?? parts.defaultWrite(table),
    runs: (directory) => parts.runs(options, directory),
    open: (plan) => parts.open(options, plan)
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
}

export interface TablePlan {
  readonly table: Table.Table
  readonly write: WriteDisposition
}

export interface Writer {
  /** The checkpoint of the last commit of this pipeline in this destination. */
  readonly resume: Option.Option<Checkpoint.Stored>
  /** Takes rows into the stage. Nothing is visible to a reader yet. */
  readonly write: (batch: Table.Batch) => Effect.Effect<void, SinkError>
  /** Makes every row written so far visible together with the checkpoint, or nothing. */
  readonly commit: (commit: Commit) => Effect.Effect<Receipt, SinkError>
}

export interface Commit {
  readonly checkpoint: Checkpoint.Stored
  /** The run's own record, kept beside the rows as `_millrace_runs`. */
  readonly run: RunRecord
}

export interface RunRecord {
  readonly runId: string
  readonly pipeline: string
  /** Microseconds since the epoch. */
  readonly startedAt: bigint
  readonly committedAt: bigint
  /** What the source counted: discovered, completed, failed, blocked, credits ... */
  readonly facts: Readonly<Record<string, number>>
  /** Rows written, by table. */
  readonly rows: Readonly<Record<string, number>>
}

export interface Receipt {
  /** Where a person finds it: a file, a folder, a URL. */
  readonly location: string
  /** Rows of each table in this commit. */
  readonly rows: Readonly<Record<string, number>>
  /** Bytes written to the destination, where it can tell. */
  readonly bytes?: number
}

/** A sink that cannot go on. The message says what happened, to what, and what to do. */
export class SinkError extends Schema.TaggedError<SinkError>()("SinkError", {
  sink: Schema.String,
  message: Schema.String,
  /** Whether the same call may succeed a little later. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
