/**
 * Jobs of two kinds, crawls and batches: started, watched, cancelled, resumed.
 *
 * The law (specification, Crawl job): scraping ends once, as completed, failed or cancelled; a job and all it has are
 * gone 24 hours after it ended; a service that was killed takes its unfinished jobs up again when it starts. Where
 * several processes share the database, each job is run by one of them (`JobLease`) and answered for by all: they look
 * at the store, and the one that runs a job finds there that another has cancelled it.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { BatchRequest } from "../api/Batch.ts"
import { CrawlRequest } from "../api/Crawl.ts"
import {
  type BadRequest,
  Conflict,
  Forbidden,
  NotFound,
  type PaymentRequired,
  type Unprocessable
} from "../api/Errors.ts"
import { idempotencyHeader, idempotencyReused } from "../api/idempotencyHeader.ts"
import * as Limits from "../api/Limits.ts"
import type { Webhook } from "../api/Webhook.ts"
import { Accounts } from "./Accounts.ts"
import * as BatchRun from "./crawl/BatchRun.ts"
import * as Crawler from "./crawl/Crawler.ts"
import * as PathFilter from "./crawl/PathFilter.ts"
import { PoliteFetch } from "./crawl/PoliteFetch.ts"
import { SiteRules } from "./crawl/SiteRules.ts"
import type { Plan } from "./Plan.ts"
import { withPrompt } from "./promptOptions.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"
import * as ScrapePlan from "./scrape/ScrapePlan.ts"
import type { Scraper } from "./scrape/Scraper.ts"
import { AccountStore } from "./store/AccountStore.ts"
import { CrawlStore, type DiscoveredUrl, type End, type Job } from "./store/CrawlStore.ts"
import { JobLease, leaseMillis, renewMillis } from "./store/JobLease.ts"
import { isUuid, uuid7 } from "./uuid7.ts"
import { Webhooks } from "./Webhooks.ts"

export class CrawlJobs extends Context.Service<
  CrawlJobs,
  {
    /** Starts a crawl. A key that has started a job before is a Conflict that names it. */
    readonly start: (
      teamId: string,
      request: CrawlRequest,
      idempotencyKey?: string
    ) => Effect.Effect<Job, BadRequest | Forbidden | PaymentRequired | Conflict | Unprocessable | SqlError>
    /** Starts a batch of these URLs, or adds them to one that is under way. */
    readonly startBatch: (
      teamId: string,
      request: BatchRequest,
      idempotencyKey?: string
    ) => Effect.Effect<Job, BadRequest | PaymentRequired | Conflict | NotFound | Unprocessable | SqlError>
    readonly get: (teamId: string, id: string, kind: Job["kind"]) => Effect.Effect<Job, NotFound | SqlError>
    readonly cancel: (
      teamId: string,
      id: string,
      kind: Job["kind"]
    ) => Effect.Effect<void, NotFound | Conflict | SqlError>
    /**
     * The job's pulse, as an effect that waits for the next beat: there is one after each page's end and after the job's.
     * Where the job may run in another process, waiting ends by itself too: whoever waits then looks at the store again.
     */
    readonly beats: (id: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
    /** Waits for a document past `skip` or the end of the job, at most `Limits.holdMillis`. */
    readonly hold: (id: string, skip: number) => Effect.Effect<void, SqlError>
  }
>()("millrace/service/CrawlJobs") {
  static readonly layer = (config: ServiceConfig) => Layer.effect(CrawlJobs, make(config))
}

const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  const sql = yield* SqlClient.SqlClient
  const store = yield* CrawlStore
  const accountStore = yield* AccountStore
  const accounts = yield* Accounts
  const lease = yield* JobLease
  const webhooks = yield* Webhooks
  const services = yield* Effect.context<CrawlStore | PoliteFetch | Scraper | SiteRules>()
  // Jobs are let go once they have stopped: what is added first runs last.
  yield* Effect.addFinalizer(() => Effect.ignore(lease.release))
  const running = yield* FiberMap.make<string>()
  const pulses = new Map<string, PubSub.PubSub<void>>()

  const beat = (id: string) => {
    const pulse = pulses.get(id)
    return Effect.andThen(webhooks.wake(id), pulse === undefined ? Effect.void : PubSub.publish(pulse, undefined))
  }

  /** Forgets a run, and wakes everybody who waits for it. */
  const drop = (id: string) =>
    Effect.andThen(
      beat(id),
      Effect.sync(() => void pulses.delete(id))
    )

  const finish = (id: string, end: End, by: "owner" | "anybody") => Effect.ensuring(store.finish(id, end, by), drop(id))

  /** A run that was interrupted from inside has lost its job; one that lost its database leaves it to whoever comes next. */
  const isLost = (cause: Cause.Cause<unknown>): boolean => {
    const error = Cause.squash(cause)
    return Cause.hasInterruptsOnly(cause) || (lease.isShared && error instanceof SqlError && error.isRetryable)
  }

  /** Ends the job unless it is interrupted: a cancel ends it itself, and a service that stops leaves it to be resumed. */
  const run = (job: Job, work: Work) =>
    work(job, { settled: Effect.asVoid(beat(job.id)), inTurn: accounts.inTurn(job.teamId, job.id) }).pipe(
      Effect.matchCauseEffect({
        onSuccess: () => finish(job.id, { status: "completed" }, "owner"),
        onFailure: (cause) =>
          isLost(cause) ? drop(job.id) : finish(job.id, { status: "failed", error: explain(cause) }, "owner")
      }),
      Effect.provideContext(services)
    )

  const launch = Effect.fnUntraced(function* (job: Job, work: Work) {
    pulses.set(job.id, yield* PubSub.sliding<void>(1))
    yield* webhooks.wake(job.id)
    yield* FiberMap.run(running, job.id, run(job, work))
  })

  const begin = Effect.fnUntraced(function* (
    job: Omit<Job, "createdAt" | "status" | "completedAt" | "error" | "warning">,
    seeds: ReadonlyArray<DiscoveredUrl>,
    work: Work,
    { idempotencyKey, webhook }: { readonly idempotencyKey: string | undefined; readonly webhook: Webhook | undefined }
  ) {
    const createdAt = yield* Clock.currentTimeMillis
    const started: Job = { ...job, status: "scraping", createdAt, completedAt: null, error: null, warning: null }
    const enter = Effect.gen(function* () {
      const before =
        idempotencyKey === undefined ? undefined : yield* accountStore.claim(job.teamId, idempotencyKey, job.id)
      if (before !== undefined) return yield* reused(before)
      yield* store.create(started)
      if (webhook !== undefined) yield* webhooks.subscribe({ ...started, group: eventGroups[started.kind] }, webhook)
      yield* store.discover(started.id, seeds)
    })
    // A caller who leaves in between would leave a job that nobody runs.
    yield* Effect.uninterruptible(Effect.andThen(sql.withTransaction(enter), launch(started, work)))
    return started
  })

  const start = Effect.fn("CrawlJobs.start")(function* (teamId: string, asked: CrawlRequest, idempotencyKey?: string) {
    const request = withPrompt(asked)
    const plan = yield* toPlan(request, config, accounts.of(teamId).plan)
    yield* accounts.cover(teamId, plan.limit)
    const job = { id: uuid7(), kind: "crawl" as const, teamId, url: request.url, request: JSON.stringify(request) }
    return yield* begin(job, [], crawling(plan), { idempotencyKey, webhook: request.webhook ?? undefined })
  })

  const startBatch = Effect.fn("CrawlJobs.startBatch")(function* (
    teamId: string,
    request: BatchRequest,
    idempotencyKey?: string
  ) {
    yield* accounts.cover(teamId, request.urls.length)
    if (request.appendToId != null) {
      const { id } = yield* get(teamId, request.appendToId, "batch")
      const isAdded = yield* store.append(id, (first) => BatchRun.seeds(request.urls, first))
      const job = yield* get(teamId, id, "batch")
      if (isAdded) return job
      return yield* new Conflict({ message: `the batch has ended already: it is ${job.status}; start another` })
    }
    const work = yield* batching(request, config)
    const job = {
      id: uuid7(),
      kind: "batch" as const,
      teamId,
      url: request.urls[0] ?? "",
      request: JSON.stringify(request)
    }
    return yield* begin(job, BatchRun.seeds(request.urls, 0), work, {
      idempotencyKey,
      webhook: request.webhook ?? undefined
    })
  })

  const get = Effect.fn("CrawlJobs.get")(function* (teamId: string, id: string, kind: Job["kind"]) {
    const job = Option.getOrUndefined(isUuid(id) ? yield* store.get(id) : Option.none())
    const now = yield* Clock.currentTimeMillis
    const isGone = job?.completedAt != null && job.completedAt + Limits.retentionMillis <= now
    if (job === undefined || job.teamId !== teamId || job.kind !== kind || isGone) {
      return yield* new NotFound({
        message: `no ${kind} has the id ${id}; results are kept for 24 hours after the end`
      })
    }
    return job
  })

  const cancel = Effect.fn("CrawlJobs.cancel")(function* (teamId: string, id: string, kind: Job["kind"]) {
    const job = yield* get(teamId, id, kind)
    const stop = Effect.andThen(FiberMap.remove(running, id), finish(id, { status: "cancelled" }, "anybody"))
    if (job.status === "scraping" && (yield* Effect.uninterruptible(stop))) return
    const { status } = yield* get(teamId, id, kind)
    return yield* new Conflict({ message: `the ${kind} has ended already: it is ${status}` })
  })

  /** A job that is not running never beats: who waits for it looks at the store first, and is not kept. */
  const beats = Effect.fnUntraced(function* (id: string) {
    const next = PubSub.take(yield* PubSub.subscribe(pulses.get(id) ?? (yield* PubSub.sliding<void>(1))))
    return lease.isShared ? Effect.asVoid(Effect.timeoutOption(next, lookAgainMillis)) : next
  })

  const hold = Effect.fnUntraced(function* (id: string, skip: number) {
    const beat = yield* beats(id)
    const isDue = Effect.gen(function* () {
      const job = yield* store.get(id)
      return Option.isNone(job) || job.value.status !== "scraping" || (yield* store.count(id)) > skip
    })
    const wait = Effect.gen(function* () {
      while (!(yield* isDue)) yield* beat
    })
    yield* Effect.timeoutOption(wait, Limits.holdMillis)
  }, Effect.scoped)

  const sweep = Effect.gen(function* () {
    const before = (yield* Clock.currentTimeMillis) - Limits.retentionMillis
    yield* webhooks.expire(before)
    yield* store.expire(before)
    yield* accountStore.expire(before)
  })
  // A sweep that fails is made up for by the next one.
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(sweep), Schedule.spaced("10 minutes")))

  const takeUp = Effect.gen(function* () {
    for (const job of yield* lease.take) {
      const work = yield* workOf(job, config, accounts.of(job.teamId).plan)
      if (Option.isSome(work)) yield* launch(job, work.value)
      else yield* finish(job.id, { status: "failed", error: unreadable }, "owner")
    }
  })
  /** Holds on to what runs here, stops what others have ended or taken, and takes up what a dead process left. */
  const tend = Effect.gen(function* () {
    const ids = Array.from(running, ([id]) => id)
    const held = yield* lease.renew(ids)
    for (const id of ids) if (!held.has(id)) yield* Effect.andThen(FiberMap.remove(running, id), drop(id))
    yield* takeUp
  })

  yield* takeUp
  if (lease.isShared) {
    // What fails is done again in time: a lease outlives several of these.
    const tended = Effect.ignore(Effect.timeoutOption(tend, leaseMillis))
    yield* Effect.forkScoped(Effect.repeat(tended, Schedule.spaced(renewMillis)))
  }

  return CrawlJobs.of({ start, startBatch, get, cancel, beats, hold })
})

/** Who waits for a job that may run elsewhere looks at the store again after this long. */
const lookAgainMillis = 500

const unreadable = "the service was restarted and can no longer read the job"

/** How each kind of job names its events. */
const eventGroups = { crawl: "crawl", batch: "batch_scrape" } as const

/** What a job does until it ends, told how to say that a page has ended and how to wait for its turn. */
type Work = (
  job: Job,
  turns: Crawler.Turns
) => Effect.Effect<void, Crawler.StartFailed | SqlError, CrawlStore | PoliteFetch | Scraper | SiteRules>

const crawling =
  (plan: Crawler.Plan): Work =>
  (job, turns) =>
    Crawler.run(job, plan, turns)

const batching = Effect.fnUntraced(function* (request: BatchRequest, config: ServiceConfig) {
  const plan = { concurrency: request.maxConcurrency ?? config.concurrency, scrape: yield* ScrapePlan.make(request) }
  const work: Work = (job, turns) => BatchRun.run(job, plan, turns)
  return work
})

/** The work of a stored job, from the request that it was started with. */
const workOf = Effect.fnUntraced(function* (job: Job, config: ServiceConfig, teamPlan: Plan) {
  if (job.kind === "batch") {
    const request = decodeBatch(job.request)
    return Option.isSome(request) ? yield* Effect.option(batching(request.value, config)) : Option.none<Work>()
  }
  const request = decodeCrawl(job.request)
  const plan = Option.isSome(request) ? yield* Effect.option(toPlan(request.value, config, teamPlan)) : Option.none()
  return Option.map(plan, crawling)
})

const decodeCrawl = Schema.decodeUnknownOption(Schema.fromJsonString(CrawlRequest))
const decodeBatch = Schema.decodeUnknownOption(Schema.fromJsonString(BatchRequest))

const reused = (jobId: string) =>
  new Conflict({
    message: "this x-idempotency-key has started a job before; its id is in details",
    code: idempotencyReused,
    details: [{ path: [idempotencyHeader], message: jobId }]
  })

/** What the crawler does for a request: defaults filled in, patterns compiled. */
const toPlan = Effect.fnUntraced(function* (request: CrawlRequest, config: ServiceConfig, teamPlan: Plan) {
  const filter = yield* PathFilter.make({
    includePaths: request.includePaths ?? [],
    excludePaths: request.excludePaths ?? [],
    regexOnFullURL: request.regexOnFullURL ?? false
  })
  const asked =
    request.ignoreRobotsTxt === true
      ? "ignoreRobotsTxt"
      : request.robotsUserAgent == null
        ? undefined
        : "robotsUserAgent"
  if (asked !== undefined && !teamPlan.robotsControl) {
    return yield* new Forbidden({ message: `${asked} needs a plan that allows it; leave it out to go on` })
  }
  const plan: Crawler.Plan = {
    rules: {
      start: new URL(request.url),
      maxDiscoveryDepth: request.maxDiscoveryDepth ?? undefined,
      crawlEntireDomain: request.crawlEntireDomain ?? false,
      allowSubdomains: request.allowSubdomains ?? false,
      allowExternalLinks: request.allowExternalLinks ?? false,
      filter
    },
    limit: request.limit ?? Limits.defaultCrawlLimit,
    sitemap: request.sitemap ?? "include",
    ignoreQueryParameters: request.ignoreQueryParameters ?? false,
    ignoreRobotsTxt: request.ignoreRobotsTxt ?? false,
    robotsUserAgent: request.robotsUserAgent ?? undefined,
    delayMillis: (request.delay ?? 0) * 1000,
    concurrency: Math.min(request.maxConcurrency ?? config.concurrency, teamPlan.concurrency),
    scrape: yield* ScrapePlan.make(request.scrapeOptions ?? undefined)
  }
  return plan
})

const explain = (cause: Cause.Cause<Crawler.StartFailed | SqlError>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error || error instanceof Crawler.StartFailed ? error.message : String(error)
}
