import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import * as Postgres from "#base/sql/Postgres"
import { onPostgres } from "../../service/databases.ts"

onPostgres("the client", (database) => {
  const inFresh = <A, E>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const layer = Postgres.layer(Redacted.isRedacted(place) ? place : Redacted.make(place), 15_000)
      return yield* Effect.provide(Effect.flatMap(SqlClient.SqlClient, use), layer)
    })

  it.effect("gives numbers where SQLite gives numbers", () =>
    inFresh((sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE t (small INTEGER, large BIGINT)`
        for (const large of [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]) {
          yield* sql`INSERT INTO t (small, large) VALUES (1, ${large})`
        }
        const [sums] = yield* sql`SELECT sum(small) AS ones, count(*) AS rows FROM t`

        expect((yield* sql<{ large: number }>`SELECT large FROM t`).map(({ large }) => large)).toEqual([
          0,
          -1,
          2 ** 31,
          Number.MAX_SAFE_INTEGER,
          -Number.MAX_SAFE_INTEGER
        ])
        expect(sums).toEqual({ ones: 5, rows: 5 })
      })
    )
  )

  it.effect("refuses to round a number beyond 2^53, and serves the next statement", () =>
    inFresh((sql) =>
      Effect.gen(function* () {
        const refused = yield* Effect.flip(sql`SELECT 9007199254740993 AS large`)
        const [next] = yield* sql`SELECT 1 AS one`

        expect(refused.message).toContain("Failed to decode row")
        expect(next).toEqual({ one: 1 })
      })
    )
  )

  it.effect("opens a connection while the clock of its caller leaps", () =>
    inFresh((sql) =>
      Effect.gen(function* () {
        const asking = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 4 }, () => sql.withTransaction(sql<{ one: number }>`SELECT 1 AS one`)),
            { concurrency: 4 }
          )
        )
        while (asking.pollUnsafe() === undefined) yield* Effect.andThen(TestClock.adjust("1 minute"), aTurn)

        expect((yield* Fiber.join(asking)).flat()).toEqual(Array.from({ length: 4 }, () => ({ one: 1 })))
      })
    )
  )
})

/** Lets the answers of sockets come in. */
const aTurn = Effect.promise(() => new Promise(setImmediate))
