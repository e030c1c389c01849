/**
 * The contract of a sink: open, write, commit.
 *
 * The guarantee, which `millrace/testing` SinkSuite tests on every sink:
 * - rows that were written and not committed are not there after reopening;
 * - after `commit(c)`, reopening shows the rows, and `resume` is c's checkpoint;
 * - a failed, interrupted or killed commit leaves the previous one complete;
 * - two writers of one pipeline: the second fails, at open or at commit, and nothing is mixed;
 * - `runs` lists every run that committed, once, and no other, each with its caller's key; `details` has the checks and
 *   profiles of its last commit; `rows` lists what a reader sees;
 * - null, empty string, unicode, 2^53+1, far dates and nested values come back equal;
 * - a column that a table lacks is added and one that is too narrow is widened, if the plan says `evolve`;
 * - merge twice with one key leaves one row; scd2 keeps every version of a key, at most one of them current;
 * - merge leaves a stored row untouched if the new one is equal, and counts it as unchanged;
 * - replace removes the rows that a complete run did not write, except those of its retained keys; an incomplete run
 *   removes nothing, and the children of a row that stays, stay;
 * - a table belongs to one pipeline: a second pipeline is refused at open, unless both share the table, and then each
 *   changes, replaces and closes only its own rows;
 * - the result of a commit is what the destination reports: received = written + unchanged + superseded;
 * - a run that is written `again` leaves its rows once;
 * - `compareRows` finds nothing where nobody else has written.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Checkpoint from "./Checkpoint.ts"
import type * as Column from "./Column.ts"
import { type Commit, type CommitResult, type OnceKey, type RunDetails, type RunRecord, SinkError } from "./Commit.ts"
import type * as Difference from "./Difference.ts"
import type * as Queries from "./Queries.ts"
import type { Readers } from "./Readers.ts"
import type { SinkAbility } from "./SinkAbility.ts"
import { fingerprintFault, type Plan, planFault } from "./SinkPlan.ts"
import type * as Table from "./Table.ts"
import type { RowError } from "./validateRow.ts"
import type { WriteDisposition } from "./WriteDisposition.ts"

export * from "./Commit.ts"
export * from "./SinkPlan.ts"
export * from "./WriteDisposition.ts"

/** A kind of sink, as a connector offers it. `with` is for TypeScript, `decode` for pipeline files. */
export interface Sink<in Options, out R> {
  /** The value of `type:` in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description: string
  /** The options of a sink in a pipeline file, without `type`: this schema parses and documents them. */
  readonly schema: Schema.Constraint
  /** The write dispositions that it supports; the engine refuses others before anything runs. */
  readonly writes: ReadonlyArray<WriteDisposition>
  /** Makes a destination of options in TypeScript. */
  readonly with: (options: Options) => Destination<R>
  /** Makes a destination of options of a pipeline file. Its error lists every problem of the options. */
  readonly decode: (options: unknown) => Effect.Effect<Destination<R>, Schema.SchemaError>
}

/** A sink with its options: ready to open. */
export interface Destination<out R> {
  /** The type of the sink, for messages. */
  readonly type: string
  /** The write dispositions that it supports. */
  readonly writes: ReadonlyArray<WriteDisposition>
  /** How this table is written: the user's `write`, otherwise the sink's default for the table. */
  readonly writeOf: (table: Table.Table) => WriteDisposition
  /** How this table is written if the user sets no `write`. */
  readonly defaultWriteOf: (table: Table.Table) => WriteDisposition
  /** The runs that have committed here, of all pipelines, in the order of their last commits. Writes nothing. */
  readonly runs: (directory: string) => Effect.Effect<ReadonlyArray<RunRecord>, SinkError, R>
  /**
   * The run of a pipeline that committed here under a caller's key. Writes nothing, and finds the last commit even if
   * readers do not see it yet. If the sink does not have this, the engine uses `runs`.
   */
  readonly ranOnce?: (directory: string, of: OnceKey) => Effect.Effect<Option.Option<RunRecord>, SinkError, R>
  /**
   * The newest runs of a pipeline, at most `count` of them, in the order of their last commits. Writes nothing. If the
   * sink does not have this, the engine uses `runs`.
   */
  readonly newestRuns?: (
    directory: string,
    of: { readonly pipeline: string; readonly count: number }
  ) => Effect.Effect<ReadonlyArray<RunRecord>, SinkError, R>
  /** The checks and profiles of those of these runs that have committed here. Writes nothing. */
  readonly details?: (
    directory: string,
    runIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<RunDetails>, SinkError, R>
  /** The rows of a table as a reader sees them; a column that the destination lacks is null. Writes nothing. */
  readonly rows: (directory: string, table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, SinkError, R>
  /** Opens the destination for one run of one pipeline. Closing the scope without a commit leaves no trace. */
  readonly open: (plan: Plan) => Effect.Effect<Writer, SinkError, R | Scope.Scope>
  /** The pipeline that owns each table, by table name, in the sink's schema if the destination has schemas. Writes nothing. */
  readonly owners?: (directory: string) => Effect.Effect<ReadonlyMap<string, string>, SinkError, R>
  /** Why its `path` cannot be used, such as a file where it needs a folder; undefined: no fault was found. */
  readonly pathFault?: (directory: string) => Effect.Effect<string | undefined, never, R>
  /** The abilities that it lacks; absent: it keeps every law. */
  readonly lacks?: ReadonlyArray<SinkAbility>
  /** Whether several pipelines write the same tables here. Rows then have `_pipeline`, and each pipeline changes its own. */
  readonly shared?: boolean
  /** Whether scd2 closes here the versions of keys that a complete run does not have. */
  readonly closesRemoved?: boolean
  /** Merges many small files into few large ones, if the destination is made of files. */
  readonly compact?: (directory: string, target: CompactTarget) => Effect.Effect<Compaction, SinkError, R>
  /** Removes files that only old versions use, if the destination is made of files. */
  readonly vacuum?: (directory: string, target: VacuumTarget) => Effect.Effect<Vacuumed, SinkError, R>
  /** Compares its files with their digests and heals them, if the destination is made of files. */
  readonly verify?: (directory: string, target: VerifyTarget) => Effect.Effect<Verified, SinkError, R>
  /** Compares the rows of each run with what it recorded of them, if the destination is a database that hashes. Writes nothing. */
  readonly compareRows?: (directory: string) => Effect.Effect<ReadonlyArray<ComparedRun>, SinkError, R>
  /** What changed in a table between two loads, if the destination can tell. Writes nothing; open until the scope closes. */
  readonly differences?: Difference.DiffProvider<R | Scope.Scope>
  /** Answers SQL on its tables, if the destination can. Writes nothing; open until the scope closes. */
  readonly queries?: Queries.QueryProvider<R | Scope.Scope>
  /** How other programs open its tables without Millrace, if they can. */
  readonly readers?: (directory: string) => Readers
}

/** What the author of a sink writes. `directory` is the folder that relative paths start from. */
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
  /** As of `Destination.compareRows`. */
  readonly compareRows?: (
    options: Options,
    directory: string
  ) => Effect.Effect<ReadonlyArray<ComparedRun>, SinkError, R>
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
  /** As `TablePlan.notices`: warnings of the run. */
  readonly notices?: ReadonlyArray<string> | undefined
  /** Takes rows into the stage. Readers do not see them yet. */
  readonly write: (batch: Table.Batch) => Effect.Effect<void, SinkError>
  /** Takes keys whose rows this run could not read: replace keeps their stored rows, and scd2 their versions, unchanged. */
  readonly retainKeys: (table: string, keys: ReadonlyArray<Table.Row>) => Effect.Effect<void, SinkError>
  /** Makes every row written so far visible together with the checkpoint, or nothing. */
  readonly commit: (commit: Commit) => Effect.Effect<CommitResult, SinkError>
}

/**
 * Makes a sink of its typed parts. Add `write: Sink.writeOption` to its options, and `shared: Sink.sharedOption` if
 * several pipelines may write the same tables.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Option from "effect/Option"
 * import * as Schema from "effect/Schema"
 * import { rows, run, Sink, SinkWriter } from "millrace"
 *
 * let counted = 0
 * const counter = Sink.make({
 *   type: "counter",
 *   description: "counts rows, and keeps none",
 *   options: Schema.Struct({ write: Sink.writeOption }),
 *   writes: ["append"],
 *   defaultWrite: () => "append",
 *   runs: () => Effect.succeed([]),
 *   rows: () => Effect.succeed([]),
 *   open: (_, { tables }) =>
 *     Effect.succeed(
 *       SinkWriter.make({
 *         sink: "counter",
 *         stages: tables,
 *         resume: Option.none(),
 *         columnsBefore: () => undefined,
 *         write: (_, some) => Effect.sync(() => void (counted += some.length)),
 *         retainKeys: () => Effect.void,
 *         commit: () => Effect.succeed({ location: "nowhere", tables: {} })
 *       })
 *     )
 * })
 * const source = rows([{ id: 1 }, { id: 2 }], { table: "numbers" })
 * await run({ source, sinks: { out: counter.with({}) } }, { journal: "temporary" })
 * console.log(counted) // 2
 * ```
 */
export const make = <
  Options extends {
    readonly write?: WriteDisposition
    readonly shared?: boolean
    readonly removed?: "keep" | "close"
  },
  OptionsEncoded,
  R
>(
  parts: Parts<Options, OptionsEncoded, R>
): Sink<Options, R> => {
  const decodeOptions = Schema.decodeUnknownEffect(parts.options)
  const { compact, compareRows, details, differences, newestRuns, owners, pathFault } = parts
  const { queries, ranOnce, readers, vacuum, verify } = parts
  const bind = (options: Options): Destination<R> => ({
    type: parts.type,
    writes: parts.writes,
    writeOf: (table) => options.write ?? parts.defaultWrite(table),
    defaultWriteOf: parts.defaultWrite,
    runs: (directory) => parts.runs(options, directory),
    rows: (directory, table) => parts.rows(options, directory, table),
    open: Effect.fnUntraced(function* (plan) {
      const refused = (message: string) => new SinkError({ sink: parts.type, message, retryable: false })
      const fault = planFault(plan.tables, plan.shared)
      if (fault !== undefined) return yield* refused(fault)
      const writer = yield* parts.open(options, plan)
      const lacking = fingerprintFault(plan.tables, (table) => Option.getOrElse(writer.columns(table), () => []))
      return lacking === undefined ? writer : yield* refused(lacking)
    }),
    ...(owners === undefined ? {} : { owners: (directory) => owners(options, directory) }),
    ...(pathFault === undefined ? {} : { pathFault: (directory) => pathFault(options, directory) }),
    ...(options.shared === true ? { shared: true } : {}),
    ...(options.removed === "close" ? { closesRemoved: true } : {}),
    ...(ranOnce === undefined ? {} : { ranOnce: (directory, of) => ranOnce(options, directory, of) }),
    ...(newestRuns === undefined ? {} : { newestRuns: (directory, of) => newestRuns(options, directory, of) }),
    ...(details === undefined ? {} : { details: (directory, runIds) => details(options, directory, runIds) }),
    ...(compact === undefined ? {} : { compact: (directory, target) => compact(options, directory, target) }),
    ...(vacuum === undefined ? {} : { vacuum: (directory, target) => vacuum(options, directory, target) }),
    ...(verify === undefined ? {} : { verify: (directory, target) => verify(options, directory, target) }),
    ...(compareRows === undefined ? {} : { compareRows: (directory) => compareRows(options, directory) }),
    ...(differences === undefined ? {} : { differences: (directory, ask) => differences(options, directory, ask) }),
    ...(queries === undefined ? {} : { queries: (directory, request) => queries(options, directory, request) }),
    ...(readers === undefined ? {} : { readers: (directory) => readers(options, directory) })
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

/** Which files a compaction of a destination that is made of files merges. */
export interface CompactTarget {
  /** In bytes: files that are smaller are merged. */
  readonly below: number
}

/** The result of a compaction. */
export interface Compaction {
  /** Where the files are: a folder, a URL. */
  readonly location: string
  /** The number of files before and after, by table. Tables that were not compacted are left out. */
  readonly tables: Readonly<Record<string, { readonly before: number; readonly after: number }>>
}

/** Which old versions a vacuum removes. */
export interface VacuumTarget {
  /** Milliseconds: versions that were replaced longer ago are removed. */
  readonly retain: number
  /** Whether files are only counted and not removed. */
  readonly dryRun: boolean
}

/** The result of a vacuum. */
export interface Vacuumed {
  /** Where the files are: a folder, a URL. */
  readonly location: string
  /** The number of files that were removed, or would be removed. */
  readonly files: number
  /** Their total size. */
  readonly bytes: number
}

/** How a destination is verified. */
export interface VerifyTarget {
  /** Whether what is damaged is healed, and what cannot be healed is left out. Otherwise nothing is written. */
  readonly repair: boolean
  /** Is called while files are read: bytes that were read, and bytes of all files. */
  readonly onProgress?: (read: number, all: number) => void
  /** What an earlier verification, which was interrupted, has found whole. */
  readonly whole?: WholeFiles
}

/** The files that were found whole, so that a verification which begins again does not read them again. */
export interface WholeFiles {
  /** `print`: the path, the digest and the time of a file. */
  readonly has: (print: string) => boolean
  /** Notes a file that was found whole. */
  readonly add: (print: string) => void
}

/** The result of a verification. */
export interface Verified {
  /** Where the files are: a folder, a URL. */
  readonly location: string
  /** The number of files that were compared with their digests. */
  readonly files: number
  /** Their total size. */
  readonly bytes: number
  /** What is not as it was written; empty: all is right. */
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Something that is not as it was written. damaged: `repair` heals it. healed: it is as it was written again. lost: it cannot be
 * healed, and `repair` leaves it out. open: only people can decide, such as about what another program wrote.
 */
export interface Finding {
  /** The file, below `location`; or the name of a table. */
  readonly path: string
  /** What is wrong with it, or what was done, in words. */
  readonly message: string
  /** Whether it can be healed, was healed, is lost, or is for people to decide. */
  readonly outcome: "damaged" | "healed" | "lost" | "open"
  /** The runs whose rows are lost with it: a replay loads them again. */
  readonly runs?: ReadonlyArray<string>
}

/**
 * Why the rows of a run are not compared. unrecorded: nothing was recorded of them. columns: columns have another type than they had, or
 * were somebody else's. refreshed: a full refresh has compared all rows with the source since. method: the database hashes in another way
 * than it did. untold: the database has filled columns of its own.
 */
export type NotCompared = "unrecorded" | "columns" | "refreshed" | "method" | "untold"

/** The rows of a run in a table of a database, and whether they are as they were written. */
export interface ComparedRun {
  /** The name of the table. */
  readonly table: string
  /** The run that wrote the rows. */
  readonly run: string
  /** How many rows of it there are. */
  readonly rows: number
  /** Their number and their hash, in words. */
  readonly found: string
  /** What was recorded, in words, if it is something else. */
  readonly recorded?: string
  /** Whether later runs have replaced or removed rows of it, so that the difference may be older than these. */
  readonly isChanged?: boolean
  /** Why it was not compared; absent: it was. */
  readonly notCompared?: NotCompared
}
