/**
 * `PageStates` over SQL.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Monitor from "../monitor/Monitor.ts"
import { PageStates } from "../monitor/PageStates.ts"
import * as StorePort from "./StorePort.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const states = Effect.fnUntraced(function* (monitorId: string, targetId: string, keys: ReadonlyArray<string>) {
    const found = new Map<string, Monitor.State>()
    if (keys.length === 0) return found
    const rows = yield* sql<StateRow>`SELECT * FROM monitor_state WHERE monitor_id = ${monitorId}
      AND target_id = ${targetId} AND (${sql.in("page_key", keys)} OR ${sql.in("asked_key", keys)})`
    for (const row of rows) found.set(row.asked_key, toState(row))
    for (const row of rows) found.set(row.page_key, toState(row))
    return found
  })

  const count = (rows: ReadonlyArray<{ readonly n: number }>) => Number(rows[0]?.n ?? 0)
  const ofTarget = (monitorId: string, targetId: string) => sql`monitor_id = ${monitorId} AND target_id = ${targetId}`

  return StorePort.fromSql<PageStates["Service"]>({
    states,
    hasStates: (monitorId, targetId) =>
      Effect.map(
        sql`SELECT page_key FROM monitor_state WHERE ${ofTarget(monitorId, targetId)} LIMIT 1`,
        (rows) => rows.length > 0
      ),
    unseen: ({ id, monitorId }, targetId, limit) =>
      Effect.map(
        sql<StateRow>`SELECT * FROM monitor_state WHERE ${ofTarget(monitorId, targetId)} AND check_id <> ${id}
          ORDER BY page_key LIMIT ${limit}`,
        (rows) => rows.map(toState)
      ),
    newlyFailed: ({ id, monitorId }, targetId) =>
      Effect.map(
        sql<{ n: number }>`SELECT count(*) AS n FROM monitor_state
          WHERE ${ofTarget(monitorId, targetId)} AND check_id = ${id} AND failures = 1`,
        count
      ),
    forget: ({ id, monitorId }, targetId) =>
      Effect.asVoid(sql`DELETE FROM monitor_state WHERE ${ofTarget(monitorId, targetId)} AND check_id <> ${id}`)
  })
})

interface StateRow {
  readonly page_key: string
  readonly asked_key: string
  readonly url: string
  readonly scrape_id: string | null
  readonly version: string
  readonly check_id: string
  readonly failures: number
}

const toState = ({ check_id, failures, page_key, scrape_id, url, version }: StateRow): Monitor.State => ({
  key: page_key,
  url,
  scrapeId: scrape_id,
  version,
  checkId: check_id,
  failures
})

export const layer = Layer.effect(PageStates, make)
