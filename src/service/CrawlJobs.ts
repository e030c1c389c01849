/**
 * Jobs of two kinds, crawls and batches: started, watched, cancelled, resumed.
 *
 * The law (specification, Crawl job): scraping ends once, as completed, failed or cancelled; a job and all it has are
 * gone 24 hours after it ended; a service that was killed takes its unfinished jobs up again when it starts. Where
 * several processes share the database, each job is run by one of them (`JobLease`) and answered for by all: they look
 * at the store, and the one that runs a job finds there that another has cancelled it.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { BatchRequest } from "../api/Batch.ts"
import type { CrawlRequest } from "../api/Crawl.ts"
import {
  type BadRequest,
  Conflict,
  type Forbidden,
  NotFound,
  type PaymentRequired,
  type Unprocessable
} from "../api/Errors.ts"
import { idempotencyHeader, idempotencyReused } from "../api/idempotencyHeader.ts"
import * as Limits from "../api/Limits.ts"
import type { Webhook } from "../api/Webhook.ts"
import { Accounts } from "./Accounts.ts"
import * as BatchRun from "./crawl/BatchRun.ts"
import * as JobRunner from "./JobRunner.ts"
import * as JobWork from "./JobWork.ts"
import { withPrompt } from "./promptOptions.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"
import { AccountStore } from "./store/AccountStore.ts"
import { CrawlStore } from "./store/CrawlStore.ts"
import type { DiscoveredUrl } from "./store/CrawlUrl.ts"
import type { Job } from "./store/Job.ts"
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
  const webhooks = yield* Webhooks
  const runner = yield* JobRunner.make(config)

  const begin = Effect.fnUntraced(function* (
    job: Omit<Job, "createdAt" | "status" | "completedAt" | "error" | "warning">,
    seeds: ReadonlyArray<DiscoveredUrl>,
    work: JobWork.Work,
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
    yield* Effect.uninterruptible(Effect.andThen(sql.withTransaction(enter), runner.launch(started, work)))
    return started
  })

  const start = Effect.fn("CrawlJobs.start")(function* (teamId: string, asked: CrawlRequest, idempotencyKey?: string) {
    const request = withPrompt(asked)
    const plan = yield* JobWork.toPlan(request, config, accounts.of(teamId).plan)
    yield* accounts.cover(teamId, plan.limit)
    const job = { id: uuid7(), kind: "crawl" as const, teamId, url: request.url, request: JSON.stringify(request) }
    return yield* begin(job, [], JobWork.crawling(plan), { idempotencyKey, webhook: request.webhook ?? undefined })
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
    const work = yield* JobWork.batching(request, config)
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
    if (job.status === "scraping" && (yield* runner.stop(id, { status: "cancelled" }))) return
    const { status } = yield* get(teamId, id, kind)
    return yield* new Conflict({ message: `the ${kind} has ended already: it is ${status}` })
  })

  const hold = Effect.fnUntraced(function* (id: string, skip: number) {
    const beat = yield* runner.beats(id)
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

  return CrawlJobs.of({ start, startBatch, get, cancel, beats: runner.beats, hold })
})

/** How each kind of job names its events. */
const eventGroups = { crawl: "crawl", batch: "batch_scrape" } as const

const reused = (jobId: string) =>
  new Conflict({
    message: "this x-idempotency-key has started a job before; its id is in details",
    code: idempotencyReused,
    details: [{ path: [idempotencyHeader], message: jobId }]
  })
