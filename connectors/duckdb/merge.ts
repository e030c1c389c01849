/**
 * Merge, over the staged rows: what goes, and what comes.
 *
 * The law: of the staged rows with one key the last counts, and of their children those that came after it. Only keys
 * are joined, never whole rows, so that merging a million pages needs the memory of their keys.
 */
import * as Effect from "effect/Effect"
import type * as Database from "../../src/duckdb/Database.ts"
import * as Column from "../../src/pipeline/Column.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { names, type Stage, staged, target } from "./Stage.ts"

/** Merges one table; the answer is how many rows came. Parents are merged before their children, and stay staged. */
export const merge = Effect.fnUntraced(function* (database: Database.Database, stage: Stage, parent?: Stage) {
  const { table } = stage
  if (parent !== undefined && (yield* hasDoubles(database, parent))) yield* database.run(dropStale(stage, parent))
  if (table.key.length > 0) yield* keepLastOfEach(database, stage)
  yield* database.run(
    table.parent === undefined
      ? deleteMatches(table, table.name, table.key, table.key)
      : deleteMatches(table, table.parent.table, Object.keys(table.parent.on), Object.values(table.parent.on))
  )
  return yield* database.run(
    `INSERT INTO ${target(table)} (${names(stage)}) SELECT ${names(stage)} FROM ${staged(table.name)}`
  )
})

/** Leaves the last of the staged rows with one key, and remembers which keys had several. */
export const keepLastOfEach = Effect.fnUntraced(function* (database: Database.Database, stage: Stage) {
  yield* database.run(findDoubles(stage.table))
  if (yield* hasDoubles(database, stage)) yield* database.run(keepLast(stage.table))
})

/** The keys that were staged more than once, the last row of each, and how many rows were staged before that one. */
const findDoubles = (table: Table.Table): string =>
  `CREATE OR REPLACE TEMP TABLE ${doubles(table)} AS
    SELECT ${keyOf(table)}, max(rowid) AS _row, max(rowid) - ${firstRow(table)} AS _last
    FROM ${staged(table.name)} GROUP BY ${keyOf(table)} HAVING count(*) > 1`

/** Rows of an open transaction are numbered in their order, from a number of DuckDB's own choice. */
const firstRow = (table: Table.Table): string => `(SELECT min(rowid) FROM ${staged(table.name)})`

const hasDoubles = (database: Database.Database, { table }: Stage) =>
  table.key.length === 0
    ? Effect.succeed(false)
    : Effect.map(database.query(`SELECT 1 AS one FROM ${doubles(table)} LIMIT 1`, one), (rows) => rows.length > 0)

const keepLast = (table: Table.Table): string =>
  `DELETE FROM ${staged(table.name)} AS s USING ${doubles(table)} AS d
    WHERE ${same(table.key, "s", table.key, "d")} AND s.rowid < d._row`

/** Children that were staged before the batch in which their parent's last version came: an older version's. */
const dropStale = ({ table, marks }: Stage, parent: Stage): string => {
  const [ours, theirs] = [Object.keys(table.parent?.on ?? {}), Object.values(table.parent?.on ?? {})]
  const list = (values: ReadonlyArray<number>) => `unnest([${values.join(", ")}]::BIGINT[])`
  const batches = `SELECT ${list(marks.map(({ from }) => from))} AS _from, ${list(marks.map(({ before }) => before))} AS _before`
  return `DELETE FROM ${staged(table.name)} AS s
    USING (SELECT d.*, m._before FROM ${doubles(parent.table)} AS d ASOF JOIN (${batches}) AS m ON d._last >= m._from) AS d
    WHERE ${same(ours, "s", theirs, "d")} AND s.rowid - ${firstRow(table)} < d._before`
}

const deleteMatches = (
  table: Table.Table,
  from: string,
  ours: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>
): string => `DELETE FROM ${target(table)} AS t USING ${staged(from)} AS s WHERE ${same(ours, "t", theirs, "s")}`

export const same = (ours: ReadonlyArray<string>, our: string, theirs: ReadonlyArray<string>, their: string): string =>
  ours
    .map((column, at) => `${our}.${Column.quote(column)} = ${their}.${Column.quote(theirs[at] ?? column)}`)
    .join(" AND ")

const keyOf = (table: Table.Table): string => table.key.map(Column.quote).join(", ")
const doubles = (table: Table.Table): string => staged(`${table.name} doubles`)

const one: ReadonlyArray<Column.Column> = [{ name: "one", type: { _tag: "BIGINT" }, nullable: false }]
