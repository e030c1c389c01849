/**
 * The handlers of the agent group.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import type { AgentRequest } from "#contract/Agent"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { BadRequest, NotFound } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import { isUuid } from "#contract/uuid7"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import type { StoreError } from "#web/StoreError"
import { AgentStore } from "../../agent/AgentStore.ts"
import { activeSessions } from "../../agent/activeSessions.ts"
import { entryOf, statusOf, threadOf } from "../../agent/agentViews.ts"
import { AgentJobs } from "../../jobs/AgentJobs.ts"
import { storeFailed } from "../failures.ts"
import { idempotencyKey } from "../idempotencyKey.ts"
import { requestOrigin } from "../requestOrigin.ts"

interface Services {
  readonly jobs: AgentJobs["Service"]
  readonly store: AgentStore["Service"]
  readonly jobStore: JobStore["Service"]
  readonly creditsOf: (id: string) => Effect.Effect<number, StoreError>
}

export const layer = HttpApiBuilder.group(
  Api,
  "agent",
  Effect.fnUntraced(function* (handlers) {
    const ledger = yield* CrawlStore
    const services: Services = {
      jobs: yield* AgentJobs,
      store: yield* AgentStore,
      jobStore: yield* JobStore,
      creditsOf: (id) => Effect.map(ledger.ledger(id), ({ credits }) => credits)
    }
    return handlers
      .handle("start", ({ payload, request }) => start(services, payload, request))
      .handle("list", ({ query, request }) => list(services, requestOrigin(request), query.before))
      .handle("thread", ({ params, query, request }) =>
        thread(services, params.id, { origin: requestOrigin(request), withData: query.includeData === "true" })
      )
      .handle("status", ({ params, request }) => status(services, params.jobId, requestOrigin(request)))
      .handle("cancel", ({ params }) => cancel(services, params.jobId))
      .handle("trace", ({ params, query }) => trace(services, params.jobId, query.liveView === "true"))
      .handle("snapshot", ({ params }) => snapshot(services, params.jobId, params.snapshotId))
  })
)

const start = Effect.fnUntraced(function* (
  { jobs }: Services,
  payload: AgentRequest,
  request: HttpServerRequest.HttpServerRequest
) {
  const { teamId } = yield* Caller
  const started = yield* jobs.start(teamId, payload, yield* idempotencyKey(request))
  return { success: true as const, ...started }
})

const list = Effect.fnUntraced(
  function* ({ store }: Services, origin: string, before: number | undefined) {
    const { teamId } = yield* Caller
    const found = yield* store.list(teamId, before ?? Number.MAX_SAFE_INTEGER, Limits.agentPageSize + 1)
    const page = pageOf(found)
    const last = page.at(-1)
    const next =
      last === undefined || found.length <= Limits.agentPageSize
        ? {}
        : { next: `${origin}/v2/agent?before=${last.createdAt}` }
    return { success: true as const, agents: page.map(entryOf), ...next }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const thread = Effect.fnUntraced(
  function* ({ creditsOf, jobs }: Services, id: string, view: Parameters<typeof threadOf>[3]) {
    const { teamId } = yield* Caller
    const { runs, thread } = yield* jobs.thread(teamId, id)
    const credits = new Map(
      yield* Effect.forEach(runs, ({ job }) => Effect.map(creditsOf(job.id), (spent) => [job.id, spent] as const))
    )
    return { success: true as const, thread: threadOf(thread, runs, (id) => credits.get(id) ?? 0, view) }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const status = Effect.fnUntraced(
  function* ({ creditsOf, jobs }: Services, id: string, origin: string) {
    const { teamId } = yield* Caller
    const run = yield* jobs.get(teamId, id)
    const around = { now: yield* Clock.currentTimeMillis, origin }
    return statusOf(run, yield* creditsOf(run.job.id), around)
  },
  Effect.catchTag("StoreError", storeFailed)
)

const cancel = Effect.fnUntraced(
  function* ({ jobs }: Services, id: string) {
    const { teamId } = yield* Caller
    yield* jobs.cancel(teamId, id)
    return { success: true as const }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const trace = Effect.fnUntraced(
  function* (services: Services, id: string, isLive: boolean) {
    const { job } = yield* traced(services, id, "Trace is")
    const events = yield* services.store.events(job.id)
    const hasCredits = job.status === "scraping" || job.status === "completed"
    const creditsUsed = hasCredits ? yield* services.creditsOf(job.id) : 0
    const sessions = isLive ? { activeBrowserSessions: activeSessions(events) } : {}
    return { success: true as const, id: job.id, events, creditsUsed, ...sessions }
  },
  Effect.catchTag("StoreError", storeFailed)
)

const snapshot = Effect.fnUntraced(
  function* (services: Services, id: string, snapshotId: string) {
    const { job } = yield* traced(services, id, "Snapshots are")
    if (!isUuid(snapshotId)) return yield* new BadRequest({ message: "Invalid snapshot ID" })
    const content = yield* services.store.snapshot(job.id, snapshotId)
    if (Option.isNone(content)) return yield* new NotFound({ message: "Snapshot not found" })
    return { success: true as const, id: job.id, snapshotId, snapshot: content.value }
  },
  Effect.catchTag("StoreError", storeFailed)
)

/** The run, if it has a trace and snapshots: an extract has neither. */
const traced = Effect.fnUntraced(function* (
  { jobs, jobStore }: Services,
  id: string,
  what: "Trace is" | "Snapshots are"
) {
  const { teamId } = yield* Caller
  const job = isUuid(id) ? Option.getOrUndefined(yield* jobStore.get(id)) : undefined
  if (job?.kind === "extract" && job.teamId === teamId) {
    return yield* new BadRequest({ message: `${what} only available for Spark 2 extracts` })
  }
  return yield* jobs.get(teamId, id)
})

/** One page of runs. Runs of the same millisecond stay together, so that paging by `before` loses none. */
const pageOf = <A extends { readonly createdAt: number }>(found: ReadonlyArray<A>): ReadonlyArray<A> => {
  const next = found[Limits.agentPageSize]
  const page = found.slice(0, Limits.agentPageSize)
  const whole = next === undefined ? page : page.filter(({ createdAt }) => createdAt > next.createdAt)
  return whole.length > 0 ? whole : page
}
