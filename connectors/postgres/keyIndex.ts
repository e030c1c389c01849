/**
 * The index of the key of a merged table, `NAME_millrace_key`: it keeps keys unique for other writers too, and makes small
 * merges into large tables fast.
 *
 * It is made with the table, and removed when the table is no longer merged. An index of Postgres cannot hold a key of more
 * than about 2,700 bytes, and a URL may be longer: then the index is removed too, and rows are merged without it.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import { narrowKey } from "#engine/StoredTable"
import { failure } from "./failure.ts"
import * as Place from "./Place.ts"
import type { Connection } from "./server/Connection.ts"
import { keyColumns, type Stage, staged } from "./stage.ts"
import { isLong } from "./table/nameFault.ts"

/** Makes or removes the index, before the rows of a commit are written. */
export const holdKey = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place.DatabaseLocation,
  stage: Stage
) {
  const name = `${stage.table.name}_millrace_key`
  if (isLong(name)) return
  const keys = stage.write === "merge" ? keyColumns(stage).map((column) => column.name) : []
  const there = yield* indexed(connection, place, name)
  const isWanted = keys.length > 0 && !(yield* hasLongKey(connection, stage, keys))
  const isOther = there.length > 0 && there.join("\n") !== keys.join("\n")
  if (there.length > 0 && (isOther || !isWanted)) yield* connection.run(`DROP INDEX ${Place.named(place, name)}`)
  // If the table becomes shared, the index is made again, because the key then has one more column.
  if (isWanted && (stage.prepared.isNew || isOther)) {
    const columns = keys.map(Column.quote).join(", ")
    const twice = yield* connection.rows(
      `SELECT 1 AS one FROM ${stage.target} GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`
    )
    if (twice.length > 0) return yield* failure(narrowKey(stage.table))()
    yield* connection.run(`CREATE UNIQUE INDEX ${Column.quote(name)} ON ${stage.target} (${columns})`)
  }
})

/** The columns of an index in order; an empty list if there is no such index. */
const indexed = (connection: Connection, { schema }: Place.DatabaseLocation, name: string) =>
  Effect.map(
    connection.rows(
      `SELECT a.attname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'i' ORDER BY a.attnum`,
      [schema, name]
    ),
    (rows) => rows.map((row) => row["name"] ?? "")
  )

const hasLongKey = (connection: Connection, stage: Stage, keys: ReadonlyArray<string>) =>
  Effect.map(
    connection.rows(
      `SELECT 1 AS one FROM ${staged(stage)}
        WHERE ${keys.map((key) => `octet_length(${Column.quote(key)}::text)`).join(" + ")} > ${mostBytes} LIMIT 1`
    ),
    (rows) => rows.length > 0
  )

/** The maximum size of a key, with room for the overhead of an index entry. */
const mostBytes = 2500
