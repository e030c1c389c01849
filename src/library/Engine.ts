/**
 * The engine with all that a pipeline needs, as Effects: `run` and `sql` of the library are promises of these.
 *
 * What does the work is loaded when it is first asked for: who only imports the library waits for none of it.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Sink from "../pipeline/Sink.ts"
import type { SqlOptions } from "./askSink.ts"
import type { RunOptions, Spec } from "./runPipeline.ts"
import type { Services } from "./services.ts"

export { StartError } from "./StartError.ts"
export type { Services } from "./services.ts"

/** Runs a pipeline file, or a pipeline: the next run, or the unfinished one. */
export const run = (what: string | Spec, options: RunOptions = {}) =>
  Effect.flatMap(
    Effect.promise(() => import("./runPipeline.ts")),
    ({ runPipeline }) => runPipeline(what, options)
  )

/** Asks a destination, or that of a pipeline file, in SQL. */
export const sql = (place: string | Sink.Destination<Services>, query: string, options: SqlOptions = {}) =>
  Effect.flatMap(
    Effect.promise(() => import("./askSink.ts")),
    ({ askSink }) => askSink(place, query, options)
  )

/** Journals on disk, the stage, the object stores and the inboxes: what `Run.run` needs beside the client of a service. */
export const layer = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./services.ts")),
    ({ journals, parts }) => Layer.mergeAll(parts, journals)
  )
)
