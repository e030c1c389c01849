/**
 * Crawl jobs: started, watched, cancelled, resumed.
 *
 * The law (specification, Crawl job): scraping ends once, as completed, failed or cancelled; a job and all it has are
 * gone 24 hours after it ended; a service that was killed takes its unfinished jobs up again when it starts.
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
import type { SqlError } from "effect/sql/SqlError"
import { CrawlRequest } from "../api/Crawl.ts"
import { type BadRequest, Conflict, Forbidden, NotFound, type Unprocessable } from "../api/Errors.ts"
import * as Limits from "../api/Limits.ts"
import * as Crawler from "./crawl/Crawler.ts"
import * as PathFilter from "./crawl/PathFilter.ts"
import { PoliteFetch } from "./crawl/PoliteFetch.ts"
import { SiteRules } from "./crawl/SiteRules.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"
import * as ScrapePlan from "./scrape/ScrapePlan.ts"
import type { Scraper } from "./scrape/Scraper.ts"
import { CrawlStore, type Job } from "./store/CrawlStore.ts"
import { isUuid, uuid7 } from "./uuid7.ts"

export class CrawlJobs extends Context.Service<
  CrawlJobs,
  {
    readonly start: (
      teamId: string,
      request: CrawlRequest
    ) => Effect.Effect<Job, BadRequest | Forbidden | Unprocessable | SqlError>
    readonly get: (teamId: string, id: string) => Effect.Effect<Job, NotFound | SqlError>
    readonly cancel: (teamId: string, id: string) => Effect.Effect<void, NotFound | Conflict | SqlError>
    /** The job's pulse: one beat after each page's end and after the job's. */
    readonly beats: (id: string) => Effect.Effect<PubSub.Subscription<void>, never, Scope.Scope>
    /** Waits for a document past `skip` or the end of the job, at most `Limits.holdMillis`. */
    readonly hold: (id: string, skip: number) => Effect.Effect<void, SqlError>
  }
>()("millrace/service/CrawlJobs") {
  static readonly layer = (config: ServiceConfig) => Layer.effect(CrawlJobs, make(config))
}

const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  const store = yield* CrawlStore
  const services = yield* Effect.context<CrawlStore | PoliteFetch | Scraper | SiteRules>()
  const running = yield* FiberMap.make<string>()
  const pulses = new Map<string, PubSub.PubSub<void>>()

  const beat = (id: string) => {
    const pulse = pulses.get(id)
    return pulse === undefined ? Effect.void : PubSub.publish(pulse, undefined)
  }

  const finish = Effect.fnUntraced(function* (id: string, end: Parameters<typeof store.finish>[1]) {
    const ended = yield* store.finish(id, end)
    yield* beat(id)
    return ended
  })

  const run = (job: Job, plan: Crawler.Plan) =>
    Crawler.run(job, plan, Effect.asVoid(beat(job.id))).pipe(
      Effect.matchCauseEffect({
        onSuccess: () => finish(job.id, { status: "completed" }),
        onFailure: (cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.void : finish(job.id, { status: "failed", error: explain(cause) })
      }),
      Effect.ensuring(Effect.sync(() => pulses.delete(job.id))),
      Effect.provideContext(services)
    )

  const launch = Effect.fnUntraced(function* (job: Job, plan: Crawler.Plan) {
    pulses.set(job.id, yield* PubSub.sliding<void>(1))
    yield* FiberMap.run(running, job.id, run(job, plan))
  })

  const start = Effect.fn("CrawlJobs.start")(function* (teamId: string, request: CrawlRequest) {
    const plan = yield* toPlan(request, config)
    const job: Job = {
      id: uuid7(),
      teamId,
      url: request.url,
      request: JSON.stringify(request),
      status: "scraping",
      createdAt: yield* Clock.currentTimeMillis,
      completedAt: null,
      error: null,
      warning: null
    }
    yield* store.create(job)
    yield* launch(job, plan)
    return job
  })

  const get = Effect.fn("CrawlJobs.get")(function* (teamId: string, id: string) {
    const job = Option.getOrUndefined(isUuid(id) ? yield* store.get(id) : Option.none())
    const now = yield* Clock.currentTimeMillis
    const isGone = job?.completedAt != null && job.completedAt + Limits.retentionMillis <= now
    if (job === undefined || job.teamId !== teamId || isGone) {
      return yield* new NotFound({ message: `no crawl has the id ${id}; results are kept for 24 hours after the end` })
    }
    return job
  })

  const cancel = Effect.fn("CrawlJobs.cancel")(function* (teamId: string, id: string) {
    const job = yield* get(teamId, id)
    if (job.status !== "scraping") {
      return yield* new Conflict({ message: `the crawl has ended already: it is ${job.status}` })
    }
    yield* FiberMap.remove(running, id)
    yield* finish(id, { status: "cancelled" })
  })

  /** A job that is not running never beats: who waits for it looks at the store first, and is not kept. */
  const beats = Effect.fnUntraced(function* (id: string) {
    return yield* PubSub.subscribe(pulses.get(id) ?? (yield* PubSub.sliding<void>(1)))
  })

  const hold = Effect.fnUntraced(function* (id: string, skip: number) {
    const pulse = yield* beats(id)
    const isDue = Effect.gen(function* () {
      const job = yield* store.get(id)
      return Option.isNone(job) || job.value.status !== "scraping" || (yield* store.count(id)) > skip
    })
    const wait = Effect.gen(function* () {
      while (!(yield* isDue)) yield* PubSub.take(pulse)
    })
    yield* Effect.timeoutOption(wait, Limits.holdMillis)
  }, Effect.scoped)

  const sweep = Effect.gen(function* () {
    yield* store.expire((yield* Clock.currentTimeMillis) - Limits.retentionMillis)
  })
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced("10 minutes")))

  for (const job of yield* store.unfinished) {
    const request = Schema.decodeUnknownOption(Schema.fromJsonString(CrawlRequest))(job.request)
    const plan = Option.isSome(request) ? yield* Effect.option(toPlan(request.value, config)) : Option.none()
    if (Option.isSome(plan)) yield* launch(job, plan.value)
    else yield* finish(job.id, { status: "failed", error: "the service was restarted and can no longer read the job" })
  }

  return CrawlJobs.of({ start, get, cancel, beats, hold })
})

/** What the crawler does for a request: defaults filled in, patterns compiled. */
const toPlan = Effect.fnUntraced(function* (request: CrawlRequest, config: ServiceConfig) {
  const filter = yield* PathFilter.make({
    includePaths: request.includePaths ?? [],
    excludePaths: request.excludePaths ?? [],
    regexOnFullURL: request.regexOnFullURL ?? false
  })
  if (request.ignoreRobotsTxt === true) {
    return yield* new Forbidden({ message: "ignoreRobotsTxt needs a plan that allows it; leave it out to go on" })
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
    ignoreRobotsTxt: false,
    robotsUserAgent: request.robotsUserAgent ?? undefined,
    delayMillis: (request.delay ?? 0) * 1000,
    concurrency: Math.min(request.maxConcurrency ?? config.concurrency, 64),
    scrape: yield* ScrapePlan.make(request.scrapeOptions ?? undefined)
  }
  return plan
})

const explain = (cause: Cause.Cause<Crawler.StartFailed | SqlError>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error || error instanceof Crawler.StartFailed ? error.message : String(error)
}
