/**
 * Removes staged rows whose key was staged again later.
 *
 * Of the staged rows with one key, the last one stays, with the children that came after it. Only keys are joined, never
 * whole rows, so a million pages need only memory for their keys.
 */
import * as Effect from "effect/Effect"
import * as Column from "./Column.ts"
import type * as Database from "./Duckdb.ts"
import { sameValues } from "./Duckdb.ts"
import type * as Table from "./Table.ts"

/** The rows of one table that wait for a commit. */
export interface Staged {
  readonly table: Table.Table
  /** The relation with the rows, or with their keys. */
  readonly rows: string
  /** The SQL expression of the number of a row, from 0 in the order of writing. `of` is the alias of the row. */
  readonly number: (of: string) => string
  /** For each batch of parent rows: the number of its first row, and how many rows of this table were written before it. */
  readonly parentBatchOffsets: ReadonlyArray<{ readonly from: number; readonly before: number }>
}

/** Removes superseded rows and returns their number. The parent's must be removed first: its table of duplicates is used. */
export const dropDuplicates = Effect.fnUntraced(function* (
  database: Database.Database,
  staged: Staged,
  parent?: Staged
) {
  let dropped = 0
  if (parent !== undefined && (yield* areThere(database, parent))) {
    dropped += yield* database.run(dropStale(staged, parent))
  }
  if (staged.table.key.length === 0) return dropped
  yield* database.run(find(staged))
  if (yield* areThere(database, staged)) dropped += yield* database.run(dropAllButLast(staged))
  return dropped
})

/** SQL that makes a table of the keys that were staged more than once, with the number of the last row of each. */
const find = ({ table, rows, number }: Staged): string => {
  const key = table.key.map(Column.quote).join(", ")
  return `CREATE OR REPLACE TEMP TABLE ${duplicates(table)} AS SELECT ${key}, max(${number("s")}) AS _last
    FROM ${rows} AS s GROUP BY ${key} HAVING count(*) > 1`
}

const areThere = (database: Database.Database, { table }: Staged) =>
  table.key.length === 0
    ? Effect.succeed(false)
    : Effect.map(database.values(`SELECT 1 FROM ${duplicates(table)} LIMIT 1`), (rows) => rows.length > 0)

const dropAllButLast = ({ table, rows, number }: Staged): string =>
  `DELETE FROM ${rows} AS s USING ${duplicates(table)} AS d
    WHERE ${sameValues(table.key, "s", table.key, "d")} AND ${number("s")} < d._last`

/** SQL that removes the children of older versions: those staged before the batch with the last version of their parent. */
const dropStale = ({ table, rows, number, parentBatchOffsets }: Staged, parent: Staged): string => {
  const [ours, theirs] = [Object.keys(table.parent?.on ?? {}), Object.values(table.parent?.on ?? {})]
  const list = (values: ReadonlyArray<number>) => `unnest([${values.join(", ")}]::BIGINT[])`
  const batches = `SELECT ${list(parentBatchOffsets.map(({ from }) => from))} AS _from, ${list(parentBatchOffsets.map(({ before }) => before))} AS _before`
  return `DELETE FROM ${rows} AS s
    USING (SELECT d.*, m._before FROM ${duplicates(parent.table)} AS d ASOF JOIN (${batches}) AS m ON d._last >= m._from) AS d
    WHERE ${sameValues(ours, "s", theirs, "d")} AND ${number("s")} < d._before`
}

const duplicates = ({ name }: Table.Table): string => `temp.main.${Column.quote(`${name} duplicates`)}`
