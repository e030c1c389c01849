/**
 * The versions of a history that a run may change, as a table of their keys and times: gathered from files, compared with
 * staged rows, closed, and reopened. Only keys, times and digests of fingerprints are joined.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { sameValues } from "#engine/Duckdb"
import * as Sink from "#engine/Sink"
import * as StoredTable from "#engine/StoredTable"
import { failure } from "../failure.ts"
import { viewOf } from "../lake/copyRows.ts"
import { definitions, fileNumber, keyOf, rowNumber, seq, tableOf } from "../lake/StagedKeys.ts"
import type * as Stage from "../stage.ts"
import * as RereadRows from "../table/RereadRows.ts"
import { firstVersion } from "../table/rewriteFile.ts"
import { fingerprintDigest } from "../table/rowDigest.ts"
import { digestStaged, digestStored, type Numbered, temp } from "../table/sameRows.ts"

/** From which files the versions are gathered, and what the run does with them. */
export interface Visit {
  readonly files: ReadonlyArray<Numbered>
  readonly staged: ReadonlyArray<Numbered>
  /** When the run began. */
  readonly at: bigint
  /** The run whose versions are removed because it is written again, if any. */
  readonly forgotten: string | undefined
  /** Whether the table had no history columns before. */
  readonly adopting: boolean
  /** Whether versions of keys that the run did not see are closed. */
  readonly closing: boolean
  /** The values of `_pipeline` in the rows of this pipeline, if the table is shared: other rows do not change. */
  readonly ours: ReadonlyArray<string> | undefined
}

/** Gathers versions that are or will be current: of staged keys, or of all if unseen ones are closed or a run is removed. */
export const gather = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  { files, forgotten, adopting, closing }: Visit,
  now: string
) {
  const { table, columns } = stage
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${versionsOf(stage)} (${definitions(keyColumns(stage))}, ${fileNumber} BIGINT,
      ${rowNumber} BIGINT, _from TIMESTAMP, _to TIMESTAMP, _was TIMESTAMP, _gone BOOLEAN,
      ${RereadRows.storedRun} VARCHAR)`
  )
  const run = Column.named(columns, "_run_id") === undefined ? undefined : forgotten
  const runColumn = Column.named(columns, "_run_id") === undefined ? "NULL" : "v._run_id"
  const goes = run === undefined ? "FALSE" : "coalesce(v._run_id = $1, FALSE)"
  const among =
    closing || adopting || forgotten !== undefined
      ? ""
      : `AND EXISTS (FROM ${tableOf(table)} AS k WHERE ${isSame(stage, "v", "k")})`
  for (const { number, source } of files) {
    yield* database.run(
      `INSERT INTO ${versionsOf(stage)}
        SELECT ${keyOf(stage.table)}, ${number}, v.${rowNumber}, v.valid_from, v.valid_to, v.valid_to, ${goes}, ${runColumn}
        FROM ${viewOf(source, { columns, absent: firstVersion })} AS v
        WHERE (v.valid_to IS NULL OR v.valid_to >= ${now} OR ${goes}) ${among}`,
      run === undefined ? [] : [run]
    )
  }
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${temp(stage, "later")} AS SELECT ${keyOf(stage.table)}, min(_from) AS _starts
      FROM ${versionsOf(stage)} WHERE NOT _gone AND _from > ${now} GROUP BY ALL`
  )
})

/** Whether there are two rows of one key. */
export const hasDuplicates = (database: Database.Database, stage: Stage.Stage) =>
  Effect.map(
    database.query(`SELECT 1 FROM ${versionsOf(stage)} GROUP BY ${keyOf(stage.table)} HAVING count(*) > 1 LIMIT 1`, [
      { name: "one", type: { _tag: "BIGINT" }, nullable: false }
    ]),
    (rows) => rows.length > 0
  )

/** Reopens the versions that the removed run had closed, until the next version. */
export const reopen = (database: Database.Database, stage: Stage.Stage, visit: Visit, now: string) =>
  database.run(
    `UPDATE ${versionsOf(stage)} AS v
      SET _to = (SELECT l._starts FROM ${temp(stage, "later")} AS l WHERE ${isSame(stage, "l", "v")})
      WHERE NOT v._gone AND v._was = ${now} AND ${isOurs(visit)}`
  )

/** The SQL condition that a version is of this pipeline. */
export const isOurs = ({ ours }: Visit): string =>
  ours === undefined
    ? "TRUE"
    : `v.${Column.quote(Sink.pipelineColumn.name)} IN (${ours.map(Database.literal).join(", ")})`

/** Finds the staged rows that have a current version, and those of them that equal it. */
export const meet = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  { files, staged }: Visit,
  now: string
) {
  const keys = tableOf(stage.table)
  const [met, old, fresh] = [temp(stage, "met"), temp(stage, "old"), temp(stage, "new")]
  const matching = database.run(
    `CREATE OR REPLACE TEMP TABLE ${met} AS SELECT k.${seq}, v.${fileNumber}, v.${rowNumber}, v._to AS _ends, v._from AS _since,
        v.${RereadRows.storedRun}
      FROM ${versionsOf(stage)} AS v JOIN ${keys} AS k ON ${isSame(stage, "v", "k")} WHERE ${inForce(now)}`
  )
  yield* database.withRaisedMemoryLimit(matching)
  const several = yield* database.values(`SELECT ${seq} FROM ${met} GROUP BY ${seq} HAVING count(*) > 1 LIMIT 1`)
  if (several.length > 0) return yield* failure(StoredTable.narrowKey(stage.table))()
  const digest = fingerprintDigest(stage)
  yield* digestStored(database, stage, { files, rows: met, digest, into: old })
  yield* digestStaged(database, stage, { files: staged, asked: `SELECT ${seq} FROM ${met}`, digest, into: fresh })
  const comparison = database.run(
    `CREATE OR REPLACE TEMP TABLE ${temp(stage, "same")} AS SELECT DISTINCT m.${seq} FROM ${met} AS m
      JOIN ${old} AS o USING (${fileNumber}, ${rowNumber}) JOIN ${fresh} AS f USING (${seq}) WHERE o._digest = f._digest`
  )
  yield* database.withRaisedMemoryLimit(comparison)
  yield* RereadRows.find(database, stage, { files, staged, met, since: "_since" })
  yield* database.run(`DELETE FROM ${temp(stage, "same")} WHERE ${seq} IN (${RereadRows.staged(stage)})`)
})

/** Closes the versions that staged rows follow, and drops the staged rows that change nothing. */
export const end = Effect.fnUntraced(function* (database: Database.Database, stage: Stage.Stage, now: string) {
  const keys = tableOf(stage.table)
  const [met, unchanged] = [temp(stage, "met"), temp(stage, "same")]
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${temp(stage, "ends")} AS
      SELECT k.${fileNumber}, k.${rowNumber}, m._ends FROM ${met} AS m JOIN ${keys} AS k USING (${seq})
        WHERE m._ends IS NOT NULL
      UNION ALL
      SELECT k.${fileNumber}, k.${rowNumber}, l._starts
        FROM ${keys} AS k JOIN ${temp(stage, "later")} AS l ON ${isSame(stage, "k", "l")}
        WHERE k.${seq} NOT IN (SELECT ${seq} FROM ${met})`
  )
  yield* database.run(`DELETE FROM ${met} WHERE ${seq} IN (SELECT ${seq} FROM ${unchanged})`)
  yield* database.run(
    `UPDATE ${versionsOf(stage)} AS v SET _to = ${now},
      _gone = (v._from = ${now} OR ${RereadRows.isStored(stage, `v.${fileNumber}`, `v.${rowNumber}`)}) FROM ${met} AS m
      WHERE v.${fileNumber} = m.${fileNumber} AND v.${rowNumber} = m.${rowNumber}`
  )
  return yield* database.run(`DELETE FROM ${keys} WHERE ${seq} IN (SELECT ${seq} FROM ${unchanged})`)
})

export const inForce = (now: string): string =>
  `NOT v._gone AND v._from <= ${now} AND (v._to IS NULL OR v._to > ${now})`
export const isSame = ({ table }: Stage.Stage, a: string, b: string): string => sameValues(table.key, a, table.key, b)
export const moment = (at: unknown): string =>
  typeof at === "bigint" ? `make_timestamp(${at}::BIGINT)` : "NULL::TIMESTAMP"
export const moments: Column.Column = { name: "at", type: { _tag: "TIMESTAMP" }, nullable: true }

const keyColumns = ({ table, columns }: Stage.Stage) => table.key.flatMap((name) => Column.named(columns, name) ?? [])

export const versionsOf = (stage: Stage.Stage): string => temp(stage, "versions")
