/**
 * The work of a job, from the request that started it.
 *
 * The same request gives the same work, whether it has just arrived or is read from the store after a restart.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { BatchRequest } from "#contract/Batch"
import { CrawlRequest } from "#contract/Crawl"
import { ExtractRequest } from "#contract/Extract"
import * as Settling from "#contract/Settling"
import type { Extractor } from "#extract/Extractor"
import * as ExtractPlan from "#extract/ExtractPlan"
import * as ExtractRun from "#extract/ExtractRun"
import type { AgentModel } from "#web/AgentModel"
import * as BatchRun from "#web/BatchRun"
import * as Crawler from "#web/Crawler"
import type { CrawlPlan } from "#web/CrawlPlan"
import type { CrawlStore } from "#web/CrawlStore"
import type { End, Job } from "#web/Job"
import type { JobStore } from "#web/JobStore"
import type { StartFailed } from "#web/PageVisit"
import type { PoliteFetch } from "#web/PoliteFetch"
import { planCrawl } from "#web/planCrawl"
import * as ScrapePlan from "#web/ScrapePlan"
import type { Scraper } from "#web/Scraper"
import type { Search } from "#web/Search"
import type { SiteRules } from "#web/SiteRules"
import type { StoreError } from "#web/StoreError"
import type { Turns } from "#web/Turns"
import type { Plan } from "../AccountPlan.ts"
import * as AgentPlan from "../agent/AgentPlan.ts"
import * as AgentRun from "../agent/AgentRun.ts"
import type { AgentStore } from "../agent/AgentStore.ts"
import * as StopReason from "../agent/StopReason.ts"
import type { Catalog } from "../Catalog.ts"
import { keepsNothing, retaining } from "../retention.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { isOpen } from "../store/secretFields.ts"

/** Runs a job to its end. `turns`: how its pages wait for their turn, and report their end. */
export type Work = (job: Job, turns: Turns) => Effect.Effect<End, WorkFailed | StoreError, Services>

/** The errors of work: the job fails for this reason. */
export type WorkFailed = StartFailed | ExtractRun.ExtractFailed

/** The services that work needs. */
export type Services =
  | AgentStore
  | AgentModel
  | Catalog
  | CrawlStore
  | Extractor
  | JobStore
  | PoliteFetch
  | Scraper
  | Search
  | SiteRules

const completed: End = { status: "completed" }

export const crawlWork =
  (plan: CrawlPlan): Work =>
  (job, turns) =>
    Effect.as(Crawler.run(job, plan, turns), completed)

export const batchWork = Effect.fnUntraced(function* (request: BatchRequest, config: ServiceConfig, teamPlan: Plan) {
  const plan = {
    concurrency: Math.min(request.maxConcurrency ?? teamPlan.concurrency, teamPlan.concurrency),
    patience: config.patience,
    scrape: yield* retaining(yield* ScrapePlan.ofOptions(request), !keepsNothing(request, teamPlan))
  }
  const work: Work = (job, turns) => Effect.as(BatchRun.run(job, plan, turns), completed)
  return work
})

export const extractWork =
  (plan: ExtractPlan.ExtractPlan): Work =>
  (job, turns) =>
    ExtractRun.run(job, plan, turns)

/** The input of the run is read from the store, because a turn continues the turns before it. */
export const agentWork: Work = (job, turns) =>
  AgentPlan.ofJob(job).pipe(
    Effect.flatMap((plan) => AgentRun.run(job, plan, turns)),
    Effect.catchTag("UnreadableRun", ({ message }) => AgentRun.unreadable(job, message)),
    // A run that fails because of our code or store is free. If the store is only away for a while, the run may continue later.
    Effect.catchTag("StoreError", (error) =>
      error.isRetryable
        ? Effect.fail(error)
        : Effect.andThen(Effect.logError("a run lost its store", error), AgentRun.unreadable(job, storeFailed))
    ),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("a run ended unexpectedly", defect),
        AgentRun.unreadable(job, StopReason.broken.error.message)
      )
    )
  )

/** A database error may name the address and user of the database, which only the operator may see. */
export const storeFailed = "the service could not read or write its store"

/** The work of a stored job; None: its request cannot be read. */
export const ofJob = Effect.fnUntraced(function* (job: Job, config: ServiceConfig, teamPlan: Plan) {
  // A job whose headers cannot be decrypted does not continue: the site would refuse its requests.
  if (!isOpen(job.request)) return Option.none<Work>()
  if (job.kind === "batch") {
    const request = decodeBatch(job.request)
    return Option.isSome(request)
      ? yield* Effect.option(batchWork(request.value, config, teamPlan))
      : Option.none<Work>()
  }
  if (job.kind === "agent") return Option.some(agentWork)
  if (job.kind === "extract") {
    const request = decodeExtract(job.request)
    const plan = Option.isSome(request) ? yield* Effect.option(ExtractPlan.ofRequest(request.value)) : Option.none()
    return Option.map(plan, (plan) => extractWork(plan))
  }
  const request = decodeCrawl(job.request)
  const plan = Option.isSome(request)
    ? yield* Effect.option(toPlan(request.value, config, teamPlan, settlingIn(job.request)))
    : Option.none()
  return Option.map(plan, crawlWork)
})

const Settles = Schema.fromJsonString(Schema.Struct({ settle: Schema.optionalKey(Settling.Settling) }))
export const settlingIn = (request: string): Settling.Settling | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(Settles)(request))?.settle
const decodeCrawl = Schema.decodeUnknownOption(Schema.fromJsonString(CrawlRequest))
const decodeExtract = Schema.decodeUnknownOption(Schema.fromJsonString(ExtractRequest))
const decodeBatch = Schema.decodeUnknownOption(Schema.fromJsonString(BatchRequest))

/** The plan of the crawler for a request, within the plan of its team. */
export const toPlan = Effect.fnUntraced(function* (
  request: CrawlRequest,
  { patience, perHost }: ServiceConfig,
  teamPlan: Plan,
  settles?: Settling.Settling
) {
  const { concurrency, robotsControl } = teamPlan
  const plan = yield* planCrawl(request, { concurrency, perHost, patience, robotsControl }, settles)
  return { ...plan, scrape: yield* retaining(plan.scrape, !keepsNothing(request, teamPlan)) }
})

/** The request of a crawl as it is stored, with its settling. */
export const stored = (request: CrawlRequest, settles: Settling.Settling | undefined): object =>
  settles === undefined ? request : { ...request, settle: settles }
