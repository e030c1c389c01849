/**
 * A real Postgres: one for all tests (`serverUrl.ts`), whose user may create databases, and a database for each who asks.
 * Where there is none, `postgres` is undefined.
 */

import { randomUUID } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { serverUrl } from "./serverUrl.ts"

export interface Postgres {
  /** The URL of a new, empty database that is gone with the scope. */
  readonly fresh: Effect.Effect<string, never, Scope.Scope>
}

const over = (server: string): Postgres => {
  const run = (statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(server), maxConnections: 1 })),
      Effect.orDie
    )
  const fresh = Effect.gen(function* () {
    const name = `millrace_${randomUUID().replaceAll("-", "")}`
    yield* Effect.acquireRelease(run(`CREATE DATABASE ${name}`), () => run(`DROP DATABASE ${name} WITH (FORCE)`))
    return Object.assign(new URL(server), { pathname: `/${name}` }).href
  })
  return { fresh }
}

const url = await serverUrl("postgres")

export const postgres: Postgres | undefined = url === undefined ? undefined : over(url)
