/**
 * A short digest of some columns of a row: equal if all cells are equal, also null and nested ones.
 *
 * Cells are hashed one by one, so that the same values in other columns give another digest. A fingerprint has 256 bits.
 * Merge compares 128 bits of two hashes, which read each text from different places: it needs the digest of every row,
 * also if nothing is new, and SHA-256 would cost more than the merge.
 */

import * as Column from "#engine/Column"
import { type Compared, comparedColumns, versionColumn, withoutReading } from "#engine/comparedColumns"
import * as Database from "#engine/Duckdb"
import { absentColumns } from "#engine/SinkPlan"
import type * as Stage from "../stage.ts"

export interface Digest {
  readonly sql: string
  /** The type of its values. */
  readonly type: "VARCHAR" | "UHUGEINT"
}

/** The digest of a row's fingerprint. Columns that the table does not get do not count; those that only it has do. */
export const fingerprintDigest = (stage: Stage.Stage): Digest => {
  const { columns } = stage
  const cells = fingerprintOver(stage).flatMap((name) => {
    const column = Column.named(columns, name)
    return column === undefined ? [] : [`coalesce(sha256(${textOf({ column, except: [] })}), '-')`]
  })
  return { sql: cells.length === 0 ? "''" : `sha256(concat(${cells.join(", ")}))`, type: "VARCHAR" }
}

/** The fingerprint over the stored columns. */
const fingerprintOver = (stage: Stage.Stage): ReadonlyArray<string> => [
  ...(stage.fingerprint ?? []),
  ...absentColumns(stage, stage.columns)
]

/** The digest of what merge compares of a row. */
export const contentDigest = ({ table, columns }: Stage.Stage): Digest => {
  const compared = comparedColumns(table, columns)
  const [first, second] = [
    ["'a'", ...compared.map((each) => (isPlain(each) ? Column.quote(each.column.name) : textOf(each)))],
    // Null stays null: `concat` would make a text of it.
    ["'b'", ...compared.map((each) => (isPlain(each) ? Column.quote(each.column.name) : `'~' || ${textOf(each)}`))]
  ].map((cells) => `hash(${cells.join(", ")})::UHUGEINT`)
  return { sql: `${first} * 18446744073709551616::UHUGEINT + ${second}`, type: "UHUGEINT" }
}

/**
 * The version of the reader of a row, followed by the digest of the columns that the reader does not fill; undefined if
 * rows have no such version.
 */
export const readingDigest = (stage: Stage.Stage): Digest | undefined => {
  const { table, columns, write } = stage
  const version = versionColumn(table, columns)
  if (version === undefined) return undefined
  const compared =
    write === "scd2"
      ? columns.flatMap((column) => (fingerprintOver(stage).includes(column.name) ? [{ column, except: [] }] : []))
      : comparedColumns(table, columns)
  const cells = withoutReading(table, compared).map((each) => `coalesce(sha256(${textOf(each)}), '-')`)
  const rest = cells.length === 0 ? "''" : `sha256(concat(${cells.join(", ")}))`
  return { sql: `concat(coalesce(CAST(${Column.quote(version)} AS VARCHAR), ''), ' ', ${rest})`, type: "VARCHAR" }
}

/** The condition that two such digests, of a stored and of a staged row, are of one row that was read again. */
export const isReread = (stored: string, coming: string): string =>
  `(split_part(${coming}, ' ', 1) <> '' AND split_part(${coming}, ' ', 1) <> split_part(${stored}, ' ', 1)
    AND split_part(${coming}, ' ', 2) = split_part(${stored}, ' ', 2))`

/** Types whose values all have different hashes in DuckDB. In nested types an empty list has the hash of null. */
const isPlain = ({ column: { type } }: Compared): boolean =>
  type._tag === "BIGINT" || type._tag === "BOOLEAN" || type._tag === "DATE" || type._tag === "TIMESTAMP"

const textOf = ({ column: { name, type }, except }: Compared): string => {
  const quoted = Column.quote(name)
  if (type._tag === "VARCHAR") return quoted
  if (except.length === 0) return `CAST(to_json(${quoted}) AS VARCHAR)`
  // A member that a patch sets to null is removed; a value that is not an object would become one.
  const patch = Database.literal(JSON.stringify(Object.fromEntries(except.map((member) => [member, null]))))
  return `CAST(CASE WHEN json_type(${quoted}) = 'OBJECT' THEN json_merge_patch(${quoted}, ${patch}) ELSE ${quoted} END AS VARCHAR)`
}
