/**
 * The place of a row: the number of its file, and its number in the file, as one number. A file has less than 2^32 rows, and a
 * session numbers less than 2^21 files.
 */
import * as Effect from "effect/Effect"
import type * as Database from "#engine/Duckdb"

const most = 2 ** 32

/** The name of a column of places. */
export const place = "_millrace_place"

export const placeOf = (file: number, row: number): number => file * most + row

/** The expression of the place of a row in a file. */
export const placeSql = (file: number, row: string): string => `(${file * most}::BIGINT + ${row})`

/** How many places of a relation are in each file. */
export const countByFile = (database: Database.Database, from: string) =>
  Effect.map(
    database.query(`SELECT ${place} // ${most}, count(*) FROM ${from} GROUP BY ALL`, [
      { name: "file", type: { _tag: "BIGINT" }, nullable: false },
      { name: "rows", type: { _tag: "BIGINT" }, nullable: false }
    ]),
    (rows) => new Map(rows.map((row) => [Number(row["file"]), Number(row["rows"])]))
  )

/** A query of the rows of a file among places, by their numbers in the file: `row`. */
export const rowsIn = (file: number, from: string, column: string = place): string =>
  `SELECT ${column} - ${file * most} AS row FROM ${from} WHERE ${isIn(file, column)}`

/** The condition that a place is in a file. */
export const isIn = (file: number, column: string = place): string =>
  `${column} BETWEEN ${file * most} AND ${file * most + most - 1}`
