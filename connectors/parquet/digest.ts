/**
 * What a row says in some columns, as a short text: equal where all of its cells are, null and nested ones too.
 *
 * The law: cells are hashed one by one, so that no two rows say the same by saying it in other columns.
 */
import * as Database from "../../src/duckdb/Database.ts"
import * as Column from "../../src/pipeline/Column.ts"
import { type Compared, comparedColumns } from "../../src/pipeline/comparedColumns.ts"
import type * as Stage from "./Stage.ts"

/** The digest of a row's fingerprint, as SQL. A column that the table does not get says nothing. */
export const fingerprintDigest = ({ fingerprint = [], columns }: Stage.Stage): string =>
  digestOf(
    fingerprint.flatMap((name) => {
      const column = Column.named(columns, name)
      return column === undefined ? [] : [{ column, except: [] }]
    })
  )

/** The digest of what merge compares of a row, as SQL. */
export const contentDigest = ({ table, columns }: Stage.Stage): string => digestOf(comparedColumns(table, columns))

const digestOf = (compared: ReadonlyArray<Compared>): string => {
  const cells = compared.map((each) => `coalesce(sha256(${textOf(each)}), '-')`)
  return cells.length === 0 ? "''" : `sha256(concat(${cells.join(", ")}))`
}

const textOf = ({ column: { name, type }, except }: Compared): string => {
  const quoted = Column.quote(name)
  if (type._tag === "VARCHAR") return quoted
  if (except.length === 0) return `CAST(to_json(${quoted}) AS VARCHAR)`
  // A member that a patch says is null goes; what is no object would become one.
  const patch = Database.literal(JSON.stringify(Object.fromEntries(except.map((member) => [member, null]))))
  return `CAST(CASE WHEN json_type(${quoted}) = 'OBJECT' THEN json_merge_patch(${quoted}, ${patch}) ELSE ${quoted} END AS VARCHAR)`
}
