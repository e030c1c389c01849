/**
 * `PageIndex` over SQL: `Intake` indexes pages from the tables of jobs and scrapes, and `FullText` finds them.
 *
 * The indexed pages and the progress of indexing are written in one transaction, so a service that was killed continues.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { bestPages, type Candidate, compared } from "#web/bestPages"
import { type Options, PageIndex, retentionMillis } from "#web/PageIndex"
import type { Query, Site } from "#web/SearchQuery"
import { ProcessLease } from "../ProcessLease.ts"
import * as StorePort from "../StorePort.ts"
import * as FullText from "./FullText.ts"
import * as Intake from "./Intake.ts"

/** `keeps`: whether pages of a team may be kept. */
export const layer = (keeps: (teamId: string) => boolean) => Layer.effect(PageIndex, make(keeps))

const make = Effect.fnUntraced(function* (keeps: (teamId: string) => boolean) {
  const sql = yield* SqlClient.SqlClient
  const { forAll } = yield* ProcessLease
  const intake = Intake.over(sql, keeps)

  const catchUp = Effect.fnUntraced(function* (teamId: string) {
    const end = (yield* Clock.currentTimeMillis) + maxWaitMillis
    while (yield* intake.some(sql`AND job.team_id = ${teamId}`, sql`AND team_id = ${teamId}`)) {
      if ((yield* Clock.currentTimeMillis) > end) return false
      yield* Effect.yieldNow
    }
    return true
  })

  let forgetsAt = 0
  const tend = Effect.gen(function* () {
    for (;;) {
      const before = yield* Clock.currentTimeMillis
      if (!(yield* intake.some(sql`AND job.status <> 'scraping'`, sql``))) break
      // Sleeps as long as it worked, so that running jobs have at least half of the time.
      yield* Effect.sleep((yield* Clock.currentTimeMillis) - before + 1)
    }
    const now = yield* Clock.currentTimeMillis
    if (now < forgetsAt) return
    forgetsAt = now + forgetMillis
    yield* forAll(intake.forget(now - retentionMillis))
  })

  const find = Effect.fnUntraced(function* (teamId: string, query: Query, options: Options) {
    const since = (yield* Clock.currentTimeMillis) - retentionMillis
    const on = ({ host, path }: Site) => {
      const like = (pattern: string) => sql`p.host LIKE ${pattern} ESCAPE '\\'`
      const escaped = host.replace(/[\\%_]/g, "\\$&")
      const below = sql`substr(p.page_key, 1, ${[...host, ...path].length}) = ${host + path}`
      const plain = sql.and([sql.or([sql`p.host = ${host}`, like(`%.${escaped}`)]), ...(path === "" ? [] : [below])])
      if (/:\d+$/.test(host)) return plain
      // A host without a port means every port.
      const belowPort = sql`substr(p.page_key, 1, length(p.host) + ${[...path].length}) = p.host || ${path}`
      return sql.or([
        plain,
        path === ""
          ? sql.or([like(`${escaped}:%`), like(`%.${escaped}:%`)])
          : sql.and([like(`${escaped}:%`), belowPort])
      ])
    }
    const where = sql.and([
      sql`p.team_id = ${teamId}`,
      sql`p.read_at > ${since}`,
      ...(query.sites.length === 0 ? [] : [sql.or(query.sites.map(on))]),
      ...query.notSites.map((site) => sql`NOT ${on(site)}`),
      ...(query.fileType === undefined ? [] : [sql`p.file_type = ${query.fileType}`]),
      ...(options.since === undefined ? [] : [sql`p.published_at >= ${options.since}`]),
      ...(options.until === undefined ? [] : [sql`p.published_at < ${options.until}`])
    ])
    const isFree =
      query.sites.length + query.notSites.length === 0 &&
      query.fileType === undefined &&
      options.since === undefined &&
      options.until === undefined
    const rows = yield* sql<Row>`SELECT p.url, p.title, p.description, p.text, p.published_at
      ${FullText.candidates(sql, { teamId, query, where, isFree, limit: compared(options.limit) })}`
    return yield* bestPages(rows.map(candidateOf), query, options)
  })

  // If a round fails, the next one does its work.
  const round = Effect.andThen(Effect.sleep("15 seconds"), Effect.ignore(tend))
  yield* Effect.forkScoped(Effect.repeat(round, Schedule.forever))

  return StorePort.fromSql<PageIndex["Service"]>({ catchUp, find, tend })
})

interface Row extends Omit<Candidate, "publishedAt"> {
  readonly published_at: number | null
}

const candidateOf = ({ published_at, ...page }: Row): Candidate => ({
  ...page,
  publishedAt: published_at === null ? null : Number(published_at)
})

/** How often old pages are deleted. */
const forgetMillis = 60 * 60 * 1000
/** How long a search waits until new pages are indexed, in milliseconds. */
const maxWaitMillis = 3000
