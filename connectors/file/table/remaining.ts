/**
 * Which rows of other runs a commit keeps.
 *
 * A new row replaces the row of its key, and its children replace the children of that row. Rows that the run neither wrote
 * nor retained are removed only if the run was complete. The keys of a run are kept in memory only if they are needed: if it
 * was not complete, or retains rows.
 */
import * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import type { Stage } from "../stage.ts"

type Remaining = "all" | "none" | ((row: Table.Row) => boolean)

interface Circumstances {
  readonly plan: Sink.Plan
  /** The stage of the parent table. */
  readonly parent: Stage | undefined
  readonly isComplete: boolean
  readonly isFirst: boolean
  /** The rows that this run wrote into a table, in this commit and in earlier ones. */
  readonly written: (stage: Stage) => AsyncIterable<ReadonlyArray<Table.Row>>
}

/** Which rows of earlier runs stay, and which of them replace counts as kept. */
export const remaining = async (
  stage: Stage,
  { isComplete, isFirst, parent, plan, written }: Circumstances
): Promise<{ readonly rows: Remaining; readonly isOurs: (row: Table.Row) => boolean }> => {
  const owners = Owner.namesOf(plan.pipeline)
  const isShared = plan.shared === true
  const isOurs = (row: Table.Row) => !isShared || owners.includes(String(row[Sink.pipelineColumn.name]))
  // In a replay, the first commit removes the rows that this run wrote before.
  const isAgain = isFirst && plan.again === true
  const isOther = (row: Table.Row) => row["_run_id"] !== plan.runId
  if (stage.write === "append") return { rows: isAgain ? isOther : "all", isOurs }

  const retention = await keptByReplace(stage, parent, isComplete, written)
  if (!isShared && (retention === "none" || (retention === "all" && !isAgain))) return { rows: retention, isOurs }
  const isKept = retention === "none" ? () => false : retention === "all" ? () => true : retention
  return { rows: (row) => (!isAgain || isOther(row)) && (!isOurs(row) || isKept(row)), isOurs }
}

const keptByReplace = async (
  stage: Stage,
  parent: Stage | undefined,
  isComplete: boolean,
  written: Circumstances["written"]
): Promise<Remaining> => {
  const on = parent === undefined ? undefined : stage.table.parent?.on
  // Without a key or a parent, no stored row can be found for a staged one.
  const [ours, theirs] = on === undefined ? [stage.table.key, stage.table.key] : [Object.keys(on), Object.values(on)]
  const keyed = on === undefined || parent === undefined ? stage : parent
  if (ours.length === 0) return isComplete ? "none" : "all"
  if (isComplete && keyed.retained.length === 0) return "none"
  const stays = new Set(keyed.retained.map((row) => Table.keyText(row, theirs)))
  const goes = new Set<string>()
  for await (const rows of written(keyed)) for (const row of rows) goes.add(Table.keyText(row, theirs))
  return (row) => {
    // No row is known to be another one without a key.
    if (Table.lacksKey(row, ours)) return !isComplete
    const key = Table.keyText(row, ours)
    return !goes.has(key) && (!isComplete || stays.has(key))
  }
}
