/**
 * A fingerprint as a short text: equal where all of its cells are, null and nested ones too.
 *
 * The law: cells are hashed one by one, so that no two rows say the same by saying it in other columns.
 */
import * as Column from "../../src/pipeline/Column.ts"
import type * as Stage from "./Stage.ts"

/** The digest of a row of this stage, as SQL. A column that the table does not get says nothing. */
export const digestOf = ({ fingerprint = [], columns }: Stage.Stage): string => {
  const cells = fingerprint.flatMap((name) => {
    const column = Column.named(columns, name)
    return column === undefined ? [] : [`coalesce(sha256(${textOf(column)}), '-')`]
  })
  return cells.length === 0 ? "''" : `sha256(concat(${cells.join(", ")}))`
}

const textOf = ({ name, type }: Column.Column): string => {
  const quoted = Column.quote(name)
  return type._tag === "VARCHAR" ? quoted : `CAST(to_json(${quoted}) AS VARCHAR)`
}
