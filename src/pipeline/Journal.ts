/**
 * The contract of the journal: the answers of the sources, kept on this machine run by run, and the progress of each
 * run. Where it is shared, it is kept in a store too, and machines have it one after the other.
 *
 * The law:
 * - an appended answer is there after a kill, complete; half an answer is not;
 * - answers come back in the order in which they were appended;
 * - one process at a time has the journal of a pipeline: a second is refused, with the name of the first;
 * - a run whose state cannot be read is moved aside completely, and does not stop others from being run or listed;
 * - the journal of an unfinished run is never pruned.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Segment } from "../segments/Segment.ts"
import type { Access } from "./ObjectStore.ts"
import type { SourceResponse } from "./SourceElement.ts"

/**
 * How far a run came: reading: its source has not said everything; it goes on where it stopped. read: everything was
 * said, and no destination has it yet. behind: some destinations have it, and some do not. held: a check did not pass;
 * it waits to be committed or dropped. stopped: somebody stopped it while it was reading; its job is cancelled. done,
 * dropped, failed, stopped: it is over.
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
 * Whether a run is over: nothing continues it.
 *
 * @internal
 */
export const isOver = (status: RunStatus): boolean => over.has(status)

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
  /** The run, such as "20261121T042305345Z-41ac7e": names in the order of time. */
  run_id: Schema.String,
  /** The name of the pipeline. */
  pipeline: Schema.String,
  /** The type of its source. */
  source: Schema.String,
  /** The options of the source, as JSON text. */
  options: Schema.String,
  /** `Source.From.key`. */
  key: Schema.String,
  /** Milliseconds since the epoch. */
  started_at: Schema.Finite,
  /** Milliseconds since the epoch; null: it is not over. */
  ended_at: Schema.NullOr(Schema.Finite),
  /** How far it came. */
  status: RunStatus,
  /** The checkpoint that reading began at. */
  start: Schema.NullOr(Schema.Unknown),
  /** Where the next run begins, once everything is read. */
  checkpoint: Schema.NullOr(Schema.Struct({ state: Schema.Unknown })),
  /** What was counted: discovered, loaded, failed, blocked, credits ... */
  facts: Counts,
  /** Rows, by table. */
  rows: Counts,
  /** What went wrong, or what is waited for, in words. */
  message: Schema.NullOr(Schema.String),
  /** The destinations that it is for, where it is not for all: they stood at another place than the others. */
  sinks: Schema.NullOr(Schema.Array(Schema.String)),
  /** The destinations that have it. */
  committed: Schema.Array(Schema.String),
  /** The key that its caller gave it. */
  once: Schema.optionalKey(Schema.String),
  /** How many parts of it were committed while it was reading. */
  parts: Schema.optionalKey(Schema.Int)
})
export interface RunState extends Schema.Schema.Type<typeof RunState> {}

/** A run as a listing shows it. */
export interface Entry {
  /** What is known of the run beside its answers. */
  readonly state: RunState
  /** What it takes on the disk. */
  readonly bytes: number
  /** Files of the run's own, beside its answers. */
  readonly folder: string
  /** Why its state cannot be read, if so: `state` then says what its name does, and the next run sets it aside. */
  readonly damaged?: string
}

/** A run whose state could not be read. */
export interface SetAside {
  /** The run, as its folder was called. */
  readonly runId: string
  /** Where all of it is now. */
  readonly folder: string
  /** Why its state cannot be read. */
  readonly reason: string
}

/** Files of a run for a source that reads in this process. Nobody but the source writes into them. */
export interface RunSegments {
  /** What answers name by the numbers of its blocks. It is kept as long as the answers are. */
  readonly blocks: Segment
  /** Where the source continues after its process was killed. It is removed when all is read. */
  readonly progress: Segment
  /** What this run has read, for the next run. It counts once every destination has this run. */
  readonly known: Segment
}

/** The journal of one run, open. */
export interface RunJournal {
  /** As it was when the journal was opened, with what `save` has changed since. */
  readonly state: RunState
  /** Files of the run's own, beside its answers: gone with it. */
  readonly folder: string
  /** How many answers there are. */
  readonly length: number
  /** All answers, in the order in which they were appended. */
  readonly answers: Stream.Stream<SourceResponse, JournalError>
  /** Opened when they are first asked for. */
  readonly segments: Effect.Effect<RunSegments, JournalError>
  /** Appends an answer; when it is done the answer outlives this process. */
  readonly append: (answer: SourceResponse) => Effect.Effect<void, JournalError>
  /** Writes the state down, in place of the one before. */
  readonly save: (state: Partial<RunState>) => Effect.Effect<void, JournalError>
  /** Keeps what the source knows, for the run that continues after this one and makes rows in the same way (`print`). */
  readonly keepKnown: (print: string) => Effect.Effect<void, JournalError>
}

/** The journal of one pipeline, ours until the scope closes. */
export interface Journal {
  /** A folder of the pipeline's own, for what outlives its runs. */
  readonly folder: string
  /** Runs that were set aside when the journal was taken. */
  readonly setAside: ReadonlyArray<SetAside>
  /** The runs that are kept, the oldest first. */
  readonly runs: Effect.Effect<ReadonlyArray<Entry>, JournalError>
  /** Makes the journal of a new run. It is closed with the scope. */
  readonly begin: (state: RunState) => Effect.Effect<RunJournal, JournalError, Scope.Scope>
  /** Opens the journal of a run that is kept. It fails if there is none. */
  readonly open: (runId: string) => Effect.Effect<RunJournal, JournalError, Scope.Scope>
  /** What the source knew in that run, the last that is committed, if it made rows in this way. */
  readonly known: (runId: string, print: string) => Effect.Effect<Segment | undefined, JournalError, Scope.Scope>
  /**
   * Removes the journals of runs that are over: those older than `before`, then the oldest until all that the pipeline
   * keeps takes no more than `bytes`, or none is left.
   */
  readonly prune: (keep: Keep) => Effect.Effect<ReadonlyArray<Entry>, JournalError>
}

/** Where the journal is kept beside the folder of this machine, so that any machine can finish a run. */
export interface Shared {
  /** A URL that a store serves (`s3://bucket/prefix`), or a folder that machines share. */
  readonly path: string
  /** How its store is reached; default: what the environment says. */
  readonly access?: Access
}

/** Which journals `prune` leaves. */
export interface Keep {
  /** Milliseconds since the epoch: what ended before goes. */
  readonly before: number
  /** What the folder of the pipeline may take on the disk. */
  readonly bytes: number
  /** A run that stays whatever it takes: the one that has just ended. */
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
     * Takes the journal of a pipeline. `directory` is where relative paths of the pipeline start. With `shared`, one
     * machine at a time has it, and what another machine left is brought here.
     */
    readonly take: (
      pipeline: string,
      directory: string,
      shared?: Shared
    ) => Effect.Effect<Journal, JournalError, Scope.Scope>
    /** The runs of a pipeline, whoever has its journal; with `shared`, those of all machines. */
    readonly look: (
      pipeline: string,
      directory: string,
      shared?: Shared
    ) => Effect.Effect<ReadonlyArray<Entry>, JournalError>
    /** What the folder of a pipeline has beside its runs, by name, with what each takes on the disk. */
    readonly beside: (
      pipeline: string,
      directory: string
    ) => Effect.Effect<Readonly<Record<string, number>>, JournalError>
    /** The pipeline and the intervals of its backfills: each has a journal of its own. */
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
