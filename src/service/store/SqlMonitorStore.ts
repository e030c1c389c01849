/**
 * `MonitorStore` over SQL.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { uuid7 } from "#contract/uuid7"
import * as Monitor from "../monitor/Monitor.ts"
import { type Entry, MonitorStore } from "../monitor/MonitorStore.ts"
import * as MonitorRow from "./MonitorRow.ts"
import { ProcessLease } from "./ProcessLease.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"
import { sealedSecrets } from "./secretFields.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const { owner } = yield* ProcessLease
  const definitionOf = (definition: Monitor.Definition) => sealedSecrets(JSON.stringify(definition), seals)

  const create = (monitor: Monitor.Monitor) =>
    Effect.asVoid(sql`INSERT INTO monitor (id, team_id, name, status, definition, next_run_at, created_at, updated_at)
      VALUES (${monitor.id}, ${monitor.teamId}, ${monitor.name}, ${monitor.status}, ${definitionOf(monitor.definition)},
        ${monitor.nextRunAt}, ${monitor.createdAt}, ${monitor.updatedAt})`)

  const list = Effect.fnUntraced(function* (teamId: string, offset: number, limit: number) {
    const rows = yield* sql<MonitorRow.Row>`SELECT * FROM monitor WHERE team_id = ${teamId}
      ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`
    const [count] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM monitor WHERE team_id = ${teamId}`
    return { monitors: rows.map((row) => MonitorRow.toMonitor(row, seals)), total: Number(count?.n ?? 0) }
  })

  const update = Effect.fnUntraced(function* (
    id: string,
    { definition, name, nextRunAt, status }: Pick<Monitor.Monitor, "definition" | "name" | "nextRunAt" | "status">
  ) {
    const now = yield* Clock.currentTimeMillis
    yield* sql`UPDATE monitor SET name = ${name}, status = ${status}, definition = ${definitionOf(definition)},
      next_run_at = ${nextRunAt}, updated_at = ${now} WHERE id = ${id}`
    // Deletes the states of pages of removed targets.
    const targets = definition.targets.map((target) => target.id)
    yield* sql`DELETE FROM monitor_state WHERE monitor_id = ${id} AND NOT ${sql.in("target_id", targets)}`
  }, sql.withTransaction)

  const enter = Effect.fnUntraced(function* (monitor: Monitor.Monitor, entry: Entry) {
    const now = yield* Clock.currentTimeMillis
    const { also, estimatedCredits, next, scheduledFor, trigger } = entry
    // The monitor's row is the lock: if two processes see the same due time, the second finds it changed.
    const [row] = yield* sql<MonitorRow.Row>`UPDATE monitor
      SET next_run_at = ${next === undefined ? sql`next_run_at` : sql`${next}`}
      WHERE id = ${monitor.id} AND status = 'active'
        AND ${next === undefined ? sql`1 = 1` : sql`next_run_at = ${monitor.nextRunAt}`} RETURNING *`
    if (row === undefined) return Option.none()
    const isBusy = row.current_check_id !== null
    if (isBusy && trigger === "manual") return Option.none()
    const status = isBusy ? "skipped_overlap" : entry.status
    const id = uuid7()
    const isOver = status !== "queued"
    const error = skippedBecause(status, row, estimatedCredits)
    const [check] =
      yield* sql<MonitorRow.CheckRow>`INSERT INTO monitor_check (id, monitor_id, team_id, status, cause, definition,
          scheduled_for, created_at, finished_at, estimated_credits, targets, error, owner)
        VALUES (${id}, ${row.id}, ${row.team_id}, ${status}, ${trigger}, ${row.definition}, ${scheduledFor}, ${now},
          ${isOver ? now : null}, ${estimatedCredits}, ${"[]"}, ${error}, ${owner}) RETURNING *`
    const entered = Option.map(Option.fromUndefinedOr(check), (row) => MonitorRow.toCheck(row, seals))
    if (!isOver) {
      yield* sql`UPDATE monitor SET current_check_id = ${id}, last_run_at = ${now} WHERE id = ${row.id}`
      if (also !== undefined && Option.isSome(entered)) yield* also(entered.value)
    }
    return entered
  }, sql.withTransaction)

  return StorePort.fromSql<MonitorStore["Service"]>({
    create,
    get: (id) =>
      Effect.map(sql<MonitorRow.Row>`SELECT * FROM monitor WHERE id = ${id}`, ([row]) =>
        Option.map(Option.fromUndefinedOr(row), (row) => MonitorRow.toMonitor(row, seals))
      ),
    list,
    update,
    remove: remove(sql, seals),
    due: (now) =>
      Effect.map(
        sql<MonitorRow.Row>`SELECT * FROM monitor WHERE next_run_at <= ${now} AND status = 'active' ORDER BY next_run_at`,
        (rows) => rows.map((row) => MonitorRow.toMonitor(row, seals))
      ),
    firstDue: Effect.map(
      sql<{ at: number | null }>`SELECT min(next_run_at) AS at FROM monitor WHERE status = 'active'`,
      ([row]) => (row?.at == null ? null : Number(row.at))
    ),
    enter
  })
})

/** Removes a monitor with its checks. Returns the check that was running. */
const remove = (sql: SqlClient.SqlClient, seals: Seals["Service"]) =>
  Effect.fnUntraced(function* (id: string) {
    const [open] = yield* sql<MonitorRow.CheckRow>`SELECT c.* FROM monitor_check c
      JOIN monitor m ON m.current_check_id = c.id WHERE m.id = ${id}`
    const checks = sql`SELECT id FROM monitor_check WHERE monitor_id = ${id}`
    yield* sql`DELETE FROM webhook_delivery WHERE job_id IN (${checks}) AND state = 'pending'`
    yield* sql`UPDATE webhook SET ended_at = ${yield* Clock.currentTimeMillis} WHERE job_id IN (${checks}) AND ended_at IS NULL`
    yield* sql`DELETE FROM monitor_page WHERE check_id IN (${checks})`
    yield* sql`DELETE FROM monitor_state WHERE monitor_id = ${id}`
    yield* sql`DELETE FROM monitor_check WHERE monitor_id = ${id}`
    yield* sql`DELETE FROM monitor WHERE id = ${id}`
    return Option.map(Option.fromUndefinedOr(open), (row) => MonitorRow.toCheck(row, seals))
  }, sql.withTransaction)

const skippedBecause = (
  status: Monitor.Check["status"],
  row: MonitorRow.Row,
  estimatedCredits: number
): string | null => {
  if (status === "skipped_overlap") return `the check ${row.current_check_id} was still running`
  if (status !== "skipped_no_credits") return null
  return `the credits that remain do not cover the check, which may cost ${estimatedCredits}`
}

export const layer = Layer.effect(MonitorStore, make)
