import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import { onEachDatabase, onPostgres } from "../databases.ts"
import { JobLease, stores } from "../serviceParts.ts"

const stepsOf = Effect.fnUntraced(function* (services: Context.Context<SqlClient.SqlClient>) {
  const sql = Context.get(services, SqlClient.SqlClient)
  const rows = yield* sql<{ id: number }>`SELECT migration_id AS id FROM service_migrations ORDER BY migration_id`
  return rows.map(({ id }) => id)
})

onEachDatabase("the tables of the service", (database) => {
  it.effect("are made once, and found by the next process", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const first = yield* stepsOf(yield* Layer.build(stores(fresh)))
      const second = yield* stepsOf(yield* Layer.build(stores(fresh)))

      expect(first).toContain(7)
      expect(second).toEqual(first)
    })
  )
})

onPostgres("the tables of the service", (database) => {
  it.effect("are made once by processes that start at the same time", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const started = yield* Effect.forEach([1, 2, 3, 4], () => Layer.build(stores(fresh)), {
        concurrency: "unbounded"
      })
      const steps = yield* Effect.forEach(started, stepsOf)

      expect(new Set(steps.map((ids) => ids.join())).size).toBe(1)
      expect(steps[0]).toEqual([...new Set(steps[0])])
    })
  )

  it.effect("are not changed under processes that know only those before, which are named", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const sql = Context.get(yield* Layer.build(stores(fresh)), SqlClient.SqlClient)
      yield* asBeforeProcessLeases(sql)
      const now = sql.literal("(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
      const refusal = Effect.map(Effect.flip(Layer.build(stores(fresh))), (error) => String(error.cause))
      yield* sql`INSERT INTO cluster_process (address, version, report, reported_at)
        VALUES ('10.0.0.9:3100', 2, '{}', ${now} - 9000), ('10.0.0.8:3100', 2, '{}', ${now} - 11000)`
      const beside = yield* refusal
      const columns = yield* sql`SELECT lease_until FROM job`
      yield* sql`DELETE FROM cluster_process`
      // A process that has no address is seen by what it holds.
      yield* sql`INSERT INTO job (id, kind, team_id, url, request, status, created_at, owner, lease_until)
        VALUES ('held', 'crawl', 'team', '', '{}', 'scraping', 0, 'older', ${now} + 9000),
          ('ended', 'crawl', 'team', '', '{}', 'completed', 0, 'long ago', ${now} + 9000)`
      const holding = yield* refusal
      yield* sql`UPDATE job SET lease_until = 0 WHERE id = 'held'`
      const started = yield* Layer.build(stores(fresh))
      const taken = yield* Context.get(started, JobLease).take

      expect(beside).toContain(
        "10.0.0.9:3100 serves it with an older version of Millrace: end all older processes first"
      )
      expect(columns).toEqual([])
      expect(holding).toContain("process older serves it")
      expect(taken.map(({ id }) => id)).toEqual(["held"])
    })
  )
})

/** The step that gave each process a lease is undone, and those after it. */
const asBeforeProcessLeases = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  for (const table of ["job", "webhook", "monitor_check"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0`
  }
  yield* sql`DROP TABLE cluster_process`
  yield* sql`CREATE TABLE cluster_process (
    address TEXT PRIMARY KEY, version INTEGER NOT NULL, report TEXT NOT NULL, reported_at BIGINT NOT NULL)`
  yield* sql`DROP TABLE host_pause`
  yield* sql`ALTER TABLE monitor_page DROP COLUMN told`
  yield* sql`DROP TABLE rendered_site`
  yield* sql`DELETE FROM service_migrations WHERE migration_id >= 20`
})
