/**
 * Starts and cancels crawls and batches, and waits for their documents. What all jobs have in common is in `Jobs`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { BatchRequest } from "#contract/Batch"
import type { CrawlRequest } from "#contract/Crawl"
import {
  type BadRequest,
  Conflict,
  type Forbidden,
  type NotFound,
  type PaymentRequired,
  type Unprocessable
} from "#contract/Errors"
import type { Settling } from "#contract/Settling"
import * as BatchRun from "#web/BatchRun"
import { CrawlStore } from "#web/CrawlStore"
import type { Job } from "#web/Job"
import * as PageDocuments from "#web/PageDocuments"
import * as ScrapePlan from "#web/ScrapePlan"
import type { StoreError } from "#web/StoreError"
import { Accounts } from "../accounts/Accounts.ts"
import { keepsNothing } from "../retention.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { Seals } from "../store/Seals.ts"
import { Jobs } from "./Jobs.ts"
import * as JobWork from "./JobWork.ts"
import { withPrompt } from "./promptOptions.ts"

type Kind = "crawl" | "batch"

export class CrawlJobs extends Context.Service<
  CrawlJobs,
  {
    /** Starts a crawl. If the key has started a job before, it fails with a Conflict that names this job. */
    readonly start: (
      teamId: string,
      request: CrawlRequest,
      idempotencyKey?: string,
      settles?: Settling
    ) => Effect.Effect<Job, BadRequest | Forbidden | PaymentRequired | Conflict | Unprocessable | StoreError>
    /** Starts a batch of these URLs, or adds them to a running one. */
    readonly startBatch: (
      teamId: string,
      request: BatchRequest,
      idempotencyKey?: string
    ) => Effect.Effect<Job, BadRequest | PaymentRequired | Conflict | NotFound | Unprocessable | StoreError>
    readonly get: (teamId: string, id: string, kind: Kind) => Effect.Effect<Job, NotFound | StoreError>
    readonly cancel: (teamId: string, id: string, kind: Kind) => Effect.Effect<void, NotFound | Conflict | StoreError>
    /** Waits for a document past `skip` or the end of the job, at most `Limits.holdMillis`. */
    readonly hold: (id: string, skip: number) => Effect.Effect<void, StoreError>
  }
>()("millrace/service/CrawlJobs") {
  static readonly layer = (config: ServiceConfig) => Layer.effect(CrawlJobs, make(config))
}

const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  const jobs = yield* Jobs
  const store = yield* CrawlStore
  const accounts = yield* Accounts
  const seals = yield* Seals

  const start = Effect.fn("CrawlJobs.start")(function* (
    teamId: string,
    original: CrawlRequest,
    idempotencyKey?: string,
    settles?: Settling
  ) {
    const request = withPrompt(original)
    const isSealed = keepsNothing(request, accounts.of(teamId).plan)
    // Settling needs the content of pages, and a sealed job keeps none.
    const plan = yield* JobWork.toPlan(request, config, accounts.of(teamId).plan, isSealed ? undefined : settles)
    yield* accounts.cover(teamId, plan.limit * PageDocuments.leastCredits(plan.scrape))
    return yield* jobs.begin({
      kind: "crawl",
      teamId,
      url: request.url,
      request: JobWork.stored(request, settles),
      isSealed,
      work: JobWork.crawlWork(plan),
      idempotencyKey,
      webhook: request.webhook
    })
  })

  const startBatch = Effect.fn("CrawlJobs.startBatch")(function* (
    teamId: string,
    request: BatchRequest,
    idempotencyKey?: string
  ) {
    const isSealed = keepsNothing(request, accounts.of(teamId).plan)
    const scrape = yield* ScrapePlan.ofOptions(request)
    yield* accounts.cover(teamId, request.urls.length * PageDocuments.leastCredits(scrape))
    if (request.appendToId != null) {
      const batch = yield* jobs.get(teamId, request.appendToId, "batch")
      const { id } = batch
      if (batch.isSealed === true ? seals.ofJob(id) === undefined : isSealed) {
        const why = isSealed && batch.isSealed !== true ? "keeps its pages" : "runs in another process"
        return yield* new Conflict({ message: `the batch ${why}: with zero data retention, start another` })
      }
      const isAdded = yield* store.append(id, (first) => BatchRun.seeds(request.urls, first))
      const job = yield* jobs.get(teamId, id, "batch")
      if (isAdded) return job
      return yield* new Conflict({ message: `the batch has ended already: it is ${job.status}; start another` })
    }
    return yield* jobs.begin({
      kind: "batch",
      teamId,
      url: request.urls[0] ?? "",
      request,
      work: yield* JobWork.batchWork(request, config, accounts.of(teamId).plan),
      isSealed,
      seeds: BatchRun.seeds(request.urls, 0),
      idempotencyKey,
      webhook: request.webhook
    })
  })

  const cancel = Effect.fn("CrawlJobs.cancel")(function* (teamId: string, id: string, kind: Kind) {
    const job = yield* jobs.get(teamId, id, kind)
    if (job.status === "scraping" && (yield* jobs.stop(id, { status: "cancelled" }))) return
    const { status } = yield* jobs.get(teamId, id, kind)
    return yield* new Conflict({ message: `the ${kind} has ended already: it is ${status}` })
  })

  const hold = (id: string, skip: number) =>
    jobs.hold(
      id,
      Effect.map(store.count(id), (count) => count > skip)
    )

  return CrawlJobs.of({ start, startBatch, get: jobs.get, cancel, hold })
})
