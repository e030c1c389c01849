/**
 * The engine with all that a pipeline needs, as Effects: `run` and `sql` of the library return promises of these.
 *
 * The modules that do the work are loaded at the first call, so that importing the library is fast.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Sink from "#engine/Sink"
import type { SqlOptions } from "./askSink.ts"
import type { RunOptions, Spec } from "./runPipeline.ts"
import type { Services } from "./services.ts"

export { StartError } from "./StartError.ts"
export type { Services } from "./services.ts"

/**
 * The same as `run` of `millrace`, as an Effect. To stop the run, interrupt it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Engine, rows } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }], { table: "numbers" })
 * const report = await Effect.runPromise(Engine.run({ source, sinks: { out: memory.with({ name: "numbers" }) } }))
 * console.log(report.status) // "done"
 * ```
 */
export const run = (what: string | Spec, options: Omit<RunOptions, "signal"> = {}) =>
  Effect.flatMap(
    Effect.promise(() => import("./runPipeline.ts")),
    ({ runPipeline }) => runPipeline(what, options)
  )

/**
 * The same as `sql` of `millrace`, as an Effect. To stop the query, interrupt it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Engine, rows } from "millrace"
 * import { duckdb } from "millrace/connectors/duckdb"
 *
 * const db = duckdb.with({ path: "./counted.duckdb" })
 * const counted = Engine.run({ source: rows([{ id: 1 }, { id: 2 }], { table: "people" }), sinks: { db } }).pipe(
 *   Effect.andThen(Engine.sql(db, "SELECT count(*) AS people FROM people")),
 *   Effect.catchTag("SinkError", ({ message }) => Effect.succeed([{ message }]))
 * )
 * console.log(await Effect.runPromise(counted)) // [{ people: 2 }]
 * ```
 */
export const sql = (
  place: string | Sink.Destination<Services>,
  query: string,
  options: Omit<SqlOptions, "signal"> = {}
) =>
  Effect.flatMap(
    Effect.promise(() => import("./askSink.ts")),
    ({ askSink }) => askSink(place, query, options)
  )

/**
 * Journals on disk, the stage, the object stores and the inboxes: all that `Run.run` needs except the client of a service.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Engine, Pipeline, rows, Run } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }], { table: "numbers" })
 * const pipeline = Pipeline.make({ name: "n", source, sinks: { out: memory.with({ name: "n" }) } })
 * console.log((await Effect.runPromise(Effect.provide(Run.run(pipeline), Engine.layer))).status) // "done"
 * ```
 */
export const layer = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./services.ts")),
    ({ journals, parts }) => Layer.mergeAll(parts, journals)
  )
)
