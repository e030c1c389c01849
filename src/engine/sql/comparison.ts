/**
 * How staged rows stand to the stored rows of their keys: only questions, whose answers are temporary tables, so that what is no
 * table, such as a view of files, can be asked too. Keys are joined and digests are compared, never whole rows.
 *
 * The answer has the numbers of both rows, `new` and `old`, and the `state`; where rows have a version of their reading, `run`, which
 * wrote the stored one; and of a history `since` and `until`, when the version began and ends.
 */
import * as Column from "../Column.ts"
import { narrowKey, tellingColumns } from "../StoredTable.ts"
import {
  areEqual,
  hasRunId,
  keyPairs,
  numberColumn,
  type StagedTable,
  scratch,
  staged,
  stagedKeys
} from "./StagedTable.ts"
import { refuse, run, type Steps, when } from "./Step.ts"
import { allOf, type ComparedColumn, compared, digestOf, fingerprinted, isWhole, rereadOf } from "./sameRow.ts"

/** How a staged row stands to the stored row of its key. */
export const [isChanged, isSame, isOtherReading, isNotCompared] = [0, 1, 2, 3]

/** The table of staged rows with the stored rows of their keys, before and after they are compared. */
export const matches = (table: StagedTable): string => scratch(table, "keys")
export const pairs = (table: StagedTable): string => scratch(table, "pairs")

/** Pairs rows and compares them. `inForce`: which versions `t` of a history are paired. `several`: if a key has several rows. */
export const comparisonSteps = (
  table: StagedTable,
  { inForce, several = [] }: { readonly inForce?: string; readonly several?: Steps }
): Steps => {
  const { rowId, spelling, target } = table
  const isHistory = inForce !== undefined
  const columns = isHistory ? fingerprinted(table) : compared(table, table.table.key)
  const reread = rereadOf(table, isHistory)
  const times = isHistory ? ["since", "until"] : []
  const isRead = reread === undefined ? "" : `WHEN ${isRereadPrint} THEN ${isOtherReading}`
  const state = isHistory
    ? `CASE ${isRead} WHEN t.whole AND s.print = t.print THEN ${isSame} ELSE ${isChanged} END`
    : `CASE WHEN p.state = ${isChanged} OR NOT t.whole THEN ${isChanged} WHEN s.print = t.print THEN ${isSame} ${isRead}
      ELSE ${isChanged} END`
  const known = isHistory ? ", t.valid_from AS since, t.valid_to AS until" : ""
  const cells = ["p.new", "p.old", `${state} AS state`, ...times.map((name) => `p.${name}`), ...runOf(table, reread)]
  return [
    ...spelling.keep(
      matches(table),
      `SELECT s.${numberColumn} AS new, t.${rowId} AS old, ${isNotCompared} AS state${known} FROM ${stagedKeys(table)} AS s
        JOIN ${target} AS t ON ${areEqual(spelling, keyPairs(table), "s", "t")}${isHistory ? ` WHERE ${inForce}` : ""}`
    ),
    ...several,
    ...spelling.keep(
      pairs(table),
      `SELECT ${cells.join(", ")} FROM ${matches(table)} AS p
        JOIN (SELECT ${printed(table, "s", columns, reread).join(", ")} FROM ${staged(table)} AS s) AS s ON s.new = p.new
        JOIN (SELECT ${printed(table, "t", columns, reread).join(", ")} FROM ${target} AS t) AS t ON t.old = p.old`,
      "rows"
    )
  ]
}

type Reread = ReturnType<typeof rereadOf>

/** The digests of the rows of one side: `print`, and where rows have a version `version` and `rest`. */
const printed = (
  table: StagedTable,
  side: "s" | "t",
  columns: ReadonlyArray<ComparedColumn>,
  reread: Reread
): ReadonlyArray<string> => {
  const own = side === "s" ? [`s.${numberColumn} AS new`] : [`t.${table.rowId} AS old`, `${isWhole(table)} AS whole`]
  const print = `${digestOf(table, columns, side).join("")} AS print`
  if (reread === undefined) return [...own, print]
  const version = `${side}.${Column.quote(reread.column.name)} AS version`
  const rest = `${digestOf(table, reread.rest, side).join("")} AS rest`
  const stored = [`${reread.absent} AS whole_in_reading`, ...(hasRunId(table) ? ["t._run_id AS run"] : [])]
  return [...own, print, version, rest, ...(side === "t" ? stored : [])]
}

/** That a printed row `s` is the stored row `t`, read by another version. */
const isRereadPrint =
  "(s.version IS NOT NULL AND t.version IS DISTINCT FROM s.version AND s.rest = t.rest AND t.whole_in_reading)"

const runOf = (table: StagedTable, reread: Reread): ReadonlyArray<string> =>
  reread !== undefined && hasRunId(table) ? ["t.run"] : []

/** The keys of which `of` has several stored rows, each with the first of these. */
export const several = (table: StagedTable): string => scratch(table, "several")

/** Several stored rows of one key must be equal in all columns, and become the staged row. `then`: what is done with them. */
export const severalSteps = (table: StagedTable, of: string, then: Steps = []): Steps => {
  const { rowId, spelling, stored, target } = table
  const areAlike = tellingColumns(table.table, stored).map(({ name, type }) => {
    const cell = (of: "s" | "t") => `${of}.${Column.quote(name)}`
    // A type that `Column` lacks may have no comparison.
    const value = (of: "s" | "t") =>
      type === undefined ? spelling.text(cell(of)) : spelling.comparable(cell(of), type)
    return spelling.same(value("s"), value("t"), type ?? { _tag: "VARCHAR" })
  })
  return [
    when(`SELECT 1 FROM ${of} GROUP BY new HAVING count(*) > 1 LIMIT 1`, [
      ...spelling.keep(several(table), `SELECT new, min(old) AS kept FROM ${of} GROUP BY new HAVING count(*) > 1`),
      refuse(
        narrowKey(table.table),
        `SELECT 1 FROM ${several(table)} AS x JOIN ${of} AS p ON p.new = x.new JOIN ${target} AS s ON s.${rowId} = x.kept
        JOIN ${target} AS t ON t.${rowId} = p.old WHERE NOT ${allOf(areAlike)} LIMIT 1`
      ),
      run(`UPDATE ${of} SET state = ${isChanged} WHERE new IN (SELECT new FROM ${several(table)})`),
      ...then
    ])
  ]
}
