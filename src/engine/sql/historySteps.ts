/**
 * scd2: a staged row whose fingerprint differs from that of the version in force becomes a new version, and closes that one.
 * Two versions of one moment are of one run, so the later takes the place of the earlier. Children have the versions of their row
 * (`childHistorySteps.ts`).
 *
 * Counts: `inserted` versions, `placed` (those that took the place of a version of this run), and where they are inserted too
 * `reread` (read by another version of a program, and nothing else).
 */
import * as Column from "../Column.ts"
import { namesOf } from "../Owner.ts"
import * as Sink from "../Sink.ts"
import { narrowKey } from "../StoredTable.ts"
import { comparisonSteps, isOtherReading, isSame, matches, pairs } from "./comparison.ts"
import { valuesOf } from "./mergeSteps.ts"
import * as RowNotes from "./RowNotes.ts"
import { rewriteSteps } from "./rewriteSteps.ts"
import {
  areEqual,
  columnList,
  hasRunId,
  keyColumns,
  keyPairs,
  numberColumn,
  parentPairs,
  retained,
  type StagedTable,
  scratch,
  staged,
  stagedKeys
} from "./StagedTable.ts"
import { count, refuse, run, type Step, type Steps } from "./Step.ts"
import { areSame, fingerprinted, isReread, isWhole, rereadOf } from "./sameRow.ts"

export interface Visit {
  /** When the run began, in microseconds. */
  readonly at: bigint
  /** watch: remember the keys that were seen. close: also close versions of keys that were not. keep: neither. */
  readonly removed: "keep" | "watch" | "close"
  /** In a shared table: the pipeline whose versions may be closed; undefined: the table is not shared. */
  readonly pipeline: string | undefined
}

export const historySteps = (table: StagedTable, visit: Visit): Steps => {
  const { spelling } = table
  const reread = isReread(table, true)
  return [
    ...newsSteps(table, visit),
    ...(spelling.isColumnar ? rewrittenSteps : placedSteps)(table, spelling.moment(visit.at), reread),
    ...removedSteps(table, visit)
  ]
}

/** Finds the new versions. It only asks. */
export const newsSteps = (table: StagedTable, { at }: Pick<Visit, "at">): Steps => {
  const { spelling, target } = table
  const moment = spelling.moment(at)
  const several = spelling.isColumnar
    ? `SELECT 1 FROM ${matches(table)} AS m WHERE m.new IN (SELECT new FROM ${newsOf(table)}) GROUP BY m.new`
    : `SELECT 1 FROM ${staged(table)} AS s JOIN ${target} AS t ON ${areEqual(spelling, keyPairs(table), "s", "t")}
        WHERE s.${numberColumn} IN (SELECT new FROM ${newsOf(table)} WHERE old IS NOT NULL) AND ${inForce(moment)}
        GROUP BY s.${numberColumn}`
  return [
    ...laterSteps(table, moment),
    ...(spelling.isColumnar ? comparisonSteps(table, { inForce: inForce(moment) }) : []),
    ...spelling.keep(newsOf(table), (spelling.isColumnar ? comparedNews : joinedNews)(table, moment), "rows"),
    refuse(narrowKey(table.table), `${several} HAVING count(*) > 1 LIMIT 1`)
  ]
}

/**
 * The table of the staged rows that are `new`, changed or read by another version (`is_reread`), with the `old` version that each
 * closes or takes the place of (`in_place`), when that one began (`since`), and the end of its own validity, `until`.
 */
export const newsOf = (table: StagedTable): string => scratch(table, "news")

/** Changes versions of this moment in their place, closes others, and inserts the new ones. */
const placedSteps = (table: StagedTable, moment: string, reread: string | undefined): Steps => {
  const { rowId, spelling, target } = table
  const [rows, news] = [staged(table), newsOf(table)]
  const values = valuesOf(table, reread === undefined ? undefined : "n.is_reread = 1")
  const from = `${news} AS n JOIN ${rows} AS s ON s.${numberColumn} = n.new`
  const where = `t.${rowId} = n.old AND n.in_place = 1`
  const joined = `JOIN ${news} AS n ON s.${numberColumn} = n.new WHERE n.in_place = 0`
  return [
    count("placed", `SELECT count(*) FROM ${news} WHERE in_place = 1 AND is_reread = 0`),
    ...RowNotes.removed(table, `${rowId} IN (SELECT old FROM ${news} WHERE in_place = 1)`),
    ...RowNotes.updated(table, values, `${target} AS t, ${from} WHERE ${where}`),
    run(spelling.update({ target, set: values, from, where })),
    closeStep(table, moment),
    ...RowNotes.added(table, joined),
    run(
      `INSERT INTO ${target} (${columnList(table)}, valid_from, valid_to, is_current)
        SELECT ${columnList(table, "s")}, ${moment}, n.until, n.until IS NULL
        FROM ${rows} AS s ${joined} ORDER BY n.new`,
      "inserted"
    )
  ]
}

const closeStep = (table: StagedTable, moment: string) =>
  run(
    `UPDATE ${table.target} SET valid_to = ${moment}, is_current = FALSE
      WHERE ${table.rowId} IN (SELECT old FROM ${newsOf(table)} WHERE old IS NOT NULL AND in_place = 0)`
  )

/** The same, where rows are not changed in their place. */
const rewrittenSteps = (table: StagedTable, moment: string, reread: string | undefined): Steps => {
  const news = newsOf(table)
  return [
    ...(reread === undefined ? [] : [count("reread", `SELECT count(*) FROM ${news} WHERE is_reread = 1`)]),
    closeStep(table, moment),
    ...rewriteSteps(table, {
      pairs: news,
      isReread: reread === undefined ? undefined : "p.is_reread = 1",
      isRemoved: "p.in_place = 1",
      isInserted: "p.new IS NOT NULL",
      more: [
        ["valid_from", `CASE WHEN p.in_place = 1 THEN p.since ELSE ${moment} END`],
        ["valid_to", "p.until"],
        ["is_current", "p.until IS NULL"]
      ]
    })
  ]
}

/** Remembers the keys that were seen, and closes the versions of others. */
const removedSteps = (table: StagedTable, visit: Visit): Steps => {
  if (visit.removed === "keep") return []
  if (visit.removed === "watch") return [seenStep(table)]
  const { rowId, spelling, target } = table
  return [
    ...unseenSteps(table, visit),
    run(
      `UPDATE ${target} SET valid_to = ${spelling.moment(visit.at)}, is_current = FALSE
        WHERE ${rowId} IN (SELECT old FROM ${unseenOf(table)})`
    )
  ]
}

const seenStep = (table: StagedTable): Step => {
  const keys = keyList(table)
  return run(`INSERT INTO ${retained(table)} (${keys}) SELECT ${keys} FROM ${stagedKeys(table)}`)
}

/** Remembers the keys that were seen. close: also finds the versions in force of other keys. It only asks. */
export const unseenSteps = (table: StagedTable, { at, pipeline, removed }: Visit): Steps => {
  const { rowId, spelling, target } = table
  const keys = keyColumns(table).map(({ name }) => Column.quote(name))
  if (removed !== "close") return [seenStep(table)]
  return [
    seenStep(table),
    ...spelling.keep(
      unseenOf(table),
      `SELECT t.${rowId} AS old, t.valid_from AS since, ${keys.map((name) => `t.${name}`).join(", ")}
        FROM ${target} AS t LEFT JOIN ${retained(table)} AS r ON ${areEqual(spelling, keyPairs(table), "t", "r")}
        WHERE ${inForce(spelling.moment(at))}${ofPipeline(table, pipeline)} AND r.${keys[0]} IS NULL`
    )
  ]
}

/** The table of the `old` versions that end because the run did not see their keys, with these, `since` when they are in force. */
export const unseenOf = (table: StagedTable): string => scratch(table, "unseen")

/** Undoes a run in the history, whose rows are removed already: opens the versions that it closed. */
export const reopenSteps = (table: StagedTable, visit: Visit, parent?: StagedTable): Steps => {
  const { rowId, spelling, target } = table
  return [
    ...reopeningSteps(table, visit, parent),
    run(
      spelling.update({
        target,
        set: [
          ["valid_to", "r.until"],
          ["is_current", "r.until IS NULL"]
        ],
        from: `${reopened(table)} AS r`,
        where: `t.${rowId} = r.old`
      })
    )
  ]
}

/** Finds the versions that the run closed. Of children, after the steps of their parent. It only asks. */
export const reopeningSteps = (
  table: StagedTable,
  { at, pipeline }: Omit<Visit, "removed">,
  parent?: StagedTable
): Steps => {
  const { rowId, spelling, target } = table
  const moment = spelling.moment(at)
  const pairs = parent === undefined ? keyPairs(table) : parentPairs(table, parent)
  return [
    ...(parent === undefined ? laterSteps(table, moment) : []),
    ...spelling.keep(
      reopened(table),
      `SELECT t.${rowId} AS old, l.next_from AS until FROM ${target} AS t
        LEFT JOIN ${later(parent ?? table)} AS l ON ${areEqual(spelling, pairs, "t", "l")}
        WHERE t.valid_to = ${moment}${ofPipeline(table, pipeline)}`
    )
  ]
}

/** The table of the `old` versions that are open again, `until` the next version of their key. */
export const reopened = (table: StagedTable): string => scratch(table, "reopened")

/** When the next version of each key begins, for keys of which a later run has already written a version. */
const laterSteps = (table: StagedTable, moment: string): Steps =>
  table.spelling.keep(
    later(table),
    `SELECT ${keyList(table)}, min(valid_from) AS next_from FROM ${table.target}
      WHERE valid_from > ${moment} GROUP BY ${keyList(table)}`
  )

/** The news, where whole rows are joined. */
const joinedNews = (table: StagedTable, moment: string): string => {
  const { rowId, spelling, target } = table
  const pairs = keyPairs(table)
  const reread = isReread(table, true)
  const isRead = reread === undefined ? "FALSE" : `(t.${rowId} IS NOT NULL AND ${reread})`
  const isSaid = `(${areSame(table, fingerprinted(table), "s", "t")} AND ${isWhole(table)})`
  const run = reread !== undefined && hasRunId(table) ? ", t._run_id AS run" : ""
  return `SELECT s.${numberColumn} AS new, t.${rowId} AS old, t.valid_from AS since${run},
      CASE WHEN t.valid_from = ${moment} OR ${isRead} THEN 1 ELSE 0 END AS in_place,
      CASE WHEN ${isRead} THEN 1 ELSE 0 END AS is_reread,
      CASE WHEN t.${rowId} IS NULL THEN l.next_from ELSE t.valid_to END AS until
    FROM ${staged(table)} AS s
    LEFT JOIN ${target} AS t ON ${areEqual(spelling, pairs, "s", "t")} AND ${inForce(moment)}
    LEFT JOIN ${later(table)} AS l ON ${areEqual(spelling, pairs, "s", "l")}
    WHERE t.${rowId} IS NULL OR NOT ${isSaid} OR ${isRead}`
}

/** The same of compared pairs, with when each version began and the run that wrote it. */
const comparedNews = (table: StagedTable, moment: string): string => {
  const run = rereadOf(table, true) !== undefined && hasRunId(table) ? ", p.run" : ""
  return `SELECT s.${numberColumn} AS new, p.old, p.since${run},
      CASE WHEN p.since = ${moment} OR p.state = ${isOtherReading} THEN 1 ELSE 0 END AS in_place,
      CASE WHEN p.state = ${isOtherReading} THEN 1 ELSE 0 END AS is_reread,
      CASE WHEN p.old IS NULL THEN l.next_from ELSE p.until END AS until
    FROM ${stagedKeys(table)} AS s LEFT JOIN ${pairs(table)} AS p ON p.new = s.${numberColumn}
    LEFT JOIN ${later(table)} AS l ON ${areEqual(table.spelling, keyPairs(table), "s", "l")}
    WHERE p.old IS NULL OR p.state <> ${isSame}`
}

const inForce = (moment: string): string =>
  `t.valid_from <= ${moment} AND (t.valid_to IS NULL OR t.valid_to > ${moment})`
const ofPipeline = ({ spelling }: StagedTable, pipeline: string | undefined): string => {
  if (pipeline === undefined) return ""
  const [one = "", ...others] = namesOf(pipeline).map(spelling.literal)
  const are = others.length === 0 ? `= ${one}` : `IN (${[one, ...others].join(", ")})`
  return ` AND t.${Sink.pipelineColumn.name} ${are}`
}
const keyList = (table: StagedTable): string =>
  keyColumns(table)
    .map(({ name }) => Column.quote(name))
    .join(", ")
const later = (table: StagedTable): string => scratch(table, "later")
