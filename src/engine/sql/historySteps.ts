/**
 * scd2: a staged row whose fingerprint differs from that of the version in force becomes a new version, and closes that one.
 * Two versions of one moment are of one run, so the later takes the place of the earlier.
 *
 * Counts: `inserted` versions, `placed` (those that took the place of a version of this run), and where they are inserted too
 * `reread` (read by another version of a program, and nothing else).
 */
import * as Column from "../Column.ts"
import * as Sink from "../Sink.ts"
import { narrowKey } from "../StoredTable.ts"
import { valuesOf } from "./mergeSteps.ts"
import { isRereadPrint, printed, rewriteSteps, runOf } from "./rewriteSteps.ts"
import {
  areEqual,
  columnList,
  keyColumns,
  keyPairs,
  numberColumn,
  retained,
  type StagedTable,
  scratch,
  staged
} from "./StagedTable.ts"
import { count, refuse, run, type Steps } from "./Step.ts"
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
  const { spelling, target } = table
  const moment = spelling.moment(visit.at)
  const [rows, news] = [staged(table), scratch(table, "news")]
  const reread = isReread(table, true)
  const query = spelling.isColumnar ? printedNewsOf(table, moment) : newsOf(table, moment, reread)
  return [
    ...laterSteps(table, moment),
    ...spelling.keep(news, query, "rows"),
    refuse(
      narrowKey(table.table),
      `SELECT 1 FROM ${rows} AS s JOIN ${target} AS t ON ${areEqual(spelling, keyPairs(table), "s", "t")}
        WHERE s.${numberColumn} IN (SELECT new FROM ${news} WHERE old IS NOT NULL) AND ${inForce(moment)}
        GROUP BY s.${numberColumn} HAVING count(*) > 1 LIMIT 1`
    ),
    ...(spelling.isColumnar ? rewrittenSteps(table, moment, reread) : placedSteps(table, moment, reread)),
    ...removedSteps(table, visit, moment)
  ]
}

/** Changes versions of this moment in their place, closes others, and inserts the new ones. */
const placedSteps = (table: StagedTable, moment: string, reread: string | undefined): Steps => {
  const { rowId, spelling, target } = table
  const [rows, news] = [staged(table), scratch(table, "news")]
  return [
    count("placed", `SELECT count(*) FROM ${news} WHERE in_place = 1 AND is_reread = 0`),
    run(
      spelling.update({
        target,
        set: valuesOf(table, reread === undefined ? undefined : "n.is_reread = 1"),
        from: `${news} AS n JOIN ${rows} AS s ON s.${numberColumn} = n.new`,
        where: `t.${rowId} = n.old AND n.in_place = 1`
      })
    ),
    closeStep(table, moment),
    run(
      `INSERT INTO ${target} (${columnList(table)}, valid_from, valid_to, is_current)
        SELECT ${columnList(table, "s")}, ${moment}, n.until, n.until IS NULL
        FROM ${rows} AS s JOIN ${news} AS n ON s.${numberColumn} = n.new WHERE n.in_place = 0 ORDER BY n.new`,
      "inserted"
    )
  ]
}

const closeStep = (table: StagedTable, moment: string) =>
  run(
    `UPDATE ${table.target} SET valid_to = ${moment}, is_current = FALSE
      WHERE ${table.rowId} IN (SELECT old FROM ${scratch(table, "news")} WHERE old IS NOT NULL AND in_place = 0)`
  )

/** The same, where rows are not changed in their place. */
const rewrittenSteps = (table: StagedTable, moment: string, reread: string | undefined): Steps => {
  const news = scratch(table, "news")
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
const removedSteps = (table: StagedTable, { pipeline, removed }: Visit, moment: string): Steps => {
  if (removed === "keep") return []
  const keys = keyList(table)
  const { rowId, spelling, target } = table
  const seen = run(`INSERT INTO ${retained(table)} (${keys}) SELECT ${keys} FROM ${staged(table)}`)
  if (removed === "watch") return [seen]
  const [one = ""] = keyColumns(table).map(({ name }) => Column.quote(name))
  const unseen = `t.${rowId} IN (SELECT o.${rowId} FROM ${target} AS o LEFT JOIN ${retained(table)} AS r
    ON ${areEqual(spelling, keyPairs(table), "o", "r")} WHERE r.${one} IS NULL)`
  return [
    seen,
    run(
      `UPDATE ${target} AS t SET valid_to = ${moment}, is_current = FALSE
        WHERE ${inForce(moment)}${ofPipeline(table, pipeline)} AND ${unseen}`
    )
  ]
}

/** Undoes a run in the history, whose rows are removed already: opens the versions that it closed. */
export const reopenSteps = (table: StagedTable, { at, pipeline }: Visit): Steps => {
  const { spelling, target } = table
  const moment = spelling.moment(at)
  return [
    ...laterSteps(table, moment),
    run(
      `UPDATE ${target} AS t SET valid_to = NULL, is_current = TRUE WHERE t.valid_to = ${moment}${ofPipeline(table, pipeline)}`
    ),
    run(
      spelling.update({
        target,
        set: [
          ["valid_to", "l.next_from"],
          ["is_current", "FALSE"]
        ],
        from: `${later(table)} AS l`,
        where: `t.is_current = TRUE AND t.valid_from < l.next_from AND ${areEqual(spelling, keyPairs(table), "t", "l")}`
      })
    )
  ]
}

/** When the next version of each key begins, for keys of which a later run has already written a version. */
const laterSteps = (table: StagedTable, moment: string): Steps =>
  table.spelling.keep(
    later(table),
    `SELECT ${keyList(table)}, min(valid_from) AS next_from FROM ${table.target}
      WHERE valid_from > ${moment} GROUP BY ${keyList(table)}`
  )

/**
 * The staged rows that are new, changed or read by another version, with the version that each closes or takes the place of
 * (`in_place`), and the end of its validity.
 */
const newsOf = (table: StagedTable, moment: string, reread: string | undefined): string => {
  const { rowId, spelling, target } = table
  const pairs = keyPairs(table)
  const isRead = reread === undefined ? "FALSE" : `(t.${rowId} IS NOT NULL AND ${reread})`
  const isSaid = `(${areSame(table, fingerprinted(table), "s", "t")} AND ${isWhole(table)})`
  return `SELECT s.${numberColumn} AS new, t.${rowId} AS old,
      CASE WHEN t.valid_from = ${moment} OR ${isRead} THEN 1 ELSE 0 END AS in_place,
      CASE WHEN ${isRead} THEN 1 ELSE 0 END AS is_reread,
      CASE WHEN t.${rowId} IS NULL THEN l.next_from ELSE t.valid_to END AS until
    FROM ${staged(table)} AS s
    LEFT JOIN ${target} AS t ON ${areEqual(spelling, pairs, "s", "t")} AND ${inForce(moment)}
    LEFT JOIN ${later(table)} AS l ON ${areEqual(spelling, pairs, "s", "l")}
    WHERE t.${rowId} IS NULL OR NOT ${isSaid} OR ${isRead}`
}

/** The same by digests, with when each version began and the run that wrote it. */
const printedNewsOf = (table: StagedTable, moment: string): string => {
  const { spelling, target } = table
  const keys = keyColumns(table)
  const columns = fingerprinted(table)
  const keysOf = (side: "s" | "t") =>
    keys.map(({ name, to }, at) => `${spelling.comparable(`${side}.${Column.quote(name)}`, to)} AS k${at}`)
  const sameKey = keys.map((_, at) => `s.k${at} = t.k${at}`).join(" AND ")
  const laterKey = keys
    .map(({ name, to }, at) => `s.k${at} = ${spelling.comparable(`l.${Column.quote(name)}`, to)}`)
    .join(" AND ")
  const isRead =
    rereadOf(table, true) === undefined ? "FALSE" : `coalesce(t.old IS NOT NULL AND ${isRereadPrint}, FALSE)`
  return `SELECT s.new, t.old, CASE WHEN t.valid_from = ${moment} OR ${isRead} THEN 1 ELSE 0 END AS in_place,
      CASE WHEN ${isRead} THEN 1 ELSE 0 END AS is_reread,
      CASE WHEN t.old IS NULL THEN l.next_from ELSE t.valid_to END AS until,
      ${["t.valid_from AS since", ...runOf(table, true)].join(", ")}
    FROM (SELECT ${[...printed(table, "s", columns, true), ...keysOf("s")].join(", ")} FROM ${staged(table)} AS s) AS s
    LEFT JOIN (SELECT ${[...printed(table, "t", columns, true), ...keysOf("t")].join(", ")}, t.valid_from, t.valid_to
      FROM ${target} AS t WHERE ${inForce(moment)}) AS t ON ${sameKey}
    LEFT JOIN ${later(table)} AS l ON ${laterKey}
    WHERE t.old IS NULL OR t.print <> s.print OR NOT t.whole OR ${isRead}`
}

const inForce = (moment: string): string =>
  `t.valid_from <= ${moment} AND (t.valid_to IS NULL OR t.valid_to > ${moment})`
const ofPipeline = ({ spelling }: StagedTable, pipeline: string | undefined): string =>
  pipeline === undefined ? "" : ` AND t.${Sink.pipelineColumn.name} = ${spelling.literal(pipeline)}`
const keyList = (table: StagedTable): string =>
  keyColumns(table)
    .map(({ name }) => Column.quote(name))
    .join(", ")
const later = (table: StagedTable): string => scratch(table, "later")
