/**
 * The checkpoints, runs and owners of tables that Millrace stores for a simple sink, which stores none of them itself. The
 * ledger is a file in `.millrace/sinks`, in the folder of the pipeline.
 *
 * Guarantee: the ledger is written after the sink has committed. If the process dies between the two, the next run commits the
 * rows a second time, and loses none. For a sink with `committed`, the commit is also written before, as `pending`: the next
 * run asks the sink whether it succeeded, so the rows arrive once. The file is replaced as a whole, and only one process at a
 * time holds it.
 */

import { createHash } from "node:crypto"
import { open, readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Durable from "#base/Durable"
import * as Lock from "#base/Lock"
import { makePrivateFolder } from "#base/privateFolder"
import type { Stored } from "#engine/Checkpoint"
import * as Sink from "#engine/Sink"

const Numbers = Schema.Record(Schema.String, Schema.Finite)

const Checkpoint = Schema.Struct({ runId: Schema.String, state: Schema.Unknown })

const Run = Schema.Struct({
  runId: Schema.String,
  pipeline: Schema.String,
  startedAt: Schema.BigIntFromString,
  committedAt: Schema.BigIntFromString,
  facts: Numbers,
  rows: Numbers,
  once: Schema.optionalKey(Schema.String)
})

const Pending = Schema.Struct({
  commitId: Schema.String,
  pipeline: Schema.String,
  tables: Schema.Array(Schema.String),
  checkpoint: Checkpoint,
  run: Run
})
/** A commit that has begun, with the entries that the ledger gets when it has succeeded. */
type Pending = typeof Pending.Type

const Ledger = Schema.Struct({
  checkpoints: Schema.Record(Schema.String, Checkpoint),
  /** The pipeline that each table belongs to. */
  owners: Schema.Record(Schema.String, Schema.String),
  /** In the order of their last commits. */
  runs: Schema.Array(Run),
  /** Only for a sink with `committed`: the last commit, until it is known whether it succeeded. */
  pending: Schema.optionalKey(Pending)
})
export type Ledger = typeof Ledger.Type

const empty: Ledger = { checkpoints: {}, owners: {}, runs: [] }
const maxRuns = 1000

/** The file of a sink with these options: each set of options has its own file. */
export const fileOf = (directory: string, type: string, options: unknown): string => {
  const id = createHash("sha256").update(JSON.stringify(options)).digest("hex").slice(0, 16)
  return join(directory, ".millrace", "sinks", `${type}-${id}.json`)
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Ledger))
const encode = Schema.encodeSync(Schema.fromJsonString(Ledger))

/** Reads the ledger; it is empty if the file does not exist. */
export const read = Effect.fnUntraced(function* (sink: string, file: string) {
  const text = yield* Effect.tryPromise({
    try: () =>
      readFile(file, "utf8").catch((cause: unknown) => {
        if (isMissing(cause)) return undefined
        throw cause
      }),
    catch: (cause) => failure(sink, `cannot read ${file}`, cause)
  })
  if (text === undefined) return empty
  return yield* Effect.mapError(decode(text), (cause) => failure(sink, `${file} is damaged; move it away`, cause))
})

/** Writes the ledger and flushes it to the disk: a commit that follows must not exist without it. */
export const write = (sink: string, file: string, ledger: Ledger) =>
  Effect.tryPromise({
    try: async () => {
      const written = await open(`${file}.new`, "w")
      try {
        await written.writeFile(encode(ledger))
        await written.sync()
      } finally {
        await written.close()
      }
      await Durable.rename(`${file}.new`, file)
    },
    catch: (cause) => failure(sink, `cannot write ${file}`, cause)
  })

/** Holds the ledger until the scope closes. */
export const hold = (sink: string, file: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const taken = yield* Effect.tryPromise({
        try: async () => {
          await makePrivateFolder(dirname(file))
          return Lock.take(`${file}.lock`)
        },
        catch: (cause) => failure(sink, `cannot use ${file}`, cause)
      })
      return "release" in taken
        ? taken
        : yield* new Sink.SinkError({
            sink,
            message: `${sink}: another process (${taken.owner}) writes to this sink; wait until it has ended`,
            retryable: true
          })
    }),
    ({ release }) => Effect.sync(release)
  )

export const checkpointOf = ({ checkpoints }: Ledger, pipeline: string): Option.Option<Stored> =>
  Option.fromUndefinedOr(checkpoints[pipeline])

/** The ledger's entry for a commit that begins. */
export const begun = (commitId: string, plan: Sink.Plan, { checkpoint, run }: Sink.Commit): Pending => ({
  commitId,
  pipeline: plan.pipeline,
  tables: plan.tables.map(({ table }) => table.name),
  checkpoint,
  run
})

/** The ledger with a commit that has succeeded. */
export const record = (ledger: Ledger, { checkpoint, pipeline, run, tables }: Pending): Ledger => {
  const owner = Sink.ownerOf(pipeline)
  return {
    checkpoints: { ...ledger.checkpoints, [pipeline]: checkpoint },
    owners: { ...Object.fromEntries(tables.map((table) => [table, owner])), ...ledger.owners },
    runs: [...ledger.runs.filter(({ runId }) => runId !== run.runId), run].slice(-maxRuns)
  }
}

/** The ledger without a pending commit that has not succeeded. */
export const forget = ({ checkpoints, owners, runs }: Ledger): Ledger => ({ checkpoints, owners, runs })

export const failure = (sink: string, doing: string, cause: unknown): Sink.SinkError =>
  new Sink.SinkError({
    sink,
    message: `${doing}: ${cause instanceof Error ? cause.message : String(cause)}`,
    retryable: false,
    cause
  })

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"
