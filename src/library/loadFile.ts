/**
 * Makes a pipeline of a pipeline file: decodes its text with the connectors of Millrace and with those that the file names.
 */
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { connectors } from "#connectors/index"
import { runId } from "#engine/beginRun"
import * as Interval from "#engine/Interval"
import * as Pipeline from "#engine/Pipeline"
import * as PipelineFile from "#engine/PipelineFile"
import { readColumns } from "./columns.ts"
import { importModule } from "./importModule.ts"
import { wrong } from "./StartError.ts"
import { secretIn } from "./secrets.ts"

interface LoadOptions {
  readonly vars: Readonly<Record<string, string>>
  /** Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /**
   * The interval that a backfill loads, or "none" for a run without one. Default: yesterday, for commands that do not run the
   * pipeline.
   */
  readonly interval?: Interval.Interval | "none" | undefined
}

export type Loaded = Effect.Success<ReturnType<typeof loadText>>

export const loadFile = Effect.fn("loadFile")(function* (path: string, options: LoadOptions) {
  return yield* loadText(path, yield* textOf(path), options)
})

export const textOf = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (cause) => wrong(`${path}: cannot be read: ${reason(cause)}`)
  })

/** Loads a text that the file at this path has now or had earlier. */
export const loadText = Effect.fn("loadText")(function* (
  path: string,
  text: string,
  { env = process.env, interval, vars }: LoadOptions
) {
  const now = yield* Clock.currentTimeMillis
  const file = yield* PipelineFile.load(path, text, {
    connectors,
    importModule,
    readColumns,
    env,
    secrets: (name: string) => secretIn(name, env),
    vars,
    runDate: new Date(now),
    runId: runId(now, yield* Random.next),
    interval: intervalOf(now, interval)
  })
  const pipeline = Pipeline.make({
    name: file.name,
    directory: resolve(file.directory),
    source: file.source,
    sinks: file.sinks,
    limits: file.limits,
    table: file.table,
    steps: file.steps,
    checks: file.checks,
    journal: file.journal,
    commitEvery: file.commitEvery
  })
  return { file, pipeline }
})

const intervalOf = (now: number, interval: Interval.Interval | "none" | undefined) => {
  if (interval === "none") return undefined
  const today = now - (now % day)
  return {
    values: Interval.variables(interval ?? { start: today - day, end: today }),
    standsIn: interval === undefined
  }
}

const day = 86_400_000

const reason = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code === "ENOENT") return "there is no such file"
  if (code === "EISDIR") return "it is a folder; name a pipeline file in it"
  return cause instanceof Error ? cause.message : String(cause)
}
