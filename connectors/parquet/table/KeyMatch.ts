/**
 * Which stored rows staged ones replace, by their keys, and which files may hold such rows.
 *
 * A stored row is replaced by the staged row of its key. A stored child is replaced if the key of its parent was staged, also
 * if no child was staged. A file is skipped only if it certainly holds no such row: if no key lies between the least
 * and the greatest value of a column. Without these values in the manifest it is not skipped.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import { sameValues } from "#engine/Duckdb"
import { failure } from "../failure.ts"
import { edgeColumns } from "../format/fileSql.ts"
import type * as LakeSession from "../lake/LakeSession.ts"
import * as StagedKeys from "../lake/StagedKeys.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import type * as Stage from "../stage.ts"

/** A column of the files, and the column of the keys that must equal it. */
interface Pair {
  readonly column: Column.Column
  readonly key: string
}

/** The keys that replace rows of a table, and the columns of a row that must equal them. */
export interface Match {
  readonly keys: string
  readonly pairs: ReadonlyArray<Pair>
}

export const matchOf = ({ table, columns }: Stage.Stage, parent?: Stage.Stage): Match => {
  const on =
    table.parent === undefined ? table.key.map((column) => [column, column] as const) : Object.entries(table.parent.on)
  return {
    keys: StagedKeys.tableOf(parent?.table ?? table),
    pairs: on.flatMap(([ours, theirs]) => {
      const column = Column.named(columns, ours)
      return column === undefined ? [] : [{ column, key: theirs }]
    })
  }
}

/** The condition under which a row of `key` replaces one of `row`. */
export const matches = ({ pairs }: Match, row: string, key: string): string =>
  sameValues(
    pairs.map(({ column }) => column.name),
    row,
    pairs.map(({ key: theirs }) => theirs),
    key
  )

/** The indexes of the files that may hold rows of some keys. */
export const prunedFiles = Effect.fnUntraced(
  function* (
    { database, edges }: LakeSession.LakeSession,
    files: ReadonlyArray<Manifest.DataFile>,
    { keys, pairs }: Match
  ) {
    let left = new Set(files.keys())
    for (const { column, key } of pairs) {
      if (!ordered.has(column.type._tag)) continue
      const bounded = [...left].filter((at) => files[at]?.min[column.name] !== undefined)
      if (bounded.length === 0) continue
      const type = Column.toSql(column.type)
      const feed = yield* edges
      feed.load(
        bounded.map((at) => ({ place: at, min: files[at]?.min[column.name], max: files[at]?.max[column.name] }))
      )
      const found = yield* database.query(
        `SELECT f.place FROM (SELECT place, CAST("min" AS ${type}) AS low, CAST("max" AS ${type}) AS high FROM ${feed.call}) AS f
        ASOF JOIN (SELECT DISTINCT ${Column.quote(key)} AS value FROM ${keys}) AS k ON f.low <= k.value
        WHERE k.value <= f.high`,
        edgeColumns.slice(0, 1)
      )
      const may = new Set(found.map((row) => Number(row["place"])))
      left = new Set([...left].filter((at) => may.has(at) || !bounded.includes(at)))
    }
    return left
  },
  Effect.mapError(failure("cannot look for files to merge with"))
)

/** Types whose values can be read back from text unchanged, and compared. */
const ordered = new Set<Column.ColumnType["_tag"]>(["VARCHAR", "BIGINT", "DATE", "TIMESTAMP", "BOOLEAN", "DECIMAL"])
