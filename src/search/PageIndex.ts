/**
 * The index of the pages that a team's crawls, batches and scrapes have read: the newest state of each page, for 30 days.
 *
 * The law: reading pages writes nothing here; what was read waits in the store and is taken up in the background once its
 * job has ended, and before a search. What is taken up and how far that came is one transaction, so a service that was
 * killed goes on. A team finds its own pages only; of a team of which nothing may be kept, none are.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Accounts } from "../service/accounts/Accounts.ts"
import { wordsOf } from "../text/Words.ts"
import * as FullText from "./FullText.ts"
import * as Intake from "./Intake.ts"
import { passage } from "./passage.ts"
import type { Query, Site } from "./Query.ts"
import * as Relevance from "./Relevance.ts"

/** A page that answers. */
export interface Found {
  readonly url: string
  readonly title: string
  /** What the page says of itself. */
  readonly description: string
  /** The passage that answers. */
  readonly passage: string
  readonly publishedAt: number | null
}

export interface Options {
  readonly limit: number
  /** Published in this time, as the page declares it, in milliseconds. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly newestFirst?: boolean | undefined
}

export class PageIndex extends Context.Service<
  PageIndex,
  {
    /** Takes up what the team's jobs have read; false: there was more than a search waits for. */
    readonly catchUp: (teamId: string) => Effect.Effect<boolean, SqlError>
    /** Pages of the team that answer, best first. */
    readonly find: (teamId: string, query: Query, options: Options) => Effect.Effect<ReadonlyArray<Found>, SqlError>
    /** Takes up what jobs that have ended, and scrapes, have read, and forgets what is too old. */
    readonly tend: Effect.Effect<void, SqlError>
  }
>()("millrace/service/search/PageIndex") {
  static readonly layer = Layer.effect(
    PageIndex,
    Effect.suspend(() => make)
  )
}

/** Pages are found this long after they were read. */
export const retentionMillis = 30 * 24 * 60 * 60 * 1000

interface Row {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly text: string
  readonly published_at: number | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const accounts = yield* Accounts
  const intake = Intake.make(sql, (teamId) => accounts.of(teamId).plan.zeroDataRetention !== true)

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
      // Jobs that are under way have the machine most of the time.
      yield* Effect.sleep((yield* Clock.currentTimeMillis) - before + 1)
    }
    const now = yield* Clock.currentTimeMillis
    if (now < forgetsAt) return
    forgetsAt = now + forgetMillis
    yield* intake.forget(now - retentionMillis)
  })

  const find = Effect.fnUntraced(function* (teamId: string, query: Query, options: Options) {
    const since = (yield* Clock.currentTimeMillis) - retentionMillis
    const on = ({ host, path }: Site) =>
      sql.and([
        sql.or([sql`p.host = ${host}`, sql`p.host LIKE ${`%.${host.replace(/[\\%_]/g, "\\$&")}`} ESCAPE '\\'`]),
        ...(path === "" ? [] : [sql`substr(p.page_key, 1, ${[...host, ...path].length}) = ${host + path}`])
      ])
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
    const looked = Math.max(minCandidates, options.limit * 3)
    const rows = yield* sql<Row>`SELECT p.url, p.title, p.description, p.text, p.published_at
      ${FullText.candidates(sql, { teamId, query, where, isFree, limit: looked })}`
    const terms = [...query.words, ...query.phrases, ...query.inTitle]
    const pages: Array<{ readonly page: Row; readonly words: FullText.Words }> = []
    for (const page of rows) {
      pages.push({ page, words: wordsIn(page) })
      // Long pages are much to read: others get their turn.
      if (pages.length % 8 === 0) yield* Effect.yieldNow
    }
    const ranked = Relevance.rank(pages, terms)
    const best = terms.length === 0 ? rows : ranked.pages
    const ordered = options.newestFirst
      ? best.toSorted((a, b) => Number(b.published_at ?? 0) - Number(a.published_at ?? 0))
      : best
    return ordered.slice(0, options.limit).map(
      ({ description, published_at: publishedAt, text, title, url }): Found => ({
        url,
        title,
        description: description === "" ? passage(text, new Map()) : description,
        passage: passage(text, ranked.weights) || description,
        publishedAt: publishedAt === null ? null : Number(publishedAt)
      })
    )
  })

  // What fails is made up for by the next round.
  const round = Effect.andThen(Effect.sleep("15 seconds"), Effect.ignore(tend))
  yield* Effect.forkScoped(Effect.repeat(round, Schedule.forever))

  return PageIndex.of({ catchUp, find, tend })
})

/** How often old pages are looked for. */
const forgetMillis = 60 * 60 * 1000
/** What a search waits for pages to be taken up, in milliseconds. */
const maxWaitMillis = 3000
/** Pages that are compared, at least. */
const minCandidates = 60

const wordsIn = ({ description, text, title, url }: Row): FullText.Words => ({
  title: wordsOf(title),
  description: wordsOf(description),
  address: wordsOf(url),
  text: wordsOf(text, maxComparedWords)
})
const maxComparedWords = 15_000
