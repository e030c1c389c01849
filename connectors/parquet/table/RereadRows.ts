/**
 * The staged rows of a commit that are stored, and were read again by another version of their reader (`Table.reading`).
 *
 * Such a row takes the place of the stored one under the run of that one, and of a history with its `valid_from`; it
 * counts as unchanged.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import type { RowChange } from "../lake/copyRows.ts"
import { fileNumber, rowNumber, seq, tableOf } from "../lake/StagedKeys.ts"
import type * as Stage from "../stage.ts"
import { isReread, readingDigest } from "./rowDigest.ts"
import { digestStaged, digestStored, type Numbered, temp } from "./sameRows.ts"

/** The table of them: the staged row and its file, the stored row, the run of that, and the start of its version. */
const tableName = (stage: Pick<Stage.Stage, "table">): string => temp(stage, "reread")

/** A column of a table of rows that met: the run of the stored one. */
export const storedRun = "_run"

/** Drops those of the last commit. */
export const clear = (database: Database.Database, stage: Stage.Stage) =>
  database.run(
    `CREATE OR REPLACE TEMP TABLE ${tableName(stage)} (${seq} BIGINT, file BIGINT, row BIGINT, old_file BIGINT,
      old_row BIGINT, run VARCHAR, since TIMESTAMP)`
  )

/** Finds them among staged rows that have a stored one: a table with `seq`, and the file and the row of the stored one. */
export const find = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  among: {
    readonly files: ReadonlyArray<Numbered>
    readonly staged: ReadonlyArray<Numbered>
    /** A query of these rows, with `storedRun`; and the SQL of the start of the stored version. */
    readonly met: string
    readonly since: string
  }
) {
  const digest = readingDigest(stage)
  if (digest === undefined) return
  const { files, met, since, staged } = among
  const [rows, old, fresh] = [temp(stage, "versioned"), temp(stage, "old reading"), temp(stage, "new reading")]
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${rows} AS
      SELECT ${seq}, ${fileNumber}, ${rowNumber}, ${storedRun}, ${since} AS _since FROM ${met}`
  )
  yield* digestStored(database, stage, { files, rows, digest, into: old })
  yield* digestStaged(database, stage, { files: staged, asked: `SELECT ${seq} FROM ${rows}`, digest, into: fresh })
  yield* database.withRaisedMemoryLimit(
    database.run(
      `INSERT INTO ${tableName(stage)}
        SELECT m.${seq}, k.${fileNumber}, k.${rowNumber}, m.${fileNumber}, m.${rowNumber}, m.${storedRun}, m._since
        FROM ${rows} AS m JOIN ${old} AS o USING (${fileNumber}, ${rowNumber}) JOIN ${fresh} AS f USING (${seq})
        JOIN ${tableOf(stage.table)} AS k USING (${seq}) WHERE ${isReread("o._digest", "f._digest")}`
    )
  )
})

/** The numbers of their staged rows, as a query. */
export const staged = (stage: Stage.Stage): string => `SELECT ${seq} FROM ${tableName(stage)}`

/** The condition that a stored row is one of them. */
export const isStored = (stage: Stage.Stage, file: string, row: string): string =>
  `EXISTS (FROM ${tableName(stage)} AS w WHERE w.old_file = ${file} AND w.old_row = ${row})`

export const count = (database: Database.Database, stage: Stage.Stage) =>
  Effect.map(Database.numbers(database, `SELECT count(*) FROM ${tableName(stage)}`), ([n = 0]) => n)

/** The changes of those of them that wait in a file. */
export const changesOf = Effect.fnUntraced(function* (database: Database.Database, stage: Stage.Stage, file: number) {
  const own = `FROM ${tableName(stage)} WHERE file = ${file}`
  const kinds = yield* database.query(`SELECT DISTINCT run, since ${own}`, [
    { name: "run", type: { _tag: "VARCHAR" }, nullable: true },
    { name: "since", type: { _tag: "TIMESTAMP" }, nullable: true }
  ])
  const hasRun = Column.named(stage.columns, "_run_id") !== undefined
  return kinds.map(({ run, since }): NonNullable<RowChange["change"]>[number] => {
    const ofRun = typeof run === "string" ? Database.literal(run) : "NULL"
    const moment = typeof since === "bigint" ? `make_timestamp(${since}::BIGINT)` : "NULL::TIMESTAMP"
    return {
      rows: `SELECT row ${own} AND run IS NOT DISTINCT FROM ${ofRun} AND since IS NOT DISTINCT FROM ${moment}`,
      values: { ...(hasRun ? { _run_id: ofRun } : {}), ...(stage.write === "scd2" ? { valid_from: moment } : {}) }
    }
  })
})
