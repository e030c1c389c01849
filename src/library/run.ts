/**
 * `run` and `sql` as promises, for programs without Effect. The modules that do the work are loaded at the first call.
 *
 *     await run({ source: rows([{ id: 1 }], { table: "people" }), sinks: { db: duckdb.with({ path: "./my.duckdb" }) } })
 *     await sql("./pipeline.yaml", "SELECT count(*) AS people FROM people")
 *
 * A promise is rejected with the tagged error itself: `_tag` names its kind, and `message` says what to do. If a check holds
 * the run or a destination misses it, the promise is not rejected: `status` of the report says so.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Run from "#engine/Run"
import type * as Sink from "#engine/Sink"
import type { SqlOptions } from "./askSink.ts"
import * as Engine from "./Engine.ts"
import type { RunOptions, Spec } from "./runPipeline.ts"
import type { Services } from "./services.ts"

export type { SqlOptions } from "./askSink.ts"
export type { RunOptions, Spec } from "./runPipeline.ts"

/**
 * Runs a pipeline file or a pipeline: continues the unfinished run if there is one, and otherwise starts a run. The promise
 * resolves to the report.
 *
 * It is rejected with the error itself, whose `_tag` is one of (`PipelineFileError`, `StartError`, `PlanError`,
 * `SourceError`, `SinkError`, `StageError`, `JournalError`, `ContractError`, `AccountingError` or `CountError`). A run
 * that a check holds does not reject it: its report has the status "held".
 *
 * @example
 * ```ts
 * import { rows, run } from "millrace"
 * import { duckdb } from "millrace/connectors/duckdb"
 *
 * const report = await run({
 *   source: rows([{ id: 1, name: "Ada" }], { table: "people", key: "id" }),
 *   sinks: { db: duckdb.with({ path: "./people.duckdb" }) }
 * })
 * console.log(report.status, report.rows) // "done" { people: 1, people__rejects: 0 }
 * ```
 */
export const run = async (what: string | Spec, options: RunOptions = {}): Promise<Run.Report> => {
  return promised(Engine.run(what, options), options)
}

/**
 * Queries a destination, or a sink of a pipeline file, with SQL. A row is an object of JSON values; a whole number beyond 2^53
 * is a bigint, times and dates are ISO 8601 text. Nothing is written.
 *
 * The promise is rejected with `SinkError` if the query is invalid, and with `StartError` if the result has more rows than
 * `maxRows` or no such sink can be queried. An invalid file is a `PipelineFileError`.
 *
 * @example
 * ```ts
 * import { sql } from "millrace"
 * import { duckdb } from "millrace/connectors/duckdb"
 *
 * const people = await sql(duckdb.with({ path: "./people.duckdb" }), "SELECT name FROM people ORDER BY name")
 * console.log(people) // [{ name: "Ada" }]
 * ```
 */
export const sql = async (
  place: string | Sink.Destination<Services>,
  query: string,
  options: SqlOptions = {}
): Promise<Array<Record<string, unknown>>> => {
  return promised(Engine.sql(place, query, options), options)
}

const promised = async <A, E>(effect: Effect.Effect<A, E>, { signal }: Pick<RunOptions, "signal">): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  throw signal?.aborted === true && Cause.hasInterruptsOnly(exit.cause) ? signal.reason : Cause.squash(exit.cause)
}
