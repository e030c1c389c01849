/**
 * How staged rows stand to the stored rows of their keys: only questions, whose answers are temporary tables, so that what is no
 * table, such as a view of files, can be asked too. Keys are joined and digests are compared, never whole rows. Numbers and times are
 * compared first: a row whose time is another has changed, and nobody reads its texts.
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
const narrowed = (table: StagedTable): string => scratch(table, "narrowed")
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
  const narrow = narrowOf(columns, reread)
  const known = isHistory ? ", t.valid_from AS since, t.valid_to AS until" : ""
  const moreCells = [
    ...(isHistory ? ["p.since", "p.until"] : []),
    ...(reread !== undefined && hasRunId(table) ? ["t._run_id AS run"] : [])
  ]
  const compare = (of: string, by: ReadonlyArray<ComparedColumn>, state: string) =>
    `SELECT ${["p.new", "p.old", `${state} AS state`, ...moreCells].join(", ")} FROM ${of} AS p
      JOIN (SELECT ${printed(table, by, reread).join(", ")} FROM ${staged(table)} AS s) AS s ON s.new = p.new
      JOIN ${target} AS t ON t.${rowId} = p.old`
  const narrowly = `CASE WHEN p.state = ${isChanged} OR s.print <> ${digestIn(table, narrow, "t")} THEN ${isChanged} ELSE p.state END`
  const decided = `SELECT * FROM ${narrowed(table)} WHERE state = ${isChanged} UNION ALL`
  const fully = stateOf(table, columns, reread, isHistory)
  return [
    ...spelling.keep(
      matches(table),
      `SELECT s.${numberColumn} AS new, t.${rowId} AS old, ${isNotCompared} AS state${known} FROM ${stagedKeys(table)} AS s
        JOIN ${target} AS t ON ${areEqual(spelling, keyPairs(table), "s", "t")}${isHistory ? ` WHERE ${inForce}` : ""}`
    ),
    ...several,
    ...(narrow.length === 0
      ? spelling.keep(pairs(table), compare(matches(table), columns, fully), "rows")
      : [
          ...spelling.keep(narrowed(table), compare(matches(table), narrow, narrowly), "rows"),
          ...spelling.keep(
            pairs(table),
            `${decided} ${compare(narrowed(table), columns, fully)} WHERE p.state <> ${isChanged}`,
            "rows"
          )
        ])
  ]
}

type Reread = ReturnType<typeof rereadOf>

/** How a printed row `s` stands to the stored row `t` of its key. */
const stateOf = (
  table: StagedTable,
  columns: ReadonlyArray<ComparedColumn>,
  reread: Reread,
  isHistory: boolean
): string => {
  const whole = isWhole(table)
  const same = `s.print = ${digestIn(table, columns, "t")}`
  const isRead = reread === undefined ? "" : `WHEN ${isRereadPrint(table, reread)} THEN ${isOtherReading}`
  return isHistory
    ? `CASE ${isRead} WHEN ${whole} AND ${same} THEN ${isSame} ELSE ${isChanged} END`
    : `CASE WHEN p.state = ${isChanged} OR NOT ${whole} THEN ${isChanged} WHEN ${same} THEN ${isSame} ${isRead}
      ELSE ${isChanged} END`
}

/** The digests of a staged row: `print`, and where rows have a version `version` and `rest`. */
const printed = (table: StagedTable, columns: ReadonlyArray<ComparedColumn>, reread: Reread): ReadonlyArray<string> => [
  `s.${numberColumn} AS new`,
  `${digestIn(table, columns, "s")} AS print`,
  ...(reread === undefined
    ? []
    : [`s.${Column.quote(reread.column.name)} AS version`, `${digestIn(table, reread.rest, "s")} AS rest`])
]

const digestIn = (table: StagedTable, columns: ReadonlyArray<ComparedColumn>, side: "s" | "t"): string =>
  digestOf(table, columns, side).join("")

/** That a printed row `s` is the stored row `t`, read by another version. */
const isRereadPrint = (table: StagedTable, { absent, column, rest }: NonNullable<Reread>): string =>
  `(s.version IS NOT NULL AND t.${Column.quote(column.name)} IS DISTINCT FROM s.version
    AND s.rest = ${digestIn(table, rest, "t")} AND ${absent})`

/** The columns whose difference alone says that a row has changed, if they cost little beside the others: numbers and times. */
const narrowOf = (columns: ReadonlyArray<ComparedColumn>, reread: Reread): ReadonlyArray<ComparedColumn> => {
  const telling = columns.filter(({ name }) => reread === undefined || reread.rest.some((other) => other.name === name))
  const narrow = telling.filter(({ to }) => isNarrow(to))
  return narrow.length === columns.length ? [] : narrow
}

const isNarrow = ({ _tag }: Column.ColumnType): boolean => !["VARCHAR", "JSON", "STRUCT", "LIST"].includes(_tag)

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
