/**
 * `CheckLease` over SQL: a check's row carries the name of its holder, by the rule of `JobLease`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { CheckLease } from "../../monitor/CheckLease.ts"
import { JobLease, leaseMillis, renewMillis } from "./JobLease.ts"
import type * as MonitorRow from "./MonitorRow.ts"
import { toCheck } from "./MonitorRow.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const { free, isShared, owner, skipLocked, until } = yield* JobLease
  const own = sql`status IN ('queued', 'running') AND owner = ${owner}`

  return StorePort.make<CheckLease["Service"]>({
    isShared,
    leaseMillis,
    renewMillis,
    take: Effect.map(
      sql<MonitorRow.CheckRow>`UPDATE monitor_check SET owner = ${owner}, lease_until = ${until}
        WHERE id IN (SELECT id FROM monitor_check WHERE status IN ('queued', 'running') AND ${free} ${skipLocked})
        RETURNING *`,
      (rows) => rows.map((row) => toCheck(row, seals)).toSorted((a, b) => a.createdAt - b.createdAt)
    ),
    renew: (ids) =>
      ids.length === 0
        ? Effect.succeed(new Set<string>())
        : Effect.map(
            sql<{ id: string }>`UPDATE monitor_check SET lease_until = ${until}
              WHERE ${own} AND ${sql.in("id", ids)} RETURNING id`,
            (rows) => new Set(rows.map(({ id }) => id))
          ),
    release: isShared ? Effect.asVoid(sql`UPDATE monitor_check SET lease_until = 0 WHERE ${own}`) : Effect.void
  })
})

export const layer = Layer.effect(CheckLease, make)
