/** Asks whether stored values would change where a run widens their columns: numbers that a double cannot hold. */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import { changeText, widen } from "#engine/widen"
import * as Place from "../Place.ts"
import type { Connection } from "../server/Connection.ts"
import type * as catalog from "../server/catalog.ts"
import { lossOf } from "./cast.ts"

/** Why the columns of a table cannot be widened for a run: one of the values that would change. Undefined: they can. */
export const changedValue = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  table: Table.Table,
  present: ReadonlyArray<catalog.Present>
) {
  for (const { name, type } of table.columns) {
    const there = Column.named(present, name)
    if (there?.type === undefined) continue
    const to = widen(there.type, type)
    const quoted = Column.quote(there.name)
    const loss = lossOf(quoted, there.type, to)
    if (loss === undefined) continue
    const [found] = yield* connection.rows(
      `SELECT left(${quoted}::text, 100) AS value FROM ${Place.named(place, table.name)} WHERE ${loss} LIMIT 1`
    )
    if (found !== undefined) {
      return `table ${table.name}: column ${there.name}: ${String(found["value"])} ${changeText(there.type, to)}`
    }
  }
  return undefined
})
