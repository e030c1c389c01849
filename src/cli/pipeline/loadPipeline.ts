/**
 * A pipeline file from its path, or from its text: read, decoded, and made a pipeline.
 */

import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { connectors } from "../../../connectors/index.ts"
import * as PipelineFile from "../../file/PipelineFile.ts"
import * as Interval from "../../pipeline/backfill/Interval.ts"
import * as Pipeline from "../../pipeline/Pipeline.ts"
import { runId } from "../../pipeline/run/beginRun.ts"
import { wrong } from "../CliFailure.ts"
import { secretIn } from "../secrets.ts"

export type Loaded = Effect.Success<ReturnType<typeof loadPipeline>>

/**
 * `interval`: what a backfill loads, or "none" where the pipeline is run without one. Where it is only looked at, the day
 * before this one stands in.
 */
export const loadPipeline = Effect.fn("loadPipeline")(function* (
  path: string,
  vars: Readonly<Record<string, string>>,
  interval?: Interval.Interval | "none"
) {
  return yield* loadText(path, yield* textOf(path), vars, interval)
})

export const textOf = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (cause) => wrong(`${path}: cannot be read: ${reason(cause)}`)
  })

/** From a text that stands at that path, or has stood there. */
export const loadText = Effect.fn("loadText")(function* (
  path: string,
  text: string,
  vars: Readonly<Record<string, string>>,
  interval?: Interval.Interval | "none"
) {
  const now = yield* Clock.currentTimeMillis
  const id = runId(now, yield* Random.next)
  const options = {
    connectors,
    env: process.env,
    secrets: (name: string) => secretIn(name, process.env),
    vars,
    runDate: new Date(now),
    runId: id,
    interval: intervalOf(now, interval)
  }
  const file = yield* PipelineFile.load(path, text, options).pipe(Effect.mapError((error) => wrong(error.render())))
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
