/**
 * The index of the key of a merged table: it keeps keys unique for others who write too, and makes small merges into large
 * tables quick.
 *
 * It is made with the table. An index of Postgres holds no key of more than some 2,700 bytes, and a URL may be longer: then the
 * index goes, and the rows are merged without.
 */
import * as Effect from "effect/Effect"
import * as Column from "../../../src/pipeline/Column.ts"
import * as catalog from "../server/catalog.ts"
import type { Connection } from "../server/Connection.ts"
import { keyColumns, type Stage, staged } from "../stage.ts"
import { isLong } from "./nameFault.ts"

/** Before the rows of a commit are merged: the index is there where it can be. */
export const holdKey = Effect.fnUntraced(function* (connection: Connection, stage: Stage) {
  const keys = keyColumns(stage).map(({ name }) => Column.quote(name))
  const name = `${stage.table.name}_millrace_key`
  if (keys.length === 0 || isLong(name)) return
  const [isLongKey = 0] = yield* catalog.numbers(
    connection,
    `SELECT (EXISTS (SELECT 1 FROM ${staged(stage)}
      WHERE ${keys.map((key) => `octet_length(${key}::text)`).join(" + ")} > ${mostBytes}))::int AS is_long`
  )
  const index = `${stage.target.slice(0, stage.target.lastIndexOf(".") + 1)}${Column.quote(name)}`
  if (isLongKey === 1) yield* connection.run(`DROP INDEX IF EXISTS ${index}`)
  else if (stage.prepared.isNew) {
    yield* connection.run(`CREATE UNIQUE INDEX ${Column.quote(name)} ON ${stage.target} (${keys.join(", ")})`)
  }
})

/** With room for what an index has of its own. */
const mostBytes = 2500
