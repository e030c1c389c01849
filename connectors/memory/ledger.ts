/** What the sink keeps beside the rows: the checkpoint of each pipeline, its runs, and the owners of tables. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import * as Database from "./Database.ts"
import type { Options } from "./options.ts"

export const runs = (options: Options) => Effect.sync(() => [...Database.read(Database.nameOf(options)).runs.values()])

/** The checks and profiles of these runs. */
export const details = (options: Options, _directory: string, runIds: ReadonlyArray<string>) =>
  Effect.sync(() => runIds.flatMap((id) => Database.read(Database.nameOf(options)).details.get(id) ?? []))

export const owners = (options: Options) => Effect.sync(() => Database.read(Database.nameOf(options)).owners)

/** The checkpoint of the last commit of a pipeline. */
export const resume = ({ checkpoints }: Database.Database, pipeline: string) =>
  Option.fromUndefinedOr(checkpoints.get(pipeline))

/** What is known of a stored table; undefined: it does not exist. */
export const held = ({ owners, tables }: Database.Database, table: string): Owner.Held | undefined => {
  const stored = tables.get(table)
  const isShared = stored?.columns.some(({ name }) => name === Sink.pipelineColumn.name) ?? false
  return stored && { owner: owners.get(table), shared: isShared }
}

/** The database with the records of a commit. */
export const record = (database: Database.Database, plan: Sink.Plan, commit: Sink.Commit): Database.Database => {
  const { checkpoint, checks, profiles = [], run } = commit
  const runs = new Map(database.runs)
  // A run that commits again moves to the position of its last commit.
  runs.delete(run.runId)
  const owner = Sink.ownerOf(plan.pipeline)
  return {
    ...database,
    checkpoints: new Map(database.checkpoints).set(plan.pipeline, checkpoint),
    runs: runs.set(run.runId, run),
    details: new Map(database.details).set(run.runId, { runId: run.runId, checks, profiles }),
    owners: new Map([...plan.tables.map(({ table }) => [table.name, owner] as const), ...database.owners])
  }
}
