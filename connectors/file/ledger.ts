/** What the sink keeps beside the rows: the checkpoint of each pipeline, its runs, and the owners of tables. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Checkpoint from "#engine/Checkpoint"
import { named } from "#engine/Column"
import type * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import { attempt } from "./failure.ts"
import { look, rootOf } from "./folder/openFolder.ts"
import { runOf, type State } from "./folder/State.ts"
import * as Versions from "./folder/Versions.ts"
import type { Options } from "./options.ts"

const records = (options: Options, directory: string) => {
  const root = rootOf(options, directory)
  return attempt(`cannot read ${root}`, () => Versions.records(root))
}

/** The runs that have committed, in the order of their last commits. */
export const runs = (options: Options, directory: string) =>
  Effect.map(records(options, directory), (all) => {
    const last = new Map<string, Sink.RunRecord>()
    for (const record of all) {
      const run = runOf(record)
      // A run that commits again moves to the position of its last commit.
      last.delete(run.runId)
      last.set(run.runId, run)
    }
    return [...last.values()]
  })

/** The checks and profiles of these runs: those of the last commit of each. */
export const details = (options: Options, directory: string, runIds: ReadonlyArray<string>) =>
  Effect.map(records(options, directory), (all): ReadonlyArray<Sink.RunDetails> => {
    const last = new Map(all.map((record) => [record.run.run_id, record]))
    return runIds.flatMap((runId) => {
      const found = last.get(runId)
      return found === undefined ? [] : [{ runId, checks: found.checks, profiles: found.profiles, bytes: found.bytes }]
    })
  })

/** The pipeline that owns each table. */
export const owners = (options: Options, directory: string) =>
  Effect.map(
    look(rootOf(options, directory)),
    (found) => new Map(Object.entries(found?.state.tables ?? {}).map(([name, { owner }]) => [name, owner] as const))
  )

/** The checkpoint of the last commit of a pipeline. */
export const resume = (state: State | undefined, pipeline: string): Option.Option<Checkpoint.Stored> =>
  Option.map(Option.fromUndefinedOr(state?.checkpoints[pipeline]), ({ run_id, state }) => ({ runId: run_id, state }))

/** What is known of a stored table; undefined: it does not exist. */
export const held = (state: State | undefined, table: string): Owner.Held | undefined => {
  const stored = state?.tables[table]
  return stored && { owner: stored.owner, shared: named(stored.columns, Sink.pipelineColumn.name) !== undefined }
}
