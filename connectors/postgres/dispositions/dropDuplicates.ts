/** Removes staged rows whose key was staged again later. The last row of a key stays, with the children that came after it. */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type { Connection } from "../server/Connection.ts"
import { keep, keyColumns, rowNumber, type Stage, scratch, staged } from "../stage.ts"
import { keyPairs, sameKey } from "./sameRow.ts"

/** Removes superseded rows and returns their number. Call it for the parent first. */
export const dropDuplicates = Effect.fnUntraced(function* (connection: Connection, stage: Stage, parent?: Stage) {
  let dropped = 0
  yield* connection.run(`ANALYZE ${staged(stage)}`)
  if (parent !== undefined && parent.table.key.length > 0) dropped += yield* dropStale(connection, stage, parent)
  if (stage.table.key.length === 0) return dropped
  const key = keyColumns(stage)
    .map(({ name }) => Column.quote(name))
    .join(", ")
  yield* keep(
    connection,
    duplicates(stage),
    `SELECT ${key}, max(${rowNumber}) AS _last FROM ${staged(stage)} GROUP BY ${key} HAVING count(*) > 1`
  )
  return (
    dropped +
    (yield* connection.run(
      `DELETE FROM ${staged(stage)} AS s USING ${duplicates(stage)} AS d
        WHERE ${sameKey(keyPairs(stage), "s", "d")} AND s.${rowNumber} < d._last`
    ))
  )
})

/** Removes the children of older versions: those staged before the batch with the last version of their parent. */
const dropStale = (connection: Connection, stage: Stage, parent: Stage) =>
  connection.run(
    `DELETE FROM ${staged(stage)} AS s USING (
        SELECT d.*, (SELECT m.before FROM unnest($1::bigint[], $2::bigint[]) AS m(first, before)
          WHERE m.first <= d._last ORDER BY m.first DESC, m.before DESC LIMIT 1) AS _before FROM ${duplicates(parent)} AS d
      ) AS d WHERE ${sameKey(parentPairs(stage, parent), "s", "d")} AND s.${rowNumber} < d._before`,
    [
      stage.parentBatchOffsets.map(({ from }) => BigInt(from)),
      stage.parentBatchOffsets.map(({ before }) => BigInt(before))
    ]
  )

/** The columns that refer to the parent, each with the parent's column. */
export const parentPairs = ({ shape, table }: Stage, parent: Stage) =>
  Object.entries(table.parent?.on ?? {}).flatMap(([ours, theirs]) => {
    const [own, other] = [Column.named(shape.columns, ours), Column.named(parent.shape.columns, theirs)]
    return own === undefined || other === undefined ? [] : [{ one: own.name, other: other.name, sql: own.sql }]
  })

const duplicates = (stage: Stage): string => scratch(stage, "duplicates")
