/**
 * The index of the key of a merged table, `NAME_millrace_key`: it keeps keys unique for other writers too, and makes small
 * merges into large tables fast.
 *
 * It is made with the table, and removed when the table is no longer merged. An index of Postgres cannot hold a key of more
 * than about 2,700 bytes, and a URL may be longer: then the index is removed too, and rows are merged without it. If the table
 * becomes shared, the index is made again, because the key then has one more column.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type { KeyedTable, KeyIndex } from "#engine/SqlPort"
import { narrowKey } from "#engine/StoredTable"
import * as DatabaseLocation from "./DatabaseLocation.ts"
import { isLong } from "./dialect.ts"
import { bare, failure, type ServerError } from "./failure.ts"
import type { Connection } from "./server/Connection.ts"

export const keyIndex = (connection: Connection, place: DatabaseLocation.DatabaseLocation): KeyIndex => {
  /** The tables whose index was removed in this commit for another key. */
  const others = new Set<string>()
  const loosen = Effect.fnUntraced(function* (keyed: KeyedTable): Effect.fn.Return<void, ServerError> {
    const name = nameOf(keyed)
    others.delete(name)
    if (isLong(name)) return
    const there = yield* indexed(connection, place, name)
    if (there.length === 0 || (isEqual(there, keyed.key) && (yield* isWanted(connection, keyed)))) return
    yield* connection.run(`DROP INDEX ${DatabaseLocation.named(place, name)}`)
    others.add(name)
  })
  const hold = Effect.fnUntraced(function* (keyed: KeyedTable) {
    const name = nameOf(keyed)
    if (isLong(name) || !(keyed.isNew || others.has(name)) || !(yield* isWanted(connection, keyed))) return
    const [columns, target] = [keyed.key.map(Column.quote).join(", "), DatabaseLocation.named(place, keyed.table.name)]
    // The rows of a new table have been merged by this key.
    const twice = keyed.isNew
      ? []
      : yield* connection.rows(`SELECT 1 AS one FROM ${target} GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`)
    if (twice.length > 0) return yield* failure(narrowKey(keyed.table))()
    yield* connection.run(`CREATE UNIQUE INDEX ${Column.quote(name)} ON ${target} (${columns})`)
  })
  return {
    loosen: (keyed) => Effect.mapError(loosen(keyed), bare),
    hold: (keyed) => Effect.mapError(hold(keyed), bare)
  }
}

const nameOf = ({ table }: KeyedTable): string => `${table.name}_millrace_key`
const isEqual = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) => one.join("\n") === other.join("\n")

/** The columns of an index in order; an empty list if there is no such index. */
const indexed = (connection: Connection, { schema }: DatabaseLocation.DatabaseLocation, name: string) =>
  Effect.map(
    connection.rows(
      `SELECT a.attname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'i' ORDER BY a.attnum`,
      [schema, name]
    ),
    (rows) => rows.map((row) => row["name"] ?? "")
  )

/** Whether the table is merged, by keys which an index can hold. */
const isWanted = (connection: Connection, { key, staged, write }: KeyedTable) =>
  write !== "merge" || key.length === 0
    ? Effect.succeed(false)
    : Effect.map(
        connection.rows(
          `SELECT 1 AS one FROM ${staged}
            WHERE ${key.map((name) => `octet_length(${Column.quote(name)}::text)`).join(" + ")} > ${mostBytes} LIMIT 1`
        ),
        (rows) => rows.length === 0
      )

/** The maximum size of a key, with room for the overhead of an index entry. */
const mostBytes = 2500
