/**
 * scd2 of a child table: children have the versions of their row. Those of a new version are inserted with its times, those of a version
 * that ends end with it, and those of a row without a new version stay as they are. So a child and its row are joined by the key of the
 * row and `valid_from`.
 *
 * A version that takes the place of another takes the place of its children too. Counts: `inserted`, `reread`.
 */
import * as Column from "../Column.ts"
import { newsOf, unseenOf, type Visit } from "./historySteps.ts"
import * as RowNotes from "./RowNotes.ts"
import { removeSteps } from "./rewriteSteps.ts"
import {
  areEqual,
  columnList,
  hasRunId,
  numberColumn,
  parentPairs,
  type StagedTable,
  scratch,
  staged,
  stagedKeys
} from "./StagedTable.ts"
import { count, run, type Steps } from "./Step.ts"
import { rereadOf } from "./sameRow.ts"

/** After the steps of the parent. */
export const childHistorySteps = (table: StagedTable, parent: StagedTable, visit: Visit): Steps => {
  const { rowId, spelling, target } = table
  const [news, ended] = [newsOf(table), endedOf(table)]
  const runId = keepsRun(table, parent) ? "CASE WHEN n.is_reread = 1 THEN n.run ELSE s._run_id END" : undefined
  const values = table.columns.map(({ name }) =>
    name === "_run_id" && runId !== undefined ? runId : `s.${Column.quote(name)}`
  )
  const joined = `JOIN ${news} AS n ON n.new = s.${numberColumn}`
  return [
    ...childNewsSteps(table, parent, visit),
    count("reread", `SELECT count(*) FROM ${news} WHERE is_reread = 1`),
    ...removeSteps(table, `${rowId} IN (SELECT old FROM ${ended} WHERE in_place = 1)`),
    run(
      `UPDATE ${target} SET valid_to = ${spelling.moment(visit.at)}, is_current = FALSE
        WHERE ${rowId} IN (SELECT old FROM ${ended} WHERE in_place = 0)`
    ),
    ...RowNotes.added(table, joined, runId),
    run(
      `INSERT INTO ${target} (${columnList(table)}, valid_from, valid_to, is_current)
        SELECT ${values.join(", ")}, n.since, n.until, n.until IS NULL
        FROM ${staged(table)} AS s ${joined}${spelling.inOrder("n.new")}`,
      "inserted",
      "insertions"
    )
  ]
}

/**
 * Finds the staged children of new versions (`newsOf`, of which `since` is when the child is in force), and the stored children that end.
 * It only asks.
 */
export const childNewsSteps = (table: StagedTable, parent: StagedTable, visit: Visit): Steps => {
  const { spelling } = table
  const pairs = parentPairs(table, parent)
  const runColumn = keepsRun(table, parent) ? ", n.run" : ""
  return [
    ...spelling.keep(
      newsOf(table),
      `SELECT s.${numberColumn} AS new, n.is_reread${runColumn}, n.until,
          CASE WHEN n.in_place = 1 THEN n.since ELSE ${spelling.moment(visit.at)} END AS since
        FROM ${stagedKeys(table)} AS s JOIN ${stagedKeys(parent)} AS p ON ${areEqual(spelling, pairs, "s", "p")}
        JOIN ${newsOf(parent)} AS n ON n.new = p.${numberColumn}`
    ),
    ...endedSteps(table, parent, visit)
  ]
}

/** The table of the `old` children whose version ends, or makes place for another (`in_place`). */
export const endedOf = (table: StagedTable): string => scratch(table, "ended")

/** Children from before there were versions are in force since 1970, and end with the first version of their row that ends. */
const endedSteps = (table: StagedTable, parent: StagedTable, visit: Visit): Steps => {
  const { rowId, spelling, target } = table
  const pairs = parentPairs(table, parent)
  const keys = pairs.map(({ other }) => `p.${Column.quote(other)}`).join(", ")
  const unseen = pairs.map(({ other }) => `u.${Column.quote(other)}`).join(", ")
  const versions = `SELECT ${keys}, n.since, n.in_place FROM ${newsOf(parent)} AS n
      JOIN ${stagedKeys(parent)} AS p ON n.new = p.${numberColumn} WHERE n.old IS NOT NULL
    ${visit.removed === "close" ? `UNION ALL SELECT ${unseen}, u.since, 0 AS in_place FROM ${unseenOf(parent)} AS u` : ""}`
  return spelling.keep(
    endedOf(table),
    `SELECT t.${rowId} AS old, v.in_place FROM ${target} AS t JOIN (${versions}) AS v
      ON ${areEqual(spelling, pairs, "t", "v")}
      AND t.valid_from <= v.since AND (t.valid_to IS NULL OR t.valid_to > v.since)`
  )
}

/** Whether children of a row that is only read by another version keep the run of the stored row. */
const keepsRun = (table: StagedTable, parent: StagedTable): boolean =>
  hasRunId(table) && hasRunId(parent) && rereadOf(parent, true) !== undefined
