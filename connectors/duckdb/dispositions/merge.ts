/**
 * Merges the staged rows into a table.
 *
 * A staged row replaces the stored row with its key, unless the two are equal: then the stored row stays. The staged children
 * of a row replace all its stored children, but equal children stay. Only keys and hashes are joined, never whole rows, so
 * that merging a million pages needs only memory for their keys.
 */

import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import { sameValues } from "#engine/Duckdb"
import * as DuplicateKeys from "#engine/DuplicateKeys"
import { describe } from "#engine/describeDuckdb"
import * as StoredTable from "#engine/StoredTable"
import { failure } from "../failure.ts"
import * as Catalog from "../file/Catalog.ts"
import { asStaged, columnList, hasRunId, isHeavy, isSmall, type Stage, scratch, staged } from "../stage.ts"
import { hashOf, isReread, rereadOf, rowHash } from "./rowHash.ts"

/** What happened to the staged rows. */
export interface Settled {
  readonly written: number
  readonly unchanged: number
  readonly superseded: number
}

/** Merges one table. Merge parents before their children; the rows of a parent stay staged. */
export const merge = Effect.fnUntraced(function* (database: Database.Database, stage: Stage, parent?: Stage) {
  const superseded = yield* database.withRaisedMemoryLimit(
    DuplicateKeys.dropDuplicates(database, asStaged(stage), parent === undefined ? undefined : asStaged(parent))
  )
  const insert = `INSERT INTO ${stage.target} (${columnList(stage)}) SELECT ${columnList(stage)} FROM ${staged(stage.table.name)} AS s`
  if (yield* Catalog.isEmpty(database, stage.target)) {
    return { written: yield* inserting(database, stage, database.run(insert)), unchanged: 0, superseded }
  }
  const { reread, stays, unchanged } =
    stage.table.parent === undefined
      ? yield* removeChanged(database, stage)
      : { ...(yield* removeChildren(database, stage, stage.table.parent)), reread: 0 }
  const keeps = stage.table.parent === undefined && stage.prepared.foreign.length > 0
  const coming = reread === 0 && !keeps ? insert : insertKnown(stage, { reread: reread > 0, keeps })
  const some = unchanged === 0 ? coming : `${coming} WHERE NOT ${stays}`
  const written = yield* inserting(database, stage, database.run(some))
  return { written: written - reread, unchanged: unchanged + reread, superseded }
})

/**
 * Runs a statement that reads whole rows. It would fill any memory with rows, so the limit stays low, unless 2048 rows, which
 * DuckDB reads at once, are too large for it.
 */
export const roomy = <A, E, R>(database: Database.Database, stage: Stage, statement: Effect.Effect<A, E, R>) =>
  isHeavy(stage) ? database.withRaisedMemoryLimit(statement) : statement

/**
 * Runs the INSERT of the staged rows. If all of them fit in memory, they stay there until the COMMIT, which compresses them once;
 * else DuckDB compresses them now, and again when it writes them beside others.
 */
export const inserting = <A, E, R>(database: Database.Database, stage: Stage, insert: Effect.Effect<A, E, R>) =>
  isSmall(stage) ? Effect.andThen(database.raiseMemoryLimit, insert) : roomy(database, stage, insert)

/**
 * Inserts the staged rows. Rows that were only read by another version keep the run of the stored row (`reread`), and a row has
 * the values of the row that it replaces in columns that are somebody else's (`keeps`).
 */
const insertKnown = (
  stage: Stage,
  { keeps, reread }: { readonly reread: boolean; readonly keeps: boolean }
): string => {
  const values = stage.prepared.written.map(({ name }) =>
    name === "_run_id" && reread && hasRunId(stage)
      ? "CASE WHEN a.new IS NULL THEN s._run_id ELSE a.run END"
      : `s.${Column.quote(name)}`
  )
  const foreign = keeps ? stage.prepared.foreign.map(Column.quote) : []
  const names = [columnList(stage), ...foreign].join(", ")
  return `INSERT INTO ${stage.target} (${names}) SELECT ${[...values, ...foreign.map((name) => `f.${name}`)].join(", ")}
    FROM ${staged(stage.table.name)} AS s
    ${reread ? `LEFT JOIN (FROM ${scratch(stage, "same")} WHERE NOT is_same) AS a ON a.new = s.rowid` : ""}
    ${keeps ? `LEFT JOIN ${scratch(stage, "foreign")} AS f ON f.new = s.rowid` : ""}`
}

/** Removes stored rows whose keys were staged and that differ, or were read by another version. */
const removeChanged = Effect.fnUntraced(function* (database: Database.Database, stage: Stage) {
  const { table, target } = stage
  const [pairs, same] = [scratch(stage, "pairs"), scratch(stage, "same")]
  const print = rowHash(table, stage.prepared.written, table.key)
  const reread = rereadOf(table, stage.prepared.written)
  const versioned = reread === undefined ? "" : `, ${reread.version} AS version, ${reread.rest} AS rest`
  const run = reread !== undefined && hasRunId(stage) ? "_run_id" : "NULL::VARCHAR"
  const isKnown = `(t.is_all AND (s.print = t.print${reread === undefined ? "" : ` OR ${isReread}`}))`
  yield* database.withRaisedMemoryLimit(
    database.run(
      `CREATE OR REPLACE TEMP TABLE ${pairs} AS SELECT s.rowid AS new, t.rowid AS old
        FROM ${staged(table.name)} AS s JOIN ${target} AS t ON ${sameValues(table.key, "s", table.key, "t")}`
    )
  )
  yield* roomy(database, stage, refuseAmbiguous(database, stage))
  // If a key has several stored rows that say the same, all of them are replaced.
  yield* roomy(
    database,
    stage,
    database.run(
      `CREATE OR REPLACE TEMP TABLE ${same} AS
        SELECT p.new, bool_and(s.print = t.print) AS is_same, any_value(t.run) AS run FROM ${pairs} AS p
        JOIN (SELECT rowid AS new, ${print} AS print${versioned} FROM ${staged(table.name)}
          WHERE rowid IN (SELECT new FROM ${pairs})) AS s ON s.new = p.new
        JOIN (SELECT rowid AS old, ${print} AS print, ${isAll(stage)} AS is_all, ${run} AS run${versioned} FROM ${target}
          WHERE rowid IN (SELECT old FROM ${pairs})) AS t ON t.old = p.old
        GROUP BY p.new HAVING count(*) = 1 AND bool_and(${isKnown})`
    )
  )
  const foreign = stage.prepared.foreign.map(Column.quote)
  if (foreign.length > 0) {
    yield* database.withRaisedMemoryLimit(
      database.run(
        `CREATE OR REPLACE TEMP TABLE ${scratch(stage, "foreign")} AS
          SELECT p.new, ${foreign.map((name) => `any_value(t.${name}) AS ${name}`).join(", ")}
          FROM ${pairs} AS p JOIN ${target} AS t ON t.rowid = p.old GROUP BY p.new`
      )
    )
  }
  yield* database.withRaisedMemoryLimit(
    database.run(
      `DELETE FROM ${target} WHERE rowid IN
        (SELECT old FROM ${pairs} AS p WHERE NOT EXISTS (SELECT 1 FROM ${same} AS a WHERE a.new = p.new AND a.is_same))`
    )
  )
  const unchanged = yield* countOf(database, `${same} WHERE is_same`)
  return {
    unchanged,
    reread: reread === undefined ? 0 : yield* countOf(database, `${same} WHERE NOT is_same`),
    stays: `s.rowid IN (SELECT new FROM ${same} WHERE is_same)`
  }
})

/** Refuses a key of which several stored rows differ in any column, also in those that this run lacks. */
const refuseAmbiguous = Effect.fnUntraced(function* (database: Database.Database, stage: Stage) {
  const { table, target } = stage
  const pairs = scratch(stage, "pairs")
  const several = `SELECT new FROM ${pairs} GROUP BY new HAVING count(*) > 1`
  if ((yield* database.values(`${several} LIMIT 1`)).length === 0) return
  const print = hashOf(StoredTable.tellingColumns(table, yield* describe(database, target)))
  const differing = yield* database.values(
    `SELECT 1 FROM (FROM ${pairs} WHERE new IN (${several})) AS p
      JOIN (SELECT rowid AS old, ${print} AS print FROM ${target}
        WHERE rowid IN (SELECT old FROM ${pairs} WHERE new IN (${several}))) AS t USING (old)
      GROUP BY p.new HAVING count(DISTINCT t.print) > 1 LIMIT 1`
  )
  if (differing.length > 0) return yield* failure(StoredTable.narrowKey(table))()
})

/**
 * Removes stored children of staged parents that no staged child equals. For most parents all children are equal, which a sum
 * of their hashes shows; only the children of other parents are paired one by one.
 */
const removeChildren = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage,
  parent: { readonly table: string; readonly on: Readonly<Record<string, string>> }
) {
  const { table, target } = stage
  const [ours, theirs] = [Object.keys(parent.on), Object.values(parent.on)]
  const [sums, same] = [scratch(stage, "sums"), scratch(stage, "same")]
  const print = rowHash(table, stage.prepared.written, ours)
  const [keys, by] = [ours.map((name, at) => `${Column.quote(name)} AS k${at}`), ours.map((_, at) => `k${at}`)]
  const ofKey = (of: string) => ours.map((name, at) => `${of}.${Column.quote(name)} = a.k${at}`).join(" AND ")
  const sumsOf = (isAll: string) =>
    `${keys.join(", ")}, count(*) AS n, sum(${print}::HUGEINT) AS print, bool_and(${isAll}) AS is_all`
  const ofStaged = `EXISTS (SELECT 1 FROM ${staged(parent.table)} AS p WHERE ${sameValues(ours, "t", theirs, "p")})`
  const parted = (of: string) => `EXISTS (SELECT 1 FROM ${sums} AS a WHERE NOT a.is_same AND ${ofKey(of)})`
  const each = (row: string, from: string, where: string) =>
    `SELECT rowid AS ${row}, ${keys.join(", ")}, ${print} AS print,
      row_number() OVER (PARTITION BY ${ours.map(Column.quote).join(", ")}, ${print} ORDER BY rowid) AS nth
      FROM ${from} AS t WHERE ${where}`
  yield* database.withRaisedMemoryLimit(
    Effect.andThen(
      database.run(
        `CREATE OR REPLACE TEMP TABLE ${sums} AS
          SELECT o.*, coalesce(o.n = s.n AND o.print = s.print AND o.is_all, false) AS is_same
          FROM (SELECT ${sumsOf(isAll(stage))} FROM ${target} AS t WHERE ${ofStaged} GROUP BY ${by.join(", ")}) AS o
          LEFT JOIN (SELECT ${sumsOf("true")} FROM ${staged(table.name)} GROUP BY ${by.join(", ")}) AS s
          USING (${by.join(", ")})`
      ),
      database.run(
        `CREATE OR REPLACE TEMP TABLE ${same} AS SELECT o.old, s.new
          FROM (${each("old", target, `${isAll(stage)} AND ${parted("t")}`)}) AS o
          JOIN (${each("new", staged(table.name), parted("t"))}) AS s USING (${by.join(", ")}, print, nth)`
      )
    )
  )
  yield* database.withRaisedMemoryLimit(
    database.run(
      `DELETE FROM ${target} AS t WHERE ${parted("t")}
        AND NOT EXISTS (SELECT 1 FROM ${same} AS a WHERE a.old = t.rowid)`
    )
  )
  const all = yield* countOf(database, `${sums} WHERE is_same`, "coalesce(sum(n), 0)")
  return {
    unchanged: all + (yield* countOf(database, same)),
    stays: `(s.rowid IN (SELECT new FROM ${same}) OR EXISTS (SELECT 1 FROM ${sums} AS a WHERE a.is_same AND ${ofKey("s")}))`
  }
})

/** The condition that a stored row is null in all columns that this run does not write. */
const isAll = ({ prepared }: Stage): string => StoredTable.areNull(prepared.lacking)

const countOf = (database: Database.Database, from: string, what = "count(*)") =>
  Effect.map(database.values(`SELECT (${what})::BIGINT FROM ${from}`), ([[n = 0] = []]) => Number(n))
