/**
 * `CheckStore` over SQL.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { withoutNul } from "#base/withoutNul"
import type { CheckStatus } from "#contract/MonitorCheck"
import { uuid7 } from "#contract/uuid7"
import {
  type CheckEnd,
  CheckLease,
  CheckLists,
  CheckStore,
  type DueMail,
  type PageQuery,
  PageStates,
  type Reported
} from "../monitor/CheckStore.ts"
import * as Monitor from "../monitor/Monitor.ts"
import { charge } from "./AccountStore.ts"
import { storedJson } from "./jsonColumns.ts"
import * as keepOwn from "./keepOwn.ts"
import * as MonitorRow from "./MonitorRow.ts"
import { toCheck } from "./MonitorRow.ts"
import * as Outbox from "./Outbox.ts"
import { ProcessLease } from "./ProcessLease.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"

const columnOf = { same: "same", changed: "changed", new: "added", removed: "removed", error: "failed" } as const

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const { forAll, owner } = yield* ProcessLease

  const base = { sql, seals, owner }

  const recorded = Effect.fnUntraced(function* (id: string, targetId: string, keys: ReadonlyArray<string>) {
    if (keys.length === 0) return new Set<string>()
    const rows = yield* sql<{ page_key: string }>`SELECT page_key FROM monitor_page
      WHERE check_id = ${id} AND target_id = ${targetId} AND ${sql.in("page_key", keys)}`
    return new Set(rows.map(({ page_key }) => page_key))
  })

  const expire = Effect.fnUntraced(
    function* (now: number) {
      const rows = yield* sql<{ id: string; finished_at: number; definition: string }>`
        SELECT c.id, c.finished_at, c.definition FROM monitor_check c JOIN monitor m ON m.id = c.monitor_id
        WHERE c.finished_at < ${now - 86_400_000} AND (m.last_check_id IS NULL OR m.last_check_id <> c.id)`
      for (const { definition, finished_at, id } of rows) {
        const { retentionDays } = storedJson<Monitor.Definition>(definition) // as `MonitorStore.enter` wrote it
        if (Number(finished_at) + retentionDays * 86_400_000 > now) continue
        yield* sql`DELETE FROM monitor_page WHERE check_id = ${id}`
        yield* sql`DELETE FROM monitor_check WHERE id = ${id}`
      }
    },
    (work) => forAll(sql.withTransaction(work))
  )

  return StorePort.fromSql<CheckStore["Service"]>({
    start: Effect.fnUntraced(function* (id) {
      const now = yield* Clock.currentTimeMillis
      yield* hold(base, id)
      yield* sql`UPDATE monitor_check SET started_at = coalesce(started_at, ${now}) WHERE id = ${id}`
    }, sql.withTransaction),
    progress: progress(base),
    record: record(base),
    recorded,
    failedBefore: Effect.fnUntraced(function* ({ monitorId }, targetId, keys) {
      if (keys.length === 0) return new Map<string, number | null>()
      const rows = yield* sql<{ page_key: string; status_code: number | null }>`
        SELECT page_key, status_code FROM monitor_page
        WHERE check_id = (SELECT last_check_id FROM monitor WHERE id = ${monitorId})
        AND target_id = ${targetId} AND status = 'error' AND ${sql.in("page_key", keys)}`
      return new Map(rows.map(({ page_key, status_code }) => [page_key, status_code]))
    }),
    finish: finish(base),
    get: (id) =>
      Effect.map(sql<MonitorRow.CheckRow>`SELECT * FROM monitor_check WHERE id = ${id}`, ([row]) =>
        Option.map(Option.fromUndefinedOr(row), (row) => toCheck(row, seals))
      ),
    expire
  })
})

interface Base {
  readonly sql: SqlClient.SqlClient
  readonly seals: Seals["Service"]
  /** How this process is called in the database. */
  readonly owner: string
}

/** Locks the row of the check, for all writes of the check. Interrupts if this process does not own it any more. */
const hold = Effect.fnUntraced(function* ({ owner, seals, sql }: Base, id: string) {
  const [row] = yield* sql<MonitorRow.CheckRow>`UPDATE monitor_check SET status = 'running'
    WHERE id = ${id} AND status IN ('queued', 'running') AND owner = ${owner} RETURNING *`
  return row === undefined ? yield* Effect.interrupt : toCheck(row, seals)
})

const progress = (base: Base) =>
  Effect.fnUntraced(function* (
    id: string,
    targets: ReadonlyArray<Monitor.TargetProgress>,
    { charged, shown }: { readonly charged: number; readonly shown: number } = { charged: 0, shown: 0 }
  ) {
    const { teamId } = yield* hold(base, id)
    yield* base.sql`UPDATE monitor_check SET targets = ${withoutNul(JSON.stringify(targets))}, credits = credits + ${shown}
      WHERE id = ${id}`
    if (charged !== 0) yield* charge(base.sql, teamId, charged)
  }, base.sql.withTransaction)

const keep = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, monitorId }: Monitor.Check,
  { currentScrapeId, key, state, targetId, url }: Monitor.Finding
) {
  const where = sql`monitor_id = ${monitorId} AND target_id = ${targetId} AND page_key = ${key}`
  if (state === "forget") return yield* sql`DELETE FROM monitor_state WHERE ${where}`
  if (state === "unseen") {
    return yield* sql`UPDATE monitor_state SET check_id = ${id}, failures = failures + 1 WHERE ${where}`
  }
  if (state === "keep") {
    return yield* sql`UPDATE monitor_state
      SET check_id = ${id}, failures = 0, scrape_id = coalesce(${currentScrapeId}, scrape_id) WHERE ${where}`
  }
  return yield* sql`INSERT INTO monitor_state (monitor_id, target_id, page_key, asked_key, url, scrape_id, version, check_id)
    VALUES (${monitorId}, ${targetId}, ${key}, ${state.askedKey}, ${withoutNul(url)}, ${currentScrapeId},
      ${withoutNul(state.version)}, ${id})
    ON CONFLICT (monitor_id, target_id, page_key) DO UPDATE SET asked_key = excluded.asked_key, url = excluded.url,
      scrape_id = excluded.scrape_id, version = excluded.version, check_id = excluded.check_id, failures = 0`
})

const record = (base: Base) =>
  Effect.fnUntraced(function* (check: Monitor.Check, findings: ReadonlyArray<Reported>) {
    const { counts, teamId } = yield* hold(base, check.id)
    let seq = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const now = yield* Clock.currentTimeMillis
    for (const { finding, isReported } of findings) {
      const { credits, isReadAnew: __, key, state: _, status, targetId, ...page } = finding
      const text = (value: object | null) => (value === null ? null : withoutNul(JSON.stringify(value)))
      const added =
        yield* base.sql`INSERT INTO monitor_page (check_id, seq, id, target_id, page_key, url, status, status_code,
            previous_scrape_id, current_scrape_id, error, metadata, judgment, diff, snapshot, flips, told, created_at)
          VALUES (${check.id}, ${seq}, ${uuid7()}, ${targetId}, ${key}, ${withoutNul(page.url)}, ${status}, ${page.statusCode},
            ${page.previousScrapeId}, ${page.currentScrapeId}, ${withoutNul(page.error)}, ${text(page.metadata)},
            ${text(page.judgment)}, ${text(page.diff)}, ${text(page.snapshot)}, ${page.flips ?? null}, ${isReported ? 1 : 0}, ${now})
          ON CONFLICT (check_id, target_id, page_key) DO NOTHING RETURNING seq`
      if (added.length === 0) continue
      seq += 1
      const column = base.sql(columnOf[status])
      yield* base.sql`UPDATE monitor_check SET ${column} = ${column} + 1, credits = credits + ${credits} WHERE id = ${check.id}`
      if (credits !== 0) yield* charge(base.sql, teamId, credits)
      yield* keep(base.sql, check, finding)
      if (isReported) {
        const data = JSON.stringify([{ monitorId: check.monitorId, checkId: check.id, targetId, status, ...page }])
        const success = status !== "error"
        yield* Outbox.enqueue(base.sql, check.id, { name: "page", success, error: page.error, data })
      }
    }
  }, base.sql.withTransaction)

const finish = (base: Base) =>
  Effect.fnUntraced(function* (check: Monitor.Check, { error, mail, status }: CheckEnd) {
    const { counts } = yield* hold(base, check.id)
    const now = yield* Clock.currentTimeMillis
    yield* base.sql`UPDATE monitor_check SET status = ${status}, error = ${withoutNul(error)}, finished_at = ${now},
      mail = ${mail}, mail_due_at = ${mail === "pending" ? now : null} WHERE id = ${check.id}`
    yield* base.sql`UPDATE monitor SET current_check_id = NULL, last_check_id = ${check.id}
      WHERE id = ${check.monitorId} AND current_check_id = ${check.id}`
    const summary = { totalPages: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts }
    const data = JSON.stringify([{ monitorId: check.monitorId, checkId: check.id, status, summary }])
    const success = status !== "failed"
    yield* Outbox.enqueue(base.sql, check.id, { name: "check.completed", success, error, data })
    yield* base.sql`UPDATE webhook SET ended_at = ${now} WHERE job_id = ${check.id}`
  }, base.sql.withTransaction)

export const layer = Layer.effect(CheckStore, make)

const makeLease = Effect.gen(function* () {
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

/** `CheckLease` over SQL: the row of a check names its owner, by the rule of `ProcessLease`. */
export const layerLease = Layer.effect(CheckLease, makeLease)

/** How long one process may take to send an e-mail before another one tries. */
const handOverMillis = 5 * 60_000

const makeLists = Effect.gen(function* () {
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

/** `CheckLists` over SQL. */
export const layerLists = Layer.effect(CheckLists, makeLists)

const makePageStates = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const states = Effect.fnUntraced(function* (monitorId: string, targetId: string, keys: ReadonlyArray<string>) {
    const stateByKey = new Map<string, Monitor.State>()
    if (keys.length === 0) return stateByKey
    const rows = yield* sql<StateRow>`SELECT * FROM monitor_state WHERE monitor_id = ${monitorId}
      AND target_id = ${targetId} AND (${sql.in("page_key", keys)} OR ${sql.in("asked_key", keys)})`
    for (const row of rows) stateByKey.set(row.asked_key, toState(row))
    for (const row of rows) stateByKey.set(row.page_key, toState(row))
    return stateByKey
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

/** `PageStates` over SQL. */
export const layerPageStates = Layer.effect(PageStates, makePageStates)
