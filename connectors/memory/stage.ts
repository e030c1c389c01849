/** The rows of a run that wait for the commit: a list for each table, which readers do not see. */
import * as Effect from "effect/Effect"
import * as RowTable from "#engine/RowTable"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import type * as Database from "./Database.ts"
import { attempt, failure } from "./failure.ts"

export type Stage = RowTable.RowStage

/** Makes the stage; it fails if the stored table cannot be written as planned. */
export const of = (
  { tables }: Database.Database,
  plan: Sink.Plan,
  planned: Sink.TablePlan
): Effect.Effect<Stage, Sink.SinkError> => {
  const stored = tables.get(planned.table.name)
  const fault = RowTable.fault(planned, stored, plan.evolve)
  return fault === undefined ? Effect.succeed(RowTable.stage(planned, stored, plan)) : failure(fault)
}

export const write = (stage: Stage, rows: ReadonlyArray<Table.Row>, batch: number) =>
  attempt(() => RowTable.add(stage, rows, batch))

/** Takes keys whose rows this run could not read. */
export const retainKeys = (stage: Stage, keys: ReadonlyArray<Table.Row>) =>
  Effect.sync(() => keys.forEach((key) => stage.retained.push(key)))
