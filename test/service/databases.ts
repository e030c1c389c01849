/** The databases that the service runs on: what is true on one must be true on the other. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { describe } from "vitest"
import type { ServiceConfig } from "#service/ServiceConfig"
import { postgres } from "../services/postgres.ts"
import { isEveryCase, soaking } from "../thoroughness.ts"
import { embedded } from "./crawlSite.ts"
import { type Service, served } from "./served.ts"

/** How long a process without a sign keeps what it owns. */
const leaseMillis = 15_000

export interface Database {
  readonly name: "SQLite" | "Postgres"
  /** A new, empty one, as `ServiceConfig` takes it: gone with the scope. */
  readonly fresh: Effect.Effect<ServiceConfig["database"], never, Scope.Scope>
  /** The service on a port, over a fresh one. */
  readonly served: (config?: Partial<ServiceConfig>) => Effect.Effect<Service, unknown, Scope.Scope>
  /** The client of an embedded service over a fresh one. */
  readonly embedded: (...args: Parameters<typeof embedded>) => ReturnType<typeof embedded>
}

/**
 * The time of a lease passes for processes that are dead. A soak waits for it; else it is over at once, which only spares a
 * test its 15 seconds.
 */
export const leasesEnd = (database: ServiceConfig["database"]): Effect.Effect<void> => {
  if (soaking || !Redacted.isRedacted(database)) return Effect.void
  return Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE cluster_process SET reported_at = reported_at - ${leaseMillis}`
  ).pipe(Effect.provide(PgClient.layer({ url: database, maxConnections: 1 })), Effect.asVoid, Effect.orDie)
}

/** The same tests on each: for what speaks SQL, and a smoke test of each kind of job. */
export const onEachDatabase = (subject: string, tests: (database: Database) => void): void => {
  describe(`${subject}, on SQLite`, () => tests(sqlite))
  onPostgres(subject, tests)
}

/** The same tests on each, for what reaches its database through a port: in a sample one database stands for both. */
export const behindPort = (subject: string, tests: (database: Database) => void): void => {
  if (isEveryCase) return onEachDatabase(subject, tests)
  describe(`${subject}, on SQLite`, () => tests(sqlite))
}

/**
 * Tests of what only a database that several processes share can do; at once, where they mostly wait. `campaign`: what is
 * shown by faults at random is no part of a sample, where other tests show each of these faults alone.
 */
export const onPostgres = (
  subject: string,
  tests: (database: Database) => void,
  { campaign = false, ...how }: { readonly concurrent?: boolean; readonly campaign?: boolean } = {}
): void => {
  const isLeftOut = postgres === undefined || (campaign && !isEveryCase)
  describe.skipIf(isLeftOut)(`${subject}, on Postgres`, how, () => tests(shared))
}

const over = (name: Database["name"], fresh: Database["fresh"]): Database => ({
  name,
  fresh,
  served: (config) => Effect.flatMap(fresh, (database) => served({ database, ...config })),
  embedded: (port, hosts, config) =>
    Layer.unwrap(Effect.map(fresh, (database) => embedded(port, hosts, { database, ...config })))
})

const sqlite = over(
  "SQLite",
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-service-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ).pipe(Effect.map((folder) => join(folder, "service.sqlite")))
)

const shared = over(
  "Postgres",
  Effect.suspend(() => postgres?.fresh ?? Effect.die("there is no Postgres")).pipe(Effect.map(Redacted.make))
)
