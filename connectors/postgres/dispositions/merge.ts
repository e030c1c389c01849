/**
 * Merges the staged rows into a table.
 *
 * A staged row replaces the stored row with its key, unless the two are equal: then the stored row stays. The staged children
 * of a row replace all its stored children, but equal children stay.
 */

import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as StoredTable from "#engine/StoredTable"
import { failure } from "../failure.ts"
import type * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import * as catalog from "../server/catalog.ts"
import { columnList, hasRunId, keep, rowNumber, type Stage, scratch, staged } from "../stage.ts"
import { dropDuplicates, parentPairs } from "./dropDuplicates.ts"
import { isReread, keyPairs, rowDigest, sameKey, saysSame } from "./sameRow.ts"

/** What happened to the staged rows. */
export interface Settled {
  readonly written: number
  readonly unchanged: number
  readonly superseded: number
}

/** Merges one table. Merge parents before their children; the rows of a parent stay staged. */
export const merge = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  stage: Stage,
  parent?: Stage
) {
  const superseded = yield* dropDuplicates(connection, stage, parent)
  if (yield* catalog.isEmpty(connection, stage.target)) {
    const insert = `INSERT INTO ${stage.target} (${columnList(stage)}) SELECT ${columnList(stage)} FROM ${staged(stage)}`
    return { written: yield* connection.run(insert), unchanged: 0, superseded }
  }
  const isPaired = stage.table.parent === undefined || parent === undefined
  const { reread, unchanged } = yield* isPaired
    ? removeChanged(connection, place, stage)
    : removeChildren(connection, stage, parent)
  const values = stage.shape.columns.map(({ name }) =>
    name === "_run_id" && reread > 0
      ? "CASE WHEN a.new IS NULL THEN s._run_id ELSE a.run END"
      : `s.${Column.quote(name)}`
  )
  // A row has the values of the row that it replaces in columns that are somebody else's.
  const foreign = isPaired ? stage.prepared.foreign.map(Column.quote) : []
  const names = [columnList(stage), ...foreign].join(", ")
  const written = yield* connection.run(
    `INSERT INTO ${stage.target} (${names})
      SELECT ${[...values, ...foreign.map((name) => `f.${name}`)].join(", ")} FROM ${staged(stage)} AS s
      LEFT JOIN ${same(stage)} AS a ON a.new = s.${rowNumber}
      ${foreign.length === 0 ? "" : `LEFT JOIN ${scratch(stage, "foreign")} AS f ON f.new = s.${rowNumber}`}
      WHERE a.is_same IS DISTINCT FROM true`
  )
  return { written: written - reread, unchanged: unchanged + reread, superseded }
})

/** Removes stored rows whose keys were staged and that differ, or were read by another version. */
const removeChanged = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  stage: Stage
) {
  const pairs = scratch(stage, "pairs")
  const reread = isReread(stage)
  const run = reread !== undefined && hasRunId(stage) ? "t._run_id" : "NULL::text"
  yield* keep(
    connection,
    pairs,
    `SELECT s.${rowNumber} AS new, t.ctid AS old, ${saysSame(stage)} AS is_same,
      ${isWhole(stage)} AS is_whole, coalesce(${reread ?? "false"}, false) AS is_reread, ${run} AS run
      FROM ${staged(stage)} AS s JOIN ${stage.target} AS t ON ${sameKey(keyPairs(stage), "s", "t")}`
  )
  yield* refuseAmbiguous(connection, place, stage)
  // If a key has several stored rows that say the same, all of them are replaced.
  yield* keep(
    connection,
    same(stage),
    `SELECT new, bool_and(is_same) AS is_same, min(run) AS run FROM ${pairs}
      GROUP BY new HAVING count(*) = 1 AND bool_and(is_whole AND (is_same OR is_reread))`
  )
  const foreign = stage.prepared.foreign.map((name) => `t.${Column.quote(name)}`)
  if (foreign.length > 0) {
    yield* keep(
      connection,
      scratch(stage, "foreign"),
      `SELECT DISTINCT ON (p.new) p.new, ${foreign.join(", ")}
        FROM ${pairs} AS p JOIN ${stage.target} AS t ON t.ctid = p.old ORDER BY p.new`
    )
  }
  yield* connection.run(
    `DELETE FROM ${stage.target} AS t USING ${pairs} AS p
      WHERE t.ctid = p.old AND NOT EXISTS (SELECT 1 FROM ${same(stage)} AS a WHERE a.new = p.new AND a.is_same)`
  )
  const [unchanged = 0, rereadRows = 0] = yield* catalog.numbers(
    connection,
    `SELECT count(*) FILTER (WHERE is_same) AS same, count(*) FILTER (WHERE NOT is_same) AS reread FROM ${same(stage)}`
  )
  return { unchanged, reread: rereadRows }
})

/** Refuses a key of which several stored rows differ in any column, also in those that this run lacks. */
const refuseAmbiguous = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  stage: Stage
) {
  const { table, target } = stage
  const pairs = scratch(stage, "pairs")
  const several = `SELECT new FROM ${pairs} GROUP BY new HAVING count(*) > 1`
  if ((yield* connection.rows(`${several} LIMIT 1`)).length === 0) return
  const columns = StoredTable.tellingColumns(table, yield* catalog.describe(connection, place, table.name))
  const differing = yield* connection.rows(
    `SELECT 1 AS one FROM ${pairs} AS p JOIN ${target} AS t ON t.ctid = p.old WHERE p.new IN (${several})
      GROUP BY p.new HAVING count(DISTINCT ROW(${columns.map(({ name }) => `t.${Column.quote(name)}`).join(", ")})::text) > 1 LIMIT 1`
  )
  if (differing.length > 0) return yield* failure(StoredTable.narrowKey(table))()
})

/** Removes stored children of staged parents that no staged child equals. */
const removeChildren = Effect.fnUntraced(function* (connection: Connection, stage: Stage, parent: Stage) {
  const { shape, table, target } = stage
  const pairs = parentPairs(stage, parent)
  const ours = pairs.map(({ one }) => one)
  const old = scratch(stage, "children")
  const digest = (of: string) => rowDigest(table, shape.columns, Object.keys(table.parent?.on ?? {}), of)
  const keys = (of: string) => ours.map((name, at) => `${of}.${Column.quote(name)} AS k${at}`).join(", ")
  const nth = (order: string) =>
    `row_number() OVER (PARTITION BY ${ours.map((_, at) => `k${at}`).join(", ")}, print ORDER BY ${order}) AS nth`
  yield* keep(
    connection,
    old,
    `SELECT *, ${nth("old")} FROM (
      SELECT t.ctid AS old, ${keys("t")}, ${digest("t")} AS print, ${isWhole(stage)} AS is_whole FROM ${target} AS t
        WHERE EXISTS (SELECT 1 FROM ${staged(parent)} AS p WHERE ${sameKey(pairs, "t", "p")})) AS o`
  )
  yield* keep(
    connection,
    same(stage),
    `SELECT n.new, o.old, true AS is_same, NULL::text AS run FROM ${old} AS o JOIN (
      SELECT *, ${nth("new")} FROM (
        SELECT s.${rowNumber} AS new, ${keys("s")}, ${digest("s")} AS print FROM ${staged(stage)} AS s) AS n) AS n
      USING (${ours.map((_, at) => `k${at}`).join(", ")}, print, nth) WHERE o.is_whole`
  )
  yield* connection.run(
    `DELETE FROM ${target} AS t USING ${old} AS o
      WHERE t.ctid = o.old AND NOT EXISTS (SELECT 1 FROM ${same(stage)} AS a WHERE a.old = o.old)`
  )
  const [unchanged = 0] = yield* catalog.numbers(connection, `SELECT count(*) AS n FROM ${same(stage)}`)
  return { unchanged, reread: 0 }
})

/** The condition that a stored row is null in all columns that this run does not write. */
const isWhole = ({ prepared }: Stage): string => StoredTable.areNull(prepared.lacking, "t")

const same = (stage: Stage): string => scratch(stage, "same")
