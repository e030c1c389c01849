/**
 * Which staged rows equal stored ones.
 *
 * Digests are compared, never whole rows, and only the digests of the wanted rows of a file are computed. A mark selects
 * the wanted rows: a semi-join might put the wide rows of the file into its hash table and fill the memory.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Database from "#engine/Duckdb"
import { type Source, viewOf } from "../lake/copyRows.ts"
import { fileNumber, rowNumber, seq, tableOf } from "../lake/StagedKeys.ts"
import type * as Stage from "../stage.ts"
import type { Digest } from "./rowDigest.ts"

/** A file that may hold rows, stored or staged, by its number. */
export interface Numbered {
  readonly number: number
  readonly source: Source
}

/** Digests of the stored rows that a table names by file and row, in a table of their own. */
export const digestStored = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  comparison: {
    readonly files: ReadonlyArray<Numbered>
    readonly rows: string
    readonly digest: Digest
    readonly into: string
  }
) {
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${comparison.into} (${fileNumber} BIGINT, ${rowNumber} BIGINT, _digest ${comparison.digest.type})`
  )
  const fileNumbers = yield* numbersIn(database, `SELECT DISTINCT ${fileNumber} FROM ${comparison.rows}`)
  for (const { number, source } of comparison.files.filter(({ number }) => fileNumbers.has(number))) {
    const rows = `${comparison.rows} WHERE ${fileNumber} = ${number}`
    yield* database.run(
      `INSERT INTO ${comparison.into} SELECT ${number}, * FROM (${digests(stage, source, comparison.digest, rows)})
        WHERE _digest IS NOT NULL`
    )
  }
})

/** Digests of staged rows, by their numbers: of those that a query gives, or of all that count. */
export const digestStaged = Effect.fnUntraced(function* (
  database: Database.Database,
  stage: Stage.Stage,
  comparison: {
    readonly files: ReadonlyArray<Numbered>
    readonly asked?: string
    readonly digest: Digest
    readonly into: string
  }
) {
  yield* database.run(
    `CREATE OR REPLACE TEMP TABLE ${comparison.into} (${seq} BIGINT, _digest ${comparison.digest.type})`
  )
  const where = comparison.asked === undefined ? "" : `WHERE ${seq} IN (${comparison.asked})`
  const rows = `SELECT ${seq}, ${fileNumber}, ${rowNumber} FROM ${tableOf(stage.table)} ${where}`
  const fileNumbers = yield* numbersIn(database, `SELECT DISTINCT ${fileNumber} FROM (${rows})`)
  for (const { number, source } of comparison.files.filter(({ number }) => fileNumbers.has(number))) {
    const here = `(${rows}) WHERE ${fileNumber} = ${number}`
    yield* database.run(
      `INSERT INTO ${comparison.into} SELECT k.${seq}, d._digest
        FROM (FROM ${here}) AS k JOIN (${digests(stage, source, comparison.digest, here)}) AS d USING (${rowNumber})`
    )
  }
})

const digests = ({ columns }: Stage.Stage, source: Source, digest: Digest, rows: string): string =>
  `SELECT ${rowNumber}, CASE WHEN ${rowNumber} IN (SELECT ${rowNumber} FROM ${rows}) THEN ${digest.sql} END AS _digest
    FROM ${viewOf(source, { columns })}`

/** The numbers in the result of a query. */
const numbersIn = (database: Database.Database, query: string) =>
  Effect.map(
    database.query(query, [{ name: "number", type: { _tag: "BIGINT" }, nullable: false }]),
    (rows) => new Set(rows.map((row) => Number(row["number"])))
  )

/** A temporary table of a stage. */
export const temp = ({ table }: Pick<Stage.Stage, "table">, name: string): string =>
  `temp.main.${Column.quote(`${table.name} ${name}`)}`
