/**
 * What monitors need of the service: the jobs of their targets, the credits of their teams, and their webhooks.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { BatchRequest } from "#contract/Batch"
import * as Watching from "#contract/Watching"
import * as BatchRun from "#web/BatchRun"
import type { StoreError } from "#web/StoreError"
import { Accounts } from "../accounts/Accounts.ts"
import { type Beginning, Jobs } from "../jobs/Jobs.ts"
import * as JobWork from "../jobs/JobWork.ts"
import { CheckWebhooks, type JobTarget, TargetJobs, TeamCredits } from "../monitor/MonitorPorts.ts"
import { refuse } from "../retention.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"

export const layer = (config: ServiceConfig) =>
  Layer.mergeAll(layerTargetJobs(config), layerTeamCredits, layerCheckWebhooks)

/** The crawl or batch of a target is a job like any other, with the plan of its team. */
const makeTargetJobs = Effect.fnUntraced(function* (config: ServiceConfig) {
  const jobs = yield* Jobs
  const accounts = yield* Accounts

  const jobOf = Effect.fnUntraced(function* (teamId: string, target: JobTarget) {
    // The team may have got zero data retention after it made the monitor.
    yield* refuse(accounts.of(teamId).plan, "monitors, which keep pages to compare them")
    if (target.type === "crawl") {
      const request = Watching.crawlOf(target)
      const plan = yield* JobWork.toPlan(request, config, accounts.of(teamId).plan)
      const job: Beginning = { kind: "crawl", teamId, url: request.url, request, work: JobWork.crawlWork(plan) }
      return job
    }
    const request = batchOf(target)
    const work = yield* JobWork.batchWork(request, config, accounts.of(teamId).plan)
    const seeds = BatchRun.seeds(request.urls, 0)
    const job: Beginning = { kind: "batch", teamId, url: request.urls[0] ?? "", request, work, seeds }
    return job
  })

  const begin = Effect.fnUntraced(function* (
    teamId: string,
    target: JobTarget,
    also: (jobId: string) => Effect.Effect<void, StoreError>
  ) {
    const job = yield* jobOf(teamId, target)
    const begun = jobs.begin({ ...job, also: ({ id }) => also(id) })
    // Only a job with an idempotency key can fail with a Conflict, and this one has none.
    yield* Effect.catchTag(begun, "Conflict", Effect.die)
  })

  const ended = Effect.fnUntraced(function* (teamId: string, type: JobTarget["type"], id: string) {
    for (;;) {
      const job = yield* jobs.get(teamId, id, type === "crawl" ? "crawl" : "batch")
      if (job.status !== "scraping") return job
      yield* jobs.hold(id, Effect.succeed(false))
    }
  })

  return TargetJobs.of({
    validate: (teamId, target) => Effect.asVoid(jobOf(teamId, target)),
    begin,
    ended,
    stop: (id) => Effect.asVoid(jobs.stop(id, { status: "cancelled" }))
  })
})

const batchOf = ({ scrapeOptions, urls }: Extract<JobTarget, { readonly type: "scrape" }>): BatchRequest => ({
  urls: [...new Set(urls)],
  ...Watching.scrapeOptionsOf(scrapeOptions ?? undefined)
})

const layerTargetJobs = (config: ServiceConfig) => Layer.effect(TargetJobs, makeTargetJobs(config))

/**
 * `TeamCredits` of the service: the credits of the plan, less all that is used and reserved.
 */
const makeTeamCredits = Effect.map(Accounts, ({ available, reserving }) =>
  TeamCredits.of({ remaining: available, reserving })
)

const layerTeamCredits = Layer.effect(TeamCredits, makeTeamCredits)

/**
 * `CheckWebhooks` of the service: the events of a check are sent like those of jobs, in the group `monitor`.
 */
const makeCheckWebhooks = Effect.map(Webhooks, ({ subscribe, wake }) =>
  CheckWebhooks.of({
    subscribe: ({ id, teamId }, webhook) => subscribe({ id, teamId, group: "monitor" }, webhook),
    send: wake
  })
)

const layerCheckWebhooks = Layer.effect(CheckWebhooks, makeCheckWebhooks)
