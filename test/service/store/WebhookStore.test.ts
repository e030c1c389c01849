import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
import type { ServiceConfig } from "#service/ServiceConfig"
import * as Outbox from "#service/store/Outbox"
import { Seals } from "#service/store/Seals"
import { WebhookStore } from "#service/store/WebhookStore"
import { onEachDatabase, onPostgres } from "../databases.ts"
import { stores } from "../serviceParts.ts"

const id = "0190c0de-0000-7000-8000-000000000001"

/** A process's own store, and how it writes an event down. */
const processOver = Effect.fnUntraced(function* (database: ServiceConfig["database"]) {
  const context = yield* Layer.build(stores(database))
  const sql = Context.get(context, SqlClient.SqlClient)
  return {
    store: Context.get(context, WebhookStore),
    subscribe: Outbox.subscribe(
      sql,
      Context.get(context, Seals),
      { id, teamId: "team", group: "crawl" },
      "http://hook.test/"
    ),
    tell: (name: Parameters<typeof Outbox.enqueue>[2]["name"]) =>
      Outbox.enqueue(sql, id, { name, success: true, error: null })
  }
})

onEachDatabase("the store of deliveries", (database) => {
  it.effect(
    "gives what was told first, until the attempt at it is written down, with numbers and flags as they were",
    () =>
      Effect.gen(function* () {
        const { store, subscribe, tell } = yield* processOver(yield* database.fresh)
        yield* subscribe
        yield* tell("started")
        yield* tell("completed")
        const waiting = yield* store.claim(id)
        const [first] = yield* store.next(id, 0, 1)
        if (first === undefined) return yield* Effect.die("nothing is due")
        const attempt = { state: "delivered" as const, at: 2 ** 41, status: 204, error: null, dueAt: first.dueAt }
        yield* store.attempted([{ delivery: first, attempt }])
        const log = yield* store.log(id)

        expect(waiting).toEqual({ teamId: "team", url: "http://hook.test/", dueAt: 0 })
        expect(first).toMatchObject({ type: "crawl.started", success: true, attempts: 0, dueAt: 0, data: "[]" })
        expect((yield* store.next(id, 0, 2)).map(({ type }) => type)).toEqual(["crawl.completed"])
        expect(log.map(({ seq, state, attempts, attemptedAt }) => [seq, state, attempts, attemptedAt])).toEqual([
          [0, "delivered", 1, 2 ** 41],
          [1, "pending", 0, null]
        ])
      })
  )

  it.effect("lets a process that starts see to what another has let go, once", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const before = yield* processOver(fresh)
      yield* before.subscribe
      const idle = yield* before.store.take
      yield* before.tell("started")
      const claimed = yield* before.store.claim(id)
      yield* before.store.release([id])
      const after = yield* processOver(fresh)

      expect([idle, claimed?.teamId]).toEqual([[], "team"])
      expect(yield* after.store.take).toEqual([id])
      expect(yield* after.store.take).toEqual([])
    })
  )
})

onPostgres("the store of deliveries", (database) => {
  it.effect("lets one process at a time see to a job, and nobody take what it holds", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]
      yield* one.subscribe
      yield* one.tell("started")
      const claims = yield* Effect.all([one.store.claim(id), other.store.claim(id)], { concurrency: "unbounded" })
      const [holder, loser] = claims[0] === undefined ? [other, one] : [one, other]

      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1)
      expect([yield* holder.store.next(id, 0, 1), yield* loser.store.next(id, 0, 1)]).toMatchObject([[{ seq: 0 }], []])
      expect([yield* holder.store.keep([id]), yield* holder.store.keep([id])]).toEqual([[], []])
      expect(yield* holder.store.claim(id)).toBeDefined()
      expect([yield* one.store.take, yield* other.store.take]).toEqual([[], []])
    })
  )
})
