/**
 * The states of a stored table after two loads, as conditions in SQL, and how they differ.
 *
 * A history has every state, by the times of its versions. A table with append has the rows of each run, by `_run_id`. A
 * table with merge has the runs that wrote its rows, and not their earlier values, so the result is not whole. A table with
 * replace has its last load only.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Column from "./Column.ts"
import type * as Difference from "./Difference.ts"
import { type Database, literal } from "./Duckdb.ts"
import { type Compared, compare } from "./duckdbCompare.ts"
import * as Sink from "./Sink.ts"
import * as Table from "./Table.ts"

interface States {
  /** The condition of the rows in the older state. */
  readonly old: Condition
  readonly new: Condition
  readonly basis: string
  readonly whole: boolean
  readonly latest: boolean
}
export interface Condition {
  readonly where: string
  /** The runs whose rows belong to the state, if only the last row of each key does. */
  readonly runs?: ReadonlyArray<string>
}

/** The states, or why the older one is not known. `inForce`: the condition that a version was in force at a moment. */
export const statesOf = (
  ask: Difference.DiffRequest,
  columns: ReadonlyArray<Column.Column>,
  isHistory: boolean,
  inForce: (micros: bigint) => string
): States | string => {
  const { from, incremental, runs, table, to, write } = ask
  if (isHistory) {
    return {
      old: { where: inForce(from.startedAt) },
      new: { where: inForce(to.startedAt) },
      basis: "the history of the table",
      whole: true,
      latest: false
    }
  }
  if (Column.named(columns, "_run_id") === undefined)
    return "its rows have no `_run_id`, so the run of each row is not known"
  const ids = runs.map(({ runId }) => runId)
  const upTo = (run: Sink.RunRecord) => ids.slice(0, ids.indexOf(run.runId) + 1)
  const [before, after] = [upTo(from), upTo(to)]
  if (write === "append" && incremental) {
    return {
      old: { where: ofRuns(before), runs: before },
      new: { where: ofRuns(after), runs: after },
      basis: `the rows of all runs up to each load${table.key.length > 0 ? ", the last row of each key" : ""}`,
      whole: true,
      latest: table.key.length > 0
    }
  }
  if (write === "append") {
    return {
      old: { where: ofRuns([from.runId]) },
      new: { where: ofRuns([to.runId]) },
      basis: "the rows that each run added",
      whole: true,
      latest: false
    }
  }
  if (write === "replace") {
    return (
      "every run replaces it, so it has its last load only, and the older one is gone; " +
      "write it with scd2 or append, or keep a parquet sink beside it, whose manifests keep every load"
    )
  }
  const between = after.slice(before.length)
  if (between.length === 0) return `it is merged, and does not keep its rows from before run ${from.runId}`
  return {
    old: { where: "FALSE" },
    new: { where: ofRuns(between) },
    basis:
      "it is merged, and does not keep earlier values: these are the rows that runs after the older load wrote " +
      "and no later run wrote again; removed rows are not known; write it with scd2 to have both states",
    whole: false,
    latest: false
  }
}

interface Sides {
  readonly ask: Difference.DiffRequest
  readonly columns: ReadonlyArray<Column.Column>
  readonly states: States
  /** The relations of the two states, as `compare` needs them. */
  readonly old: string
  readonly new: string
  readonly failed: (cause: unknown) => Sink.SinkError
}

/** How the states differ, as far as they are known. */
export const differencesOf = (database: Database, { ask, columns, failed, new: after, old, states }: Sides) => {
  const named = (names: ReadonlyArray<string>) => names.flatMap((name) => Column.named(columns, name) ?? [])
  const { basis, latest, whole } = states
  const compared = compare(database, {
    old,
    new: after,
    key: named(ask.table.key),
    compared: named(ask.compared),
    // In a history, both states have the same row if it was only read by another version.
    reading: Sink.isHistory(columns) ? undefined : Table.readingIn(ask.table, columns),
    unique: ask.write !== "append" || latest,
    limit: ask.limit,
    by: ask.by
  })
  return Effect.mapBoth(compared, {
    onFailure: failed,
    onSuccess: ({ changes, counts, ...others }): Difference.Differences => ({
      ...others,
      basis,
      whole,
      counts: countsOf(counts, whole),
      changes: changes.pipe(
        Stream.map((change): Difference.Change => (whole ? change : { ...change, kind: "written" })),
        Stream.mapError(failed)
      )
    })
  })
}

const countsOf = ({ added, changed, removed }: Compared["counts"], whole: boolean): Difference.Differences["counts"] =>
  whole ? { added, removed, changed, written: 0 } : { added: 0, removed: 0, changed: 0, written: added }

export const ofRuns = (ids: ReadonlyArray<string>): string => `_run_id IN (${ids.map(literal).join(", ")})`
