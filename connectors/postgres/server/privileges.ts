/**
 * Checks, before the source is read, that the user of a connection has the rights that every commit needs.
 *
 * Rights that only a change of columns needs are not checked here.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import * as DatabaseLocation from "../DatabaseLocation.ts"
import { failure } from "../failure.ts"
import type { Connection } from "./Connection.ts"

export const check = Effect.fnUntraced(function* (
  connection: Connection,
  { schema }: DatabaseLocation.DatabaseLocation,
  { tables }: Sink.Plan
) {
  const [place = {}] = yield* connection.rows(
    `SELECT current_user AS name, current_database() AS database, n.oid IS NOT NULL AS is_there,
        has_database_privilege(current_database(), 'CREATE') AS makes_schemas,
        has_schema_privilege(n.oid, 'USAGE') AS enters, has_schema_privilege(n.oid, 'CREATE') AS makes_tables
      FROM (SELECT 1) AS one LEFT JOIN pg_namespace AS n ON n.nspname = $1`,
    [schema]
  )
  const user = Column.quote(place["name"] ?? "")
  const [inSchema, inDatabase] = [Column.quote(schema), Column.quote(place["database"] ?? "")]
  if (place["is_there"] !== "t") {
    if (place["makes_schemas"] === "t") return
    return yield* failure(
      `there is no schema ${inSchema}, and user ${user} may not make one; as the owner of the database: CREATE SCHEMA ${inSchema} AUTHORIZATION ${user}`
    )()
  }
  const names = [...tables.map(({ table }) => table.name), ...ownTables]
  const there = yield* connection.rows(
    `SELECT c.relname AS name, bool_and(has_table_privilege(c.oid, needed)) AS may
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed
      WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname IN (${names.map(DatabaseLocation.literal).join(", ")}) GROUP BY 1`,
    [schema]
  )
  if (place["enters"] !== "t" || (place["makes_tables"] !== "t" && there.length < names.length)) {
    return yield* failure(
      `user ${user} may not make tables in the schema ${inSchema} of ${inDatabase}; as its owner: GRANT USAGE, CREATE ON SCHEMA ${inSchema} TO ${user}`
    )()
  }
  const closed = there.filter(({ may }) => may !== "t").map(({ name }) => `${inSchema}.${Column.quote(name ?? "")}`)
  if (closed.length > 0) {
    return yield* failure(
      `user ${user} may not change ${closed.join(", ")}; as the owner: GRANT SELECT, INSERT, UPDATE, DELETE ON ${closed.join(", ")} TO ${user}`
    )()
  }
})

/** The sink's own tables, which each commit writes. */
const ownTables = ["state", "runs", "loads", "checks", "profiles", "tables"].map((name) => `_millrace_${name}`)
