/**
 * What Millrace remembers for a sink that keeps nothing itself: checkpoints, runs, and whose the tables are. It is a file in
 * `.millrace/sinks`, in the folder of the pipeline.
 *
 * The law: it is written after the sink has committed. A process that dies between the two commits the rows a second time,
 * and loses none. It is replaced as a whole, and one process at a time has it.
 */
import { createHash } from "node:crypto"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Checkpoint from "../pipeline/Checkpoint.ts"
import * as Sink from "../pipeline/Sink.ts"
import * as Lock from "../sqlite/Lock.ts"

const Numbers = Schema.Record(Schema.String, Schema.Finite)

const Ledger = Schema.Struct({
  checkpoints: Schema.Record(Schema.String, Schema.Struct({ runId: Schema.String, state: Schema.Unknown })),
  /** The pipeline that each table belongs to. */
  owners: Schema.Record(Schema.String, Schema.String),
  /** In the order of their last commits. */
  runs: Schema.Array(
    Schema.Struct({
      runId: Schema.String,
      pipeline: Schema.String,
      startedAt: Schema.BigIntFromString,
      committedAt: Schema.BigIntFromString,
      facts: Numbers,
      rows: Numbers,
      once: Schema.optionalKey(Schema.String)
    })
  )
})
export type Ledger = typeof Ledger.Type

const empty: Ledger = { checkpoints: {}, owners: {}, runs: [] }
const maxRuns = 1000

/** The file of a sink with these options: others have others. */
export const fileOf = (directory: string, type: string, options: unknown): string => {
  const id = createHash("sha256").update(JSON.stringify(options)).digest("hex").slice(0, 16)
  return join(directory, ".millrace", "sinks", `${type}-${id}.json`)
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Ledger))
const encode = Schema.encodeSync(Schema.fromJsonString(Ledger))

/** What was remembered last; nothing where there is no such file. */
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

export const write = (sink: string, file: string, ledger: Ledger) =>
  Effect.tryPromise({
    try: async () => {
      await writeFile(`${file}.new`, encode(ledger))
      await rename(`${file}.new`, file)
    },
    catch: (cause) => failure(sink, `cannot write ${file}`, cause)
  })

/** Holds the ledger until the scope closes. */
export const hold = (sink: string, file: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const taken = yield* Effect.tryPromise({
        try: async () => {
          await mkdir(dirname(file), { recursive: true })
          return Lock.take(`${file}.lock`)
        },
        catch: (cause) => failure(sink, `cannot use ${file}`, cause)
      })
      return "release" in taken
        ? taken
        : yield* new Sink.SinkError({
            sink,
            message: `${sink}: another process (${taken.owner}) writes it; let it end first`,
            retryable: true
          })
    }),
    ({ release }) => Effect.sync(release)
  )

export const checkpointOf = ({ checkpoints }: Ledger, pipeline: string): Option.Option<Checkpoint.Stored> =>
  Option.fromUndefinedOr(checkpoints[pipeline])

/** The ledger with a commit written down. */
export const record = (ledger: Ledger, plan: Sink.Plan, { checkpoint, run }: Sink.Commit): Ledger => {
  const owner = Sink.ownerOf(plan.pipeline)
  return {
    checkpoints: { ...ledger.checkpoints, [plan.pipeline]: checkpoint },
    owners: { ...Object.fromEntries(plan.tables.map(({ table }) => [table.name, owner])), ...ledger.owners },
    runs: [...ledger.runs.filter(({ runId }) => runId !== run.runId), run].slice(-maxRuns)
  }
}

export const failure = (sink: string, doing: string, cause: unknown): Sink.SinkError =>
  new Sink.SinkError({
    sink,
    message: `${doing}: ${cause instanceof Error ? cause.message : String(cause)}`,
    retryable: false,
    cause
  })

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"
