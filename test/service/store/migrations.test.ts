import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import { stores } from "../../../src/service/store/stores.ts"
import { onEachDatabase, onPostgres } from "../databases.ts"

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
})
