/**
 * The files that may hold a row of some keys, by what the manifest says of them.
 *
 * The law: a file is left out only where it is certain that it holds none: where for one of the columns no key lies
 * between the least and the greatest value. What the manifest does not say, every file may hold.
 */
import * as Effect from "effect/Effect"
import * as Column from "../../../src/pipeline/Column.ts"
import { edgeColumns } from "../format/fileSql.ts"
import type * as Workshop from "../lake/LakeSession.ts"
import type * as Manifest from "../lake/Manifest.ts"

/** A column of the files, and the one of the keys that it has to equal. */
export interface Pair {
  readonly column: Column.Column
  readonly key: string
}

/** Which of these files, by their places, may hold a row whose columns equal those of a row of `keys`. */
export const candidates = Effect.fnUntraced(function* (
  { database, edges }: Workshop.Workshop,
  files: ReadonlyArray<Manifest.DataFile>,
  keys: string,
  pairs: ReadonlyArray<Pair>
) {
  let left = new Set(files.keys())
  for (const { column, key } of pairs) {
    if (!ordered.has(column.type._tag)) continue
    const said = [...left].filter((at) => files[at]?.min[column.name] !== undefined)
    if (said.length === 0) continue
    const type = Column.toSql(column.type)
    edges.load(said.map((at) => ({ place: at, min: files[at]?.min[column.name], max: files[at]?.max[column.name] })))
    const found = yield* database.query(
      `SELECT f.place FROM (SELECT place, CAST("min" AS ${type}) AS low, CAST("max" AS ${type}) AS high FROM ${edges.call}) AS f
        ASOF JOIN (SELECT DISTINCT ${Column.quote(key)} AS value FROM ${keys}) AS k ON f.low <= k.value
        WHERE k.value <= f.high`,
      edgeColumns.slice(0, 1)
    )
    const may = new Set(found.map((row) => Number(row["place"])))
    left = new Set([...left].filter((at) => may.has(at) || !said.includes(at)))
  }
  return left
})

/** Types whose values read back from text as they were, and in their order. */
const ordered = new Set<Column.ColumnType["_tag"]>(["VARCHAR", "BIGINT", "DATE", "TIMESTAMP", "BOOLEAN", "DECIMAL"])
