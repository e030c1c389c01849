import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import * as Sqlite from "#base/SqliteClient"

const memory = Effect.provide(Sqlite.layer(":memory:"))

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE t (id INTEGER PRIMARY KEY, value)`
  const ids = Effect.map(sql<{ id: number }>`SELECT id FROM t ORDER BY id`, (rows) => rows.map(({ id }) => id))
  return { sql, ids }
})

describe("the SQLite client", () => {
  it.effect("gives back what it was given: text, numbers, bytes, null", () =>
    Effect.gen(function* () {
      const { sql } = yield* table
      const values = ["", "Grüße 🌾 '\"", -0.5, 2 ** 53 - 1, null, new Uint8Array([0, 255])]
      for (const [id, value] of values.entries()) yield* sql`INSERT INTO t (id, value) VALUES (${id}, ${value})`
      const rows = yield* sql<{ value: unknown }>`SELECT value FROM t ORDER BY id`

      expect(rows.map(({ value }) => value)).toEqual(values)
    }).pipe(memory)
  )

  it.effect("keeps integers beyond 2^53 whole where safe integers are asked, and refuses to round them where not", () =>
    Effect.gen(function* () {
      const { sql } = yield* table
      const large = 2n ** 53n + 1n
      yield* sql`INSERT INTO t (id, value) VALUES (1, ${large})`
      const read = sql<{ value: unknown }>`SELECT value FROM t`
      const [row] = yield* Effect.provideService(read, SqlClient.SafeIntegers, true)

      expect(row?.value).toBe(large)
      expect((yield* Effect.flip(read))._tag).toBe("SqlError")
    }).pipe(memory)
  )

  it.effect("rolls a failed transaction back whole, and a failed one inside another alone", () =>
    Effect.gen(function* () {
      const { sql, ids } = yield* table
      const insert = (id: number) => sql`INSERT INTO t (id) VALUES (${id})`
      yield* Effect.exit(sql.withTransaction(Effect.andThen(insert(1), Effect.fail("no"))))
      const afterFailure = yield* ids
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* insert(2)
          yield* Effect.exit(sql.withTransaction(Effect.andThen(insert(3), Effect.fail("no"))))
          yield* insert(4)
        })
      )

      expect(afterFailure).toEqual([])
      expect(yield* ids).toEqual([2, 4])
    }).pipe(memory)
  )

  it.effect("rolls an interrupted transaction back, and serves the next one", () =>
    Effect.gen(function* () {
      const { sql, ids } = yield* table
      const inside = yield* Deferred.make<void>()
      const body = sql`INSERT INTO t (id) VALUES (1)`.pipe(
        Effect.andThen(Deferred.succeed(inside, undefined)),
        Effect.andThen(Effect.never)
      )
      const fiber = yield* Effect.forkChild(sql.withTransaction(body))
      yield* Deferred.await(inside)
      const reader = yield* Effect.forkChild(ids)
      yield* Fiber.interrupt(fiber)
      const seen = yield* Fiber.join(reader)
      yield* sql.withTransaction(sql`INSERT INTO t (id) VALUES (2)`)

      expect(seen).toEqual([])
      expect(yield* ids).toEqual([2])
    }).pipe(memory)
  )

  it.effect("keeps statements of others out of a transaction", () =>
    Effect.gen(function* () {
      const { sql, ids } = yield* table
      const [inside, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const rolledBack = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`INSERT INTO t (id) VALUES (1)`
          yield* Deferred.succeed(inside, undefined)
          yield* Deferred.await(go)
          return yield* Effect.fail("no")
        })
      )
      const transaction = yield* Effect.forkChild(Effect.exit(rolledBack))
      yield* Deferred.await(inside)
      const other = yield* Effect.forkChild(sql`INSERT INTO t (id) VALUES (2)`)
      const waiting = yield* Effect.forkChild(sql`INSERT INTO t (id) VALUES (3)`)
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(other)
      yield* Fiber.join(transaction)

      expect(yield* ids).toEqual([2])
    }).pipe(memory)
  )

  it.effect("says which statement failed, by the kind of failure", () =>
    Effect.gen(function* () {
      const { sql } = yield* table
      yield* sql`INSERT INTO t (id) VALUES (1)`
      const twice = yield* Effect.flip(sql`INSERT INTO t (id) VALUES (1)`)
      const nonsense = yield* Effect.flip(sql`SELECT nonsense FROM nowhere`)

      expect(twice.reason._tag).toBe("ConstraintError")
      expect(nonsense.message).toContain("no such table: nowhere")
    }).pipe(memory)
  )

  it.effect("streams, returns rows of writes, and takes columns by position", () =>
    Effect.gen(function* () {
      const { sql } = yield* table
      const written = yield* sql`INSERT INTO t (id, value) VALUES (1, 'a'), (2, 'b') RETURNING id`

      expect(written).toEqual([{ id: 1 }, { id: 2 }])
      expect(yield* Stream.runCollect(sql`SELECT value FROM t ORDER BY id`.stream)).toEqual([
        { value: "a" },
        { value: "b" }
      ])
      expect(yield* sql`SELECT id, value FROM t ORDER BY id`.values).toEqual([
        [1, "a"],
        [2, "b"]
      ])
    }).pipe(memory)
  )

  it.effect("closes its file, and finds there what was committed when it opens it again", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-sqlite-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
      )
      const filename = join(folder, "a.sqlite")
      yield* Effect.provide(
        Effect.flatMap(table, ({ sql }) => sql`INSERT INTO t (id) VALUES (7)`),
        Sqlite.layer(filename)
      )
      const rows = yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT id FROM t`),
        Sqlite.layer(filename)
      )
      const nowhere = yield* Effect.flip(Effect.provide(Effect.void, Sqlite.layer(join(folder, "no", "a.sqlite"))))

      expect(rows).toEqual([{ id: 7 }])
      expect(nowhere.message).toContain("sqlite cannot open")
    })
  )
})
