/**
 * `CheckLists` over SQL.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { CheckStatus } from "#contract/MonitorCheck"
import { CheckLists, type DueMail, type PageQuery } from "../monitor/CheckLists.ts"
import * as MonitorRow from "./MonitorRow.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"

/** How long one process may take to send an e-mail before another one tries. */
const handOverMillis = 5 * 60_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals

  const list = Effect.fnUntraced(function* (
    monitorId: string,
    {
      limit,
      offset,
      status
    }: { readonly offset: number; readonly limit: number; readonly status?: CheckStatus | undefined }
  ) {
    const where = sql`monitor_id = ${monitorId} ${status === undefined ? sql`` : sql`AND status = ${status}`}`
    const rows = yield* sql<MonitorRow.CheckRow>`SELECT * FROM monitor_check WHERE ${where}
      ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`
    const [count] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM monitor_check WHERE ${where}`
    return { checks: rows.map((row) => MonitorRow.toCheck(row, seals)), total: Number(count?.n ?? 0) }
  })

  const pages = Effect.fnUntraced(function* (checkId: string, { limit, skip, status }: PageQuery) {
    const where = sql`check_id = ${checkId} ${status === undefined ? sql`` : sql`AND status = ${status}`}`
    const rows = yield* sql<MonitorRow.PageRow>`SELECT * FROM monitor_page WHERE ${where}
      ORDER BY seq LIMIT ${limit} OFFSET ${skip}`
    const [count] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM monitor_page WHERE ${where}`
    return { pages: rows.map(MonitorRow.toPage), remaining: Math.max(0, Number(count?.n ?? 0) - skip - rows.length) }
  })

  const takeMail = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [due] = yield* sql<{ id: string; mail_due_at: number }>`SELECT id, mail_due_at FROM monitor_check
      WHERE mail = 'pending' AND mail_due_at <= ${now} ORDER BY mail_due_at LIMIT 1`
    if (due === undefined) return Option.none()
    const [row] = yield* sql<MonitorRow.CheckRow & { mail_attempts: number }>`UPDATE monitor_check
      SET mail_due_at = ${now + handOverMillis}, mail_attempts = mail_attempts + 1
      WHERE id = ${due.id} AND mail = 'pending' AND mail_due_at = ${due.mail_due_at} RETURNING *`
    const [monitor] = yield* sql<{ name: string }>`SELECT m.name FROM monitor m
      JOIN monitor_check c ON c.monitor_id = m.id WHERE c.id = ${due.id}`
    if (row === undefined || monitor === undefined) return Option.none()
    const mail: DueMail = {
      check: MonitorRow.toCheck(row, seals),
      monitorName: monitor.name,
      attempt: row.mail_attempts
    }
    return Option.some(mail)
  }).pipe(sql.withTransaction)

  return StorePort.fromSql<CheckLists["Service"]>({
    list,
    pages,
    reported: (checkId, limit) =>
      Effect.map(
        sql<MonitorRow.PageRow>`SELECT * FROM monitor_page
          WHERE check_id = ${checkId} AND status <> 'same' AND coalesce(told, 1) = 1 ORDER BY seq LIMIT ${limit}`,
        (rows) => rows.map(MonitorRow.toPage)
      ),
    takeMail,
    mailed: (checkId, state, dueAt) =>
      Effect.asVoid(sql`UPDATE monitor_check SET mail = ${state}, mail_due_at = ${dueAt} WHERE id = ${checkId}`)
  })
})

export const layer = Layer.effect(CheckLists, make)
