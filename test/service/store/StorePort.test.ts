import { describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError, SqlSyntaxError, UniqueViolation } from "effect/sql/SqlError"
import { expect } from "vitest"
import { client } from "#base/sqlClient"
import { NotFound } from "#contract/Errors"
import * as StorePort from "#service/store/StorePort"
import { StoreError } from "#web/StoreError"
import { onPostgres } from "../databases.ts"

interface Port {
  readonly name: string
  readonly all: Effect.Effect<number, StoreError>
  readonly one: (id: string, limit?: number) => Effect.Effect<string, NotFound | StoreError>
}

const away = new SqlError({ reason: new ConnectionError({ message: "the database is away", cause: "reset" }) })
const wrong = new SqlError({ reason: new SqlSyntaxError({ cause: "no such table" }) })
const twice = new SqlError({ reason: new UniqueViolation({ cause: "there already", constraint: "k" }) })

describe("the port of a store over SQL", () => {
  it.effect("fails with a StoreError where the database does, and says whether trying again may help", () =>
    Effect.gen(function* () {
      const port = StorePort.fromSql<Port>({
        name: "store",
        all: Effect.fail(away),
        one: (id) => Effect.fail(id === "twice" ? twice : wrong)
      })
      const errors = [
        yield* Effect.flip(port.all),
        yield* Effect.flip(port.one("a")),
        yield* Effect.flip(port.one("twice"))
      ]

      expect(errors).toMatchObject([
        { _tag: "StoreError", message: "the database is away", isRetryable: true, isDuplicate: false, cause: away },
        { _tag: "StoreError", isRetryable: false, isDuplicate: false, cause: wrong },
        { _tag: "StoreError", isRetryable: false, isDuplicate: true, cause: twice }
      ])
    })
  )

  it.effect("gives what the store gives, told what it is told, and fails otherwise as the store does", () =>
    Effect.gen(function* () {
      const notFound = new NotFound({ message: "none" })
      const port = StorePort.fromSql<Port>({
        name: "store",
        all: Effect.succeed(1),
        one: (id, limit = 0) => (limit > 1 ? Effect.fail(notFound) : Effect.succeed(`${id} ${limit}`))
      })

      expect([port.name, yield* port.all, yield* port.one("a"), yield* port.one("b", 1)]).toEqual([
        "store",
        1,
        "a 0",
        "b 1"
      ])
      expect(yield* Effect.flip(port.one("a", 2))).toBe(notFound)
    })
  )

  it.effect("fails a transaction, which is rolled back as one that SQL fails", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE kept (id INTEGER)`
      const insert = StorePort.orStoreError(sql`INSERT INTO kept (id) VALUES (1)`)
      const failed = new StoreError({ message: "full", isRetryable: false })
      const error = yield* Effect.flip(
        StorePort.orStoreError(sql.withTransaction(Effect.andThen(insert, Effect.fail(failed))))
      )

      expect(error).toBe(failed)
      expect(yield* sql`SELECT id FROM kept`).toEqual([])
    }).pipe(Effect.provide(client(":memory:")))
  )

  it.effect("leaves a defect as it is", () =>
    Effect.gen(function* () {
      const bug = new Error("a bug")
      const exit = yield* Effect.exit(StorePort.orStoreError(Effect.die(bug)))

      expect(exit).toEqual(Exit.die(bug))
    })
  )
})

onPostgres("the port of a store", (database) => {
  it.live("fails, and may be tried again, where a transaction loses its connection and cannot be rolled back", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(client(yield* database.fresh))
      const sql = Context.get(context, SqlClient.SqlClient)
      const cut = sql`SELECT pg_terminate_backend(pg_backend_pid())`
      const error = yield* Effect.flip(StorePort.orStoreError(sql.withTransaction(cut)))

      expect(error).toMatchObject({ _tag: "StoreError", isRetryable: true })
      expect(yield* StorePort.orStoreError(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
    })
  )
})
