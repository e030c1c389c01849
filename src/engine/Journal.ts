/**
 * The contract of the journal: the answers of the source, kept on this machine run by run, and the progress of each
 * run. A shared journal is kept in an object store too, and one machine at a time uses it.
 *
 * Guarantee:
 * - an appended answer survives a kill; an answer that was appended in part is removed;
 * - answers come back in the order in which they were appended;
 * - one process at a time has the journal of a pipeline: a second one is refused with the process id of the first;
 * - a run whose state cannot be read is moved aside with all its files, and other runs can still be run and listed;
 * - the journal of an unfinished run is never pruned.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Segment } from "#base/Segment"
import type { Access } from "./ObjectStore.ts"
import type { SourceResponse } from "./SourceElement.ts"

/**
 * How far a run came. reading: its source was not read to the end; the next attempt continues. read: its source was
 * read, and the run is not committed everywhere. behind: some destinations have it, and some failed. held: a check did
 * not pass; someone must commit or drop the run. stopped: it was stopped while it was reading, and its job is
 * cancelled. done, dropped, failed, stopped: it is over.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Journal } from "millrace"
 *
 * console.log(Schema.is(Journal.RunStatus)("held")) // true
 * ```
 */
export const RunStatus = Schema.Literals(["reading", "read", "behind", "held", "done", "dropped", "failed", "stopped"])
export type RunStatus = typeof RunStatus.Type

/**
 * Whether a run is over: it is never continued.
 *
 * @internal
 */
export const isOver = (status: RunStatus): boolean => over.has(status)

/**
 * Whether the last attempt at a run failed, and no other has begun since: the run is shown as failed, and the next one
 * continues it.
 *
 * @internal
 */
export const isBroken = ({ ended_at, status }: Pick<RunState, "ended_at" | "status">): boolean =>
  ended_at !== null && (status === "reading" || status === "read")

const over: ReadonlySet<RunStatus> = new Set(["done", "dropped", "failed", "stopped"])

const Counts = Schema.Record(Schema.String, Schema.Finite)

/**
 * What is known of a run beside its answers. Encodes to JSON.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Journal, Journals, rows, run } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * await run({ name: "kept", source: rows([{ id: 1 }], { table: "n" }), sinks: { out: memory.with({ name: "kept" }) } })
 * const look = Effect.flatMap(Journal.Journals, ({ look }) => look("kept", process.cwd()))
 * const [entry] = await Effect.runPromise(Effect.provide(look, Journals.layer))
 * console.log(entry?.state.status, entry?.state.committed) // "done" ["out"]
 * ```
 */
export const RunState = Schema.Struct({
  /** The id of the run, such as "20261121T042305345Z-41ac7e". Ids sort by time. */
  run_id: Schema.String,
  /** The name of the pipeline. */
  pipeline: Schema.String,
  /** The type of its source. */
  source: Schema.String,
  /** The options of the source, as JSON text. */
  options: Schema.String,
  /** As `ResumePoint.key`. */
  key: Schema.String,
  /** When it began: milliseconds since the epoch. */
  started_at: Schema.Finite,
  /** When it ended, was held, or its last attempt failed: milliseconds since the epoch; null: it did not end. */
  ended_at: Schema.NullOr(Schema.Finite),
  /** How far it came. */
  status: RunStatus,
  /** The checkpoint at which reading began; null: the beginning. */
  start: Schema.NullOr(Schema.Unknown),
  /** Where the next run begins; null: the source was not read to its end. */
  checkpoint: Schema.NullOr(Schema.Struct({ state: Schema.Unknown })),
  /** Counts by name: discovered, loaded, failed, blocked, credits ... */
  facts: Counts,
  /** Rows, by table. */
  rows: Counts,
  /** What went wrong, or what the run waits for, in words. */
  message: Schema.NullOr(Schema.String),
  /** The sinks that the run is for; null: all. Sinks with different checkpoints get different runs. */
  sinks: Schema.NullOr(Schema.Array(Schema.String)),
  /** The sinks that have committed it. */
  committed: Schema.Array(Schema.String),
  /** The caller's key (`--once KEY`). */
  once: Schema.optionalKey(Schema.String),
  /** How many parts of it were committed while it was reading. */
  parts: Schema.optionalKey(Schema.Int),
  /** How many answers its source gave; absent while it is reading, and in states of older versions. */
  answers: Schema.optionalKey(Schema.Int)
})
export interface RunState extends Schema.Schema.Type<typeof RunState> {}

/** A run in a listing. */
export interface Entry {
  /** What is known of the run beside its answers. */
  readonly state: RunState
  /** The disk space that it takes. */
  readonly bytes: number
  /** The folder with the files of the run. */
  readonly folder: string
  /** Why its state cannot be read: `state` then has only what the name of the run says, and the next run sets it aside. */
  readonly damaged?: string
}

/** A run whose state could not be read. */
export interface SetAside {
  /** The run, by the name of its folder. */
  readonly runId: string
  /** The folder that now has all its files. */
  readonly folder: string
  /** Why its state cannot be read. */
  readonly reason: string
}

/** Files of a run for a source that reads in this process. Only the source writes into them. */
export interface RunSegments {
  /** Large contents: answers name its blocks by number. It is kept as long as the answers. */
  readonly blocks: Segment
  /** Where the source continues after its process was killed. It is removed when everything is read. */
  readonly progress: Segment
  /** What this run has read, for the next run, which uses it only if every destination has this run. */
  readonly known: Segment
}

/** The journal of one run, open. */
export interface RunJournal {
  /** The state when the journal was opened, with the changes of `save`. */
  readonly state: RunState
  /** The folder with the files of the run; it is removed with the run. */
  readonly folder: string
  /** The number of answers. */
  readonly length: number
  /** All answers, in the order in which they were appended. */
  readonly answers: Stream.Stream<SourceResponse, JournalError>
  /** The segments of the run, opened on first use. */
  readonly segments: Effect.Effect<RunSegments, JournalError>
  /** Appends an answer. When it returns, the answer survives the end of this process. */
  readonly append: (answer: SourceResponse) => Effect.Effect<void, JournalError>
  /** Changes these members of the state on the disk. */
  readonly save: (state: Partial<RunState>) => Effect.Effect<void, JournalError>
  /** Keeps what the source knows for a later run whose `print` is the same, because it makes rows in the same way. */
  readonly keepKnown: (print: string) => Effect.Effect<void, JournalError>
}

/** The journal of one pipeline. This process has it until the scope closes. */
export interface Journal {
  /** The folder of the pipeline, for files that outlive its runs. */
  readonly folder: string
  /** Runs that were set aside when this process took the journal. */
  readonly setAside: ReadonlyArray<SetAside>
  /** The runs in the journal, the oldest first. */
  readonly runs: Effect.Effect<ReadonlyArray<Entry>, JournalError>
  /** Makes the journal of a new run. It is closed with the scope. */
  readonly begin: (state: RunState) => Effect.Effect<RunJournal, JournalError, Scope.Scope>
  /** Opens the journal of a run. It fails if the journal does not have the run. */
  readonly open: (runId: string) => Effect.Effect<RunJournal, JournalError, Scope.Scope>
  /** What the source knew in that run, if it was kept for this `print`. */
  readonly known: (runId: string, print: string) => Effect.Effect<Segment | undefined, JournalError, Scope.Scope>
  /**
   * Removes the journals of runs that are over and returns them: first those that ended before `before`, then the oldest
   * until the pipeline takes no more than `bytes`.
   */
  readonly prune: (keep: Keep) => Effect.Effect<ReadonlyArray<Entry>, JournalError>
}

/** A second place of the journal, so that another machine can finish a run. */
export interface Shared {
  /** A URL of an object store (`s3://bucket/prefix`), or a folder that machines share. */
  readonly path: string
  /** How to reach the store; default: from the environment. */
  readonly access?: Access
}

/** Which journals `prune` keeps. */
export interface Keep {
  /** Milliseconds since the epoch: runs that ended before are removed. */
  readonly before: number
  /** The disk space that the folder of the pipeline may take. */
  readonly bytes: number
  /** A run that is never removed: the run that has just ended. */
  readonly spare?: string
}

/**
 * The journals of all pipelines, as a service. Its methods fail with `JournalError`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Journal, Journals } from "millrace"
 *
 * const names = Effect.flatMap(Journal.Journals, ({ names }) => names("docs", process.cwd()))
 * console.log(await Effect.runPromise(Effect.provide(names, Journals.layer))) // ["docs"]
 * ```
 */
export class Journals extends Context.Service<
  Journals,
  {
    /**
     * Takes the journal of a pipeline until the scope closes. Relative paths start from `directory`. With `shared`, one
     * machine at a time has the journal, and runs of other machines are copied to this one.
     */
    readonly take: (
      pipeline: string,
      directory: string,
      shared?: Shared
    ) => Effect.Effect<Journal, JournalError, Scope.Scope>
    /** The runs of a pipeline, even if another process has its journal. With `shared`, the runs of all machines. */
    readonly look: (
      pipeline: string,
      directory: string,
      shared?: Shared
    ) => Effect.Effect<ReadonlyArray<Entry>, JournalError>
    /** What the folder of a pipeline has beside its runs: the disk space of each, by name. */
    readonly beside: (
      pipeline: string,
      directory: string
    ) => Effect.Effect<Readonly<Record<string, number>>, JournalError>
    /** The names of the pipeline and of the intervals of its backfills: each has its own journal. */
    readonly names: (pipeline: string, directory: string) => Effect.Effect<ReadonlyArray<string>, JournalError>
  }
>()("millrace/pipeline/Journals") {}

/**
 * A journal that cannot be opened, read or written, or that another process has.
 *
 * @example
 * ```ts
 * import { Journal } from "millrace"
 *
 * const taken = new Journal.JournalError({ message: "process 4711 has the journal of docs; let it end first" })
 * console.log(taken.message) // "process 4711 has the journal of docs; let it end first"
 * ```
 */
export class JournalError extends Schema.TaggedError<JournalError>()("JournalError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
