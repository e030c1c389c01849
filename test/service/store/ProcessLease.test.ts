import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import type { ServiceConfig } from "#service/ServiceConfig"
import { ProcessLease } from "#service/store/ProcessLease"
import { onEachDatabase, onPostgres } from "../databases.ts"
import { stores } from "../serviceParts.ts"

const processOver = Effect.fnUntraced(function* (database: ServiceConfig["database"]) {
  const context = yield* Layer.build(stores(database))
  return { lease: Context.get(context, ProcessLease), sql: Context.get(context, SqlClient.SqlClient) }
})

/** Who has a lease, oldest first, and what each says. */
const leases = (sql: SqlClient.SqlClient) =>
  sql<{
    owner: string
    address: string
    report: string
  }>`SELECT owner, address, report FROM cluster_process ORDER BY owner`

onEachDatabase("the lease of a process", (database) => {
  it.effect("names it: each process by itself", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [one, other] = [yield* processOver(fresh), yield* processOver(fresh)]

      expect(one.lease.owner).not.toBe(other.lease.owner)
      expect(yield* one.lease.sign).toBe(true)
    })
  )
})

onPostgres("the lease of a process", (database) => {
  it.effect("is one row, from its start until it ends in good order, and is not begun again", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const { sql } = yield* processOver(fresh)
      const scope = yield* Scope.make()
      const { lease } = yield* Scope.provide(processOver(fresh), scope)
      const during = yield* leases(sql)
      yield* lease.end
      const after = yield* leases(sql)
      yield* TestClock.adjust("10 seconds")
      yield* Scope.close(scope, Exit.void)

      expect(during.map(({ owner }) => owner)).toContain(lease.owner)
      expect(during).toHaveLength(2)
      expect(after).toHaveLength(1)
      expect(yield* leases(sql)).toEqual(after)
    })
  )

  it.effect("knows that it had ended where it gave no sign for too long, and lasts again from then on", () =>
    Effect.gen(function* () {
      const { lease, sql } = yield* processOver(yield* database.fresh)
      const age = (millis: number) => sql`UPDATE cluster_process SET reported_at = reported_at - ${millis}`
      yield* age(14_000)
      const early = yield* lease.sign
      yield* age(15_001)
      const late = yield* lease.sign
      const after = yield* lease.sign
      // Others forget a process that was silent for a minute.
      yield* sql`DELETE FROM cluster_process`
      const forgotten = yield* lease.sign

      expect([early, late, after, forgotten, yield* lease.sign]).toEqual([true, false, true, false, true])
    })
  )

  it.live("looks at what is its own after each sign, and takes up nothing after one that came too late", () =>
    Effect.gen(function* () {
      const { lease, sql } = yield* processOver(yield* database.fresh)
      const seen = yield* Queue.unbounded<string>()
      const says = (what: string) => Effect.asVoid(Queue.offer(seen, what))
      yield* lease.afterEachSign(says("look"), says("take up"))
      const first = yield* Queue.takeN(seen, 2)
      yield* sql`UPDATE cluster_process SET reported_at = reported_at - 15001`
      const late = yield* Queue.takeN(seen, 3)

      expect(first).toEqual(["look", "take up"])
      expect(late).toEqual(["look", "look", "take up"])
    })
  )

  it.effect("has what is done for all done by the process that started first of those that live", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const three = [yield* processOver(fresh), yield* processOver(fresh), yield* processOver(fresh)] as const
      const done: Array<number> = []
      const round = Effect.forEach(three, ({ lease }, at) => lease.forAll(Effect.sync(() => void done.push(at))), {
        discard: true
      })
      const [one, other] = three
      yield* round
      yield* one.lease.end
      yield* round
      // It was killed: it says nothing any more.
      yield* one.sql`UPDATE cluster_process SET reported_at = reported_at - 15001 WHERE owner = ${other.lease.owner}`
      yield* round

      // Whose lease has ended asks too, and finds nobody who started before.
      expect(done).toEqual([0, 0, 1, 0, 1, 2])
    })
  )

  it.effect("says where the process is, and ends the lease of whoever was there before", () =>
    Effect.gen(function* () {
      const fresh = yield* database.fresh
      const [dead, one, other] = [yield* processOver(fresh), yield* processOver(fresh), yield* processOver(fresh)]
      const said = (address: string, report: string) => Effect.succeed({ address, report })
      yield* dead.lease.say(said("10.0.0.5:3100", "before"))
      yield* other.lease.say(said("10.0.0.6:3100", "other"))
      yield* one.lease.say(said("10.0.0.5:3100", "now"))

      expect((yield* leases(one.sql)).map(({ address, report }) => [address, report])).toEqual([
        ["10.0.0.5:3100", "now"],
        ["10.0.0.6:3100", "other"]
      ])
    })
  )
})
