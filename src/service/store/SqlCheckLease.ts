/**
 * `CheckLease` over SQL: the row of a check names its owner, by the rule of `ProcessLease`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { CheckLease } from "../monitor/CheckLease.ts"
import * as keepOwn from "./keepOwn.ts"
import type * as MonitorRow from "./MonitorRow.ts"
import { toCheck } from "./MonitorRow.ts"
import { ProcessLease } from "./ProcessLease.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const { afterEachSign, free, isShared, owner, skipLocked } = yield* ProcessLease
  const isUnderWay = sql.literal("status IN ('queued', 'running')")
  const own = sql`${isUnderWay} AND owner = ${owner}`

  return StorePort.fromSql<CheckLease["Service"]>({
    isShared,
    lookingAgain: afterEachSign,
    take: Effect.map(
      sql<MonitorRow.CheckRow>`UPDATE monitor_check SET owner = ${owner}
        WHERE id IN (SELECT id FROM monitor_check WHERE ${isUnderWay} AND ${free} ${skipLocked}) RETURNING *`,
      (rows) => rows.map((row) => toCheck(row, seals)).toSorted((a, b) => a.createdAt - b.createdAt)
    ),
    keep: keepOwn.of({
      own: Effect.map(sql<{ id: string }>`SELECT id FROM monitor_check WHERE ${own}`, (rows) =>
        rows.map(({ id }) => id)
      ),
      release: (ids) => sql`UPDATE monitor_check SET owner = '' WHERE ${own} AND ${sql.in("id", ids)}`
    })
  })
})

export const layer = Layer.effect(CheckLease, make)
