/**
 * `CrawlStore` over SQL.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withoutNul } from "#base/withoutNul"
import type { Dropped } from "#web/CrawlIdentity"
import { CrawlStore } from "#web/CrawlStore"
import { type Change, type Counts, countsOf, type DiscoveredUrl, type Failure, type Settlement } from "#web/CrawlUrl"
import { chargeJob } from "./AccountStore.ts"
import * as Outbox from "./Outbox.ts"
import { ProcessLease } from "./ProcessLease.ts"
import { documentText, pageChunk } from "./pageChunk.ts"
import * as Seal from "./Seal.ts"
import { Seals } from "./Seals.ts"
import * as StorePort from "./StorePort.ts"
import * as sqlCrawlIdentity from "./sqlCrawlIdentity.ts"
import { learnUrls } from "./sqlCrawlIdentity.ts"
import * as sqlSuspects from "./sqlSuspects.ts"

/** The rows of the URLs in a job's ledger: absent values are null. */
interface Row extends Omit<DiscoveredUrl, "isSuspect"> {
  /** How many times a process ended while it read the page. */
  readonly attempts: number
}

const toUrl = ({ aliasOf, attempts, from, landed, ...url }: Row): DiscoveredUrl => ({
  ...url,
  ...(attempts > 0 ? { isSuspect: true } : {}),
  ...(aliasOf == null ? {} : { aliasOf }),
  ...(from == null ? {} : { from }),
  ...(landed == null ? {} : { landed })
})

/** The largest value of the column `depth`. */
const deepest = 2 ** 31 - 1

/** What each write reads from the job: `isHeard`: it has a webhook; `isHeld`: it has a reservation of credits. */
interface JobCounted {
  readonly teamId: string
  readonly free: number
  /** SQLite has numbers for booleans. */
  readonly isHeard: boolean | number
  readonly isHeld: boolean | number
}

/** The maximum number of rows in one statement: databases limit its values. */
const batchSize = 200

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { owner } = yield* ProcessLease
  const columns = sql.literal('seq, page_key AS "key", url, depth, kind, state')
  const more = sql.literal('discovered_from AS "from", alias_of AS "aliasOf", final_url AS landed')
  const base = { sql, owner }

  const port = StorePort.fromSql<CrawlStore["Service"]>({
    discover: discover(base),
    append: append(sql),
    urls: (jobId, after, limit) =>
      Effect.map(
        sql<Row>`SELECT ${columns}, ${more}, attempts FROM crawl_url
          WHERE job_id = ${jobId} AND seq > ${after} ORDER BY seq LIMIT ${limit}`,
        (rows) => rows.map(toUrl)
      ),
    waiting: (jobId, after, limit, depth = deepest) =>
      Effect.map(
        sql<Row>`SELECT ${columns}, attempts FROM crawl_url
          WHERE job_id = ${jobId} AND seq > ${after} AND state = 'queued' AND depth <= ${depth}
          ORDER BY seq LIMIT ${limit}`,
        (rows) => rows.map(toUrl)
      ),
    drop: drop(base),
    fail: (jobId, failures) =>
      failures.length === 0
        ? Effect.void
        : sql.withTransaction(Effect.andThen(count(base, jobId, countsOf([])), insertFailures(sql, jobId, failures))),
    identity: sqlCrawlIdentity.over(sql),
    queued: (teamId) =>
      Effect.map(
        sql<{
          n: number | null
        }>`SELECT sum(queued) AS n FROM job WHERE team_id = ${teamId} AND status = 'scraping'`,
        ([row]) => Number(row?.n ?? 0)
      ),
    settle: settle(base),
    ledger: ledger(sql),
    blocked: (jobId) =>
      Effect.map(
        sql<{ url: string }>`SELECT url FROM crawl_url WHERE job_id = ${jobId} AND state = 'blocked' ORDER BY seq`,
        (rows) => rows.map((row) => row.url)
      ),
    failures: (jobId) =>
      Effect.map(
        sql<Failure & { created_at: number }>`
          SELECT id, url, code, error, created_at FROM crawl_error WHERE job_id = ${jobId} ORDER BY created_at, id`,
        (rows) => rows.map(({ created_at, ...failure }) => ({ ...failure, createdAt: Number(created_at) }))
      ),
    ...crawlPages(sql, ledger(sql)),
    ...sqlSuspects.over(sql)
  })
  return sealing(port, yield* Seals)
})

/** The database, and how this process is called in it. */
interface Base {
  readonly sql: SqlClient.SqlClient
  readonly owner: string
}

const insertUrls = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  jobId: string,
  urls: ReadonlyArray<DiscoveredUrl>
) {
  const rows = urls.map(({ depth, from, key, kind, seq, state, url }) => ({
    job_id: jobId,
    page_key: key,
    url: withoutNul(url),
    depth,
    kind,
    seq,
    state,
    discovered_from: from ?? null
  }))
  for (const some of Arr.chunksOf(rows, batchSize)) yield* sql`INSERT INTO crawl_url ${sql.insert(some)}`
})

const insertFailures = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  jobId: string,
  failures: ReadonlyArray<Failure>
) {
  if (failures.length === 0) return
  const created_at = yield* Clock.currentTimeMillis
  const rows = failures.map(({ error, ...rest }) => ({
    job_id: jobId,
    ...rest,
    error: withoutNul(error),
    created_at
  }))
  for (const some of Arr.chunksOf(rows, batchSize)) yield* sql`INSERT INTO crawl_error ${sql.insert(some)}`
})

/**
 * Updates the counts of URLs and the credits in the row of the job, so that a status request need not count a hundred
 * thousand rows. The row is the lock for all writes of the job. Interrupts if this process does not own it any more.
 */
const count = Effect.fnUntraced(function* ({ owner, sql }: Base, jobId: string, counts: Counts, credits = 0) {
  const { queued, scraped, failed, blocked, alias, left } = counts
  const [job] = yield* sql<JobCounted>`UPDATE job
    SET queued = queued + ${queued}, scraped = scraped + ${scraped}, failed = failed + ${failed},
      blocked = blocked + ${blocked}, alias = alias + ${alias}, left_over = left_over + ${left}, credits_used = credits_used + ${credits},
      attempts = 0
    WHERE id = ${jobId} AND status = 'scraping' AND owner = ${owner}
    RETURNING team_id AS "teamId", free, EXISTS (SELECT 1 FROM webhook WHERE job_id = job.id) AS "isHeard",
      EXISTS (SELECT 1 FROM credit_hold WHERE id = job.id) AS "isHeld"`
  return job === undefined ? yield* Effect.interrupt : job
})

const discover = (base: Base) =>
  Effect.fnUntraced(function* (jobId: string, urls: ReadonlyArray<DiscoveredUrl>, changes: ReadonlyArray<Change> = []) {
    if (urls.length === 0 && changes.length === 0) return
    yield* count(base, jobId, countsOf(urls))
    yield* insertUrls(base.sql, jobId, urls)
    yield* learnUrls(base.sql, jobId, changes)
  }, base.sql.withTransaction)

const drop = (base: Base) =>
  Effect.fnUntraced(function* (jobId: string, dropped: ReadonlyArray<Dropped>) {
    if (dropped.length === 0) return
    yield* count(base, jobId, { ...countsOf(dropped), queued: -dropped.length })
    for (const { aliasOf, seq, state } of dropped) {
      yield* base.sql`UPDATE crawl_url SET state = ${state}, alias_of = ${aliasOf ?? null}
        WHERE job_id = ${jobId} AND seq = ${seq}`
    }
  }, base.sql.withTransaction)

const append = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (jobId: string, urls: (first: number) => ReadonlyArray<DiscoveredUrl>) {
    const locked = yield* sql`UPDATE job SET queued = queued WHERE id = ${jobId} AND status = 'scraping' RETURNING id`
    if (locked.length === 0) return false
    const [last] = yield* sql<{ seq: number | null }>`SELECT max(seq) AS seq FROM crawl_url WHERE job_id = ${jobId}`
    const added = urls((last?.seq ?? -1) + 1)
    yield* insertUrls(sql, jobId, added)
    yield* sql`UPDATE job SET queued = queued + ${added.length} WHERE id = ${jobId}`
    return true
  }, sql.withTransaction)

const settle = (base: Base) =>
  Effect.fnUntraced(function* (jobId: string, settlements: ReadonlyArray<Settlement>) {
    const discovered = settlements.flatMap((settlement) => settlement.discovered)
    const pages = settlements.flatMap(({ page }) => page ?? [])
    const credits = pages.reduce((sum, page) => sum + page.credits, 0)
    const overtaken = settlements.flatMap(({ overtaken = [], seq: by }) => overtaken.map((seq) => ({ by, seq })))
    const counts = countsOf([...discovered, ...settlements])
    const { free, isHeard, isHeld, teamId } = yield* count(
      base,
      jobId,
      {
        ...counts,
        alias: counts.alias + overtaken.length,
        queued: counts.queued - settlements.length - overtaken.length
      },
      credits
    )
    if (Arr.isArrayNonEmpty(pages)) {
      const rows = Arr.map(pages, (page) => {
        const document = documentText(page.document)
        return { job_id: jobId, seq: page.seq, bytes: Buffer.byteLength(document), document }
      })
      yield* base.sql`INSERT INTO crawl_page ${base.sql.insert(rows)}`
    }
    yield* insertFailures(
      base.sql,
      jobId,
      settlements.flatMap(({ failures }) => failures)
    )
    yield* insertUrls(base.sql, jobId, discovered)
    yield* endUrls(base.sql, jobId, settlements)
    for (const { by, seq } of overtaken) {
      yield* base.sql`UPDATE crawl_url SET state = 'alias', alias_of = ${by} WHERE job_id = ${jobId} AND seq = ${seq}`
    }
    yield* learnUrls(
      base.sql,
      jobId,
      settlements.flatMap(({ changes = [] }) => changes)
    )
    if (isHeard) yield* Outbox.pagesEnded(base.sql, jobId, settlements)
    for (const { also } of settlements) if (also !== undefined) yield* also
    // A page is charged to its team in the same transaction, and last, because all jobs of a team wait for this row.
    if (free === 0 && pages.length > 0) yield* chargeJob(base.sql, { teamId, jobId, credits, isHeld: Boolean(isHeld) })
  }, base.sql.withTransaction)

const ledger = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (jobId: string) {
    const [row] = yield* sql<Counts & { left_over: number; credits_used: number }>`
      SELECT queued, scraped, failed, blocked, alias, left_over, credits_used FROM job WHERE id = ${jobId}`
    const {
      queued,
      scraped,
      failed,
      blocked,
      alias,
      left_over: left,
      credits_used: credits
    } = row ?? { ...countsOf([]), left_over: 0, credits_used: 0 }
    const discovered = scraped + failed + blocked + left + queued
    return { discovered, scraped, failed, blocked, left, queued, aliases: alias, credits }
  })

export const layer = Layer.effect(CrawlStore, make)

/**
 * Writes how URLs of a crawl have ended: all of a transaction in one statement, because each statement is a round trip, and
 * a page ends with several.
 */
const endUrls = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  jobId: string,
  settlements: ReadonlyArray<Settlement>
) {
  // Both databases name the columns of VALUES `column1`, `column2`. In Postgres, a column with only NULL is text.
  const ended = sql.literal(
    `state = ended.column2, page_key = ended.column3, alias_of = CAST(ended.column4 AS INTEGER)`
  )
  const recognised = sql.literal(`page_seq = CAST(ended.column5 AS INTEGER), final_url = ended.column6,
    canonical = ended.column7, content = ended.column8, meaning = ended.column9, template = ended.column10`)
  const own = sql`WHERE job_id = ${jobId} AND seq = CAST(ended.column1 AS INTEGER)`

  const plain = settlements.filter(({ traits }) => traits === undefined)
  const known = settlements.filter(({ traits }) => traits !== undefined)
  for (const some of Arr.chunksOf(plain, batchSize)) {
    const rows = some.map(
      ({ aliasOf = null, landedKey, seq, state }) => sql`(${seq}, ${state}, ${landedKey}, ${aliasOf})`
    )
    yield* sql`UPDATE crawl_url SET ${ended} FROM (VALUES ${sql.csv(rows)}) AS ended ${own}`
  }
  for (const some of Arr.chunksOf(known, batchSize)) {
    const rows = some.map(({ aliasOf = null, landedKey, page, seq, state, traits = {} }) => {
      const { canonical = null, content = null, landed = null, meaning = null, template = null } = traits
      return sql`(${seq}, ${state}, ${landedKey}, ${aliasOf}, ${page?.seq ?? null}, ${landed}, ${canonical}, ${content},
        ${meaning}, ${template})`
    })
    yield* sql`UPDATE crawl_url SET ${ended}, ${recognised} FROM (VALUES ${sql.csv(rows)}) AS ended ${own}`
  }
})

type Store = CrawlStore["Service"]

/**
 * The pages of a job with zero data retention: every text that could identify a page or its URL is encrypted on its way into
 * the store, and decrypted on its way out, with a key that only the process of the job has.
 *
 * The same text always gives the same sealed text, so the store compares keys and URLs as always. Such a job does not
 * decide by content which URLs are the same page, because that would need its pages again.
 */
const sealing = (store: Store, seals: Seals["Service"]): Store => {
  const sealedBy = <A>(id: string, use: (seal: Seal.Seal["seal"]) => A, otherwise: A): A => {
    const seal = seals.ofJob(id)
    return seal === undefined ? otherwise : use(seal.seal)
  }
  /** Returns "" for a text whose key is lost. */
  const open = (id: string, text: string): string => (Seal.isSealed(text) ? (seals.ofJob(id)?.open(text) ?? "") : text)

  const opened =
    (id: string) =>
    (rows: ReadonlyArray<DiscoveredUrl>): ReadonlyArray<DiscoveredUrl> =>
      seals.ofJob(id) === undefined
        ? rows
        : rows.map(({ key, landed, url, ...rest }) => ({
            ...rest,
            key: open(id, key),
            url: open(id, url),
            ...(landed == null ? {} : { landed: open(id, landed) })
          }))

  return {
    ...store,
    discover: (id, urls, changes) =>
      store.discover(
        id,
        sealedBy(id, (seal) => urls.map(sealedUrl(seal)), urls),
        changes === undefined ? changes : sealedBy(id, (seal) => changes.map(sealedChange(seal)), changes)
      ),
    append: (id, urls) =>
      store.append(id, (first) => sealedBy(id, (seal) => urls(first).map(sealedUrl(seal)), urls(first))),
    urls: (id, after, limit) => Effect.map(store.urls(id, after, limit), opened(id)),
    waiting: (id, after, limit, depth) => Effect.map(store.waiting(id, after, limit, depth), opened(id)),
    fail: (id, failures) =>
      store.fail(
        id,
        sealedBy(id, (seal) => failures.map(sealedFailure(seal)), failures)
      ),
    settle: (id, settlements) =>
      store.settle(
        id,
        sealedBy(id, (seal) => settlements.map(sealedSettlement(seal)), settlements)
      ),
    blocked: (id) => Effect.map(store.blocked(id), (urls) => urls.map((url) => open(id, url))),
    failures: (id) =>
      Effect.map(store.failures(id), (failures) =>
        failures.map(({ error, url, ...rest }) => ({ ...rest, url: open(id, url), error: open(id, error) }))
      ),
    chunk: (id, skip, limit) =>
      Effect.map(store.chunk(id, skip, limit), ({ documents, remaining }) => {
        const readable = documents.map((text) => open(id, text)).filter((text) => text !== "")
        return readable.length === documents.length
          ? { documents: readable, remaining }
          : { documents: [], remaining: 0 }
      })
  }
}

type Sealing = Seal.Seal["seal"]

const sealedUrl =
  (seal: Sealing) =>
  ({ key, url, ...rest }: DiscoveredUrl): DiscoveredUrl => ({ ...rest, key: seal(key), url: seal(url) })

const sealedChange =
  (seal: Sealing) =>
  (change: Change): Change =>
    "url" in change && change.url !== undefined ? { ...change, url: seal(change.url) } : change

const sealedFailure =
  (seal: Sealing) =>
  ({ error, url, ...rest }: Failure): Failure => ({ ...rest, url: seal(url), error: seal(error) })

const sealedSettlement =
  (seal: Sealing) =>
  ({ page, ...settlement }: Settlement): Settlement => ({
    // The traits of a page, and data of it for later crawls, may not be kept.
    ...Struct.omit(settlement, ["known", "traits"]),
    landedKey: seal(settlement.landedKey),
    discovered: settlement.discovered.map(sealedUrl(seal)),
    failures: settlement.failures.map(sealedFailure(seal)),
    ...(settlement.changes === undefined ? {} : { changes: settlement.changes.map(sealedChange(seal)) }),
    ...(page === undefined ? {} : { page: { ...page, document: seal(documentText(page.document)) } })
  })

/**
 * The page documents of a job as they are delivered: in the order in which they were finished, or in their final places.
 * They are held back until it is decided which URLs are the same page. With zero data retention they are deleted after they
 * were read.
 *
 * `ledger`: the counts of a job.
 */
const crawlPages = (
  sql: SqlClient.SqlClient,
  ledger: (jobId: string) => Effect.Effect<{ readonly scraped: number }, SqlError>
) => {
  /** Whether documents are held back, in their final places, or sealed. */
  const holding = Effect.fnUntraced(function* (jobId: string) {
    const [job] = yield* sql<{
      holds: number
      status: string
      sealed: number
    }>`SELECT holds, status, sealed FROM job WHERE id = ${jobId}`
    const isSealed = job?.sealed === 1
    return { isHeld: job?.holds === 1 && job.status === "scraping", isPlaced: job?.holds === 2, isSealed }
  })

  const firstFrom = (jobId: string, skip: number) =>
    Effect.map(
      sql<{ seq: number | null }>`SELECT min(seq) AS seq FROM crawl_page WHERE job_id = ${jobId} AND seq >= ${skip}`,
      ([row]) => (row?.seq == null ? undefined : Number(row.seq))
    )

  const chunk = Effect.fnUntraced(function* (jobId: string, skip: number, limit: number) {
    const { isHeld, isPlaced, isSealed } = yield* holding(jobId)
    // Documents of a sealed job that were read are deleted: later documents must not be returned in their place.
    if (isSealed && (yield* firstFrom(jobId, skip)) !== skip) return { documents: [], remaining: 0 }
    const documents = isHeld ? [] : yield* pageChunk(sql, { jobId, isPlaced }, skip, limit)
    // Counted after the documents are read, so that a page that ends in between is counted.
    const remaining = Math.max(0, (yield* ledger(jobId)).scraped - skip - documents.length)
    return { documents, remaining }
  })

  return {
    chunk,
    count: (jobId: string) =>
      Effect.flatMap(holding(jobId), ({ isHeld }) =>
        isHeld ? Effect.succeed(0) : Effect.map(ledger(jobId), ({ scraped }) => scraped)
      ),
    wasRead: (jobId: string, count: number) =>
      Effect.asVoid(sql`DELETE FROM crawl_page WHERE job_id = ${jobId} AND seq < ${count}
        AND EXISTS (SELECT 1 FROM job WHERE id = ${jobId} AND sealed = 1 AND status <> 'scraping')
        AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.job_id = ${jobId}
          AND d.page_seq = crawl_page.seq AND d.state = 'pending')`)
  }
}
