/**
 * The planner: for a table, its write disposition and a dialect, the steps of a commit and what their counts mean. It is the one
 * place that says what a disposition is in SQL.
 *
 *     const { counts, steps } = TablePlanner.plan(table, { isEmpty: false, ... })
 *
 * Guarantee: it asks nothing and runs nothing. What it must know of the database is in its arguments.
 */
import type * as Sink from "../Sink.ts"
import { childHistorySteps } from "./childHistorySteps.ts"
import { childSteps } from "./childSteps.ts"
import { duplicateSteps } from "./duplicateSteps.ts"
import { historySteps, reopenSteps, type Visit } from "./historySteps.ts"
import { insertSteps, mergeSteps } from "./mergeSteps.ts"
import { hasRunId, type StagedTable, staged } from "./StagedTable.ts"
import { run, type Steps, type Tally } from "./Step.ts"

export interface Situation {
  /** How many rows are staged. */
  readonly received: number
  /** Whether the stored table has no rows. */
  readonly isEmpty: boolean
  /** Whether neither the table nor another of its family has staged rows. */
  readonly isIdle: boolean
  /** The parent table, if it is written in the same run. */
  readonly parent: StagedTable | undefined
  /** The run whose earlier rows make way; undefined: it was not written before. */
  readonly again: string | undefined
  readonly visit: Visit
}

export interface TableSteps {
  readonly steps: Steps
  /** What happened to the staged rows. */
  readonly counts: (tally: Tally) => Pick<Sink.TableResult, "written" | "unchanged" | "superseded">
}

/** The steps of one table, after those of its parent. replace has steps of its own before them (`replaceSteps.ts`). */
export const plan = (table: StagedTable, situation: Situation): TableSteps => {
  const { again, parent, visit } = situation
  const clear = again === undefined ? [] : clearSteps(table, again)
  const reopen = again !== undefined && table.write === "scd2" ? reopenSteps(table, visit, versioned(parent)) : []
  const { counts, steps } = dispositionOf(table, situation)
  return { steps: [...clear, ...reopen, ...steps], counts }
}

/** Removes the rows that an earlier attempt at a run left. */
export const clearSteps = (table: StagedTable, again: string): Steps =>
  table.write === "replace" || !hasRunId(table)
    ? []
    : [run(`DELETE FROM ${table.target} WHERE _run_id = ${table.spelling.literal(again)}`)]

/** The parent whose versions the rows have, if it is a history. */
const versioned = (parent: StagedTable | undefined) => (parent?.write === "scd2" ? parent : undefined)

const dispositionOf = (table: StagedTable, situation: Situation): TableSteps => {
  const { isEmpty, isIdle, parent, received, visit } = situation
  switch (table.write) {
    case "append":
    case "replace":
      return {
        steps: received === 0 ? [] : insertSteps(table),
        counts: ({ inserted = 0 }) => ({ written: inserted, unchanged: 0, superseded: 0 })
      }
    case "merge":
      return {
        steps: isIdle
          ? []
          : [
              ...counted(table),
              ...duplicateSteps(table, parent),
              ...(isEmpty
                ? insertSteps(table)
                : table.table.parent === undefined || parent === undefined
                  ? mergeSteps(table)
                  : childSteps(table, parent))
            ],
        counts: ({ inserted = 0, reread = 0, same = 0, superseded = 0, updated = 0 }) => ({
          written: inserted + updated - reread,
          unchanged: same + reread,
          superseded
        })
      }
    case "scd2": {
      const above = versioned(parent)
      return {
        steps: [
          ...counted(table),
          ...duplicateSteps(table, above),
          ...(above === undefined ? historySteps(table, visit) : childHistorySteps(table, above, visit))
        ],
        counts: ({ inserted = 0, placed = 0, reread = 0, superseded = 0 }) => {
          const written = inserted + placed - reread
          return { written, unchanged: received - superseded - written, superseded }
        }
      }
    }
  }
}

const counted = (table: StagedTable): Steps => table.spelling.analyzed(staged(table))
