/**
 * The handlers of the agent group.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import { type AgentRequest, type AgentStatus, type AgentThread, agentModel } from "#contract/Agent"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { BadRequest, NotFound } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import { isUuid } from "#contract/uuid7"
import { CrawlStore } from "#web/CrawlStore"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import type { StoreError } from "#web/StoreError"
import * as AgentPlan from "../../agent/AgentPlan.ts"
import * as AgentResult from "../../agent/AgentResult.ts"
import { AgentStore, type Run, type Thread } from "../../agent/AgentStore.ts"
import { activeSessions } from "../../agent/activeSessions.ts"
import { AgentJobs } from "../../jobs/AgentJobs.ts"
import { storeFailed } from "../failures.ts"
import { idempotencyKey, requestOrigin } from "../requestHeaders.ts"

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
    const runs = yield* store.list(teamId, before ?? Number.MAX_SAFE_INTEGER, Limits.agentPageSize + 1)
    const page = pageOf(runs)
    const last = page.at(-1)
    const next =
      last === undefined || runs.length <= Limits.agentPageSize
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
const pageOf = <A extends { readonly createdAt: number }>(entries: ReadonlyArray<A>): ReadonlyArray<A> => {
  const next = entries[Limits.agentPageSize]
  const page = entries.slice(0, Limits.agentPageSize)
  const whole = next === undefined ? page : page.filter(({ createdAt }) => createdAt > next.createdAt)
  return whole.length > 0 ? whole : page
}

/** What an answer needs besides the run. */
interface Around {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The scheme and host with which the caller reached the service. */
  readonly origin: string
}

/** Converts agent runs to answers of the contract: status, list entries, threads. */
export const statusOf = (run: Run, credits: number, { now, origin }: Around): AgentStatus => {
  const { job, mode, threadId, turn } = run
  const request = requestOf(job)
  const result = resultOf(run, origin)
  const isFailed = stateOf(job) === "failed"
  return {
    success: !isFailed,
    id: job.id,
    status: stateOf(job),
    ...(job.error === null ? {} : { error: job.error }),
    model: agentModel,
    ...(request?.effort == null ? {} : { effort: request.effort }),
    mode,
    threadId,
    threadTurn: turn,
    createdAt: new Date(job.createdAt).toISOString(),
    expiresAt: new Date((job.completedAt ?? now) + Limits.retentionMillis).toISOString(),
    creditsUsed: isFailed ? 0 : credits,
    ...(job.isFree === true ? { free: true } : {}),
    ...(result === undefined ? { exchange: noExchange(request) } : Struct.omit(result, ["outcome"]))
  }
}

/** The result of a run, with the answer to its approval. */
const resultOf = ({ resolution, result }: Run, origin: string): AgentResult.AgentResult | undefined => {
  const read = AgentResult.read(result)
  if (read === undefined) return undefined
  const { exchange, pendingApproval: pending } = read
  const { requiresAction: action, skippedProviders: skipped } = exchange
  // Terms without a URL have a page of this service: its URL gets the host that the caller used.
  const absolute = (address: string) => URL.parse(address, origin)?.href ?? address
  const located = <A extends { readonly url: string }>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
    all.map((one) => ({ ...one, url: absolute(one.url) }))
  return {
    ...read,
    exchange: {
      ...exchange,
      skippedProviders: skipped.map((one) => ({ ...one, termsUrl: absolute(one.termsUrl) })),
      ...(action === undefined ? {} : { requiresAction: { ...action, providers: located(action.providers) } })
    },
    ...(pending === undefined ? {} : { pendingApproval: { ...pending, terms: located(pending.terms), resolution } })
  }
}

const noExchange = (request: AgentRequest | undefined): AgentStatus["exchange"] => ({
  enabled: request?.exchange?.enabled ?? true,
  onTermsRequired: request?.exchange?.onTermsRequired ?? "skip",
  paidCalls: 0,
  creditsUsed: null,
  skippedProviders: []
})

export const entryOf = (job: Job) => {
  const request = requestOf(job)
  const prompt = request?.prompt ?? ""
  return {
    id: job.id,
    createdAt: new Date(job.createdAt).toISOString(),
    targetHint: (request?.urls?.[0] ?? prompt).slice(0, hintLength),
    origin: request?.origin ?? "api",
    ...(request?.integration == null ? {} : { integration: request.integration }),
    settings: { hidden: false, starred: false },
    status: stateOf(job),
    options: {
      prompt,
      ...(request?.urls == null ? {} : { urls: request.urls }),
      ...(request?.schema == null ? {} : { schema: request.schema }),
      model: agentModel,
      ...(request?.effort == null ? {} : { effort: request.effort })
    }
  }
}

const hintLength = 100

export const threadOf = (
  thread: Thread,
  runs: ReadonlyArray<Run>,
  creditsOf: (id: string) => number,
  { origin, withData }: { readonly origin: string; readonly withData: boolean }
): (typeof AgentThread.Type)["thread"] => {
  const last = runs.at(-1)?.job
  return {
    id: thread.id,
    createdAt: new Date(thread.createdAt).toISOString(),
    updatedAt: new Date(last?.completedAt ?? last?.createdAt ?? thread.createdAt).toISOString(),
    status: last?.status === "scraping" ? "running" : "idle",
    runs: runs.map((run) => turnOf(run, creditsOf(run.job.id), resultOf(run, origin), withData))
  }
}

const turnOf = (run: Run, credits: number, result: AgentResult.AgentResult | undefined, withData: boolean) => {
  const { job, mode, turn } = run
  const request = requestOf(job)
  const isOver = job.status !== "scraping"
  return {
    id: job.id,
    turn,
    mode,
    prompt: request?.prompt ?? "",
    ...(request?.urls == null ? {} : { urls: request.urls }),
    ...(request?.schema == null ? {} : { schema: request.schema }),
    ...(request?.effort == null ? {} : { effort: request.effort }),
    status: isOver ? (result?.outcome ?? "failed") : ("processing" as const),
    createdAt: new Date(job.createdAt).toISOString(),
    finishedAt: job.completedAt === null ? null : new Date(job.completedAt).toISOString(),
    creditsUsed: !isOver ? null : job.status === "completed" ? credits : 0,
    message: result?.message ?? null,
    ...(withData && result?.data !== undefined ? { data: result.data } : {}),
    suggestions: result?.suggestions ?? null,
    pendingApproval: result?.pendingApproval ?? null,
    exchange: result?.exchange ?? null
  }
}

/** The state in answers: a cancelled run is `failed` (specification, Events). */
const stateOf = ({ status }: Job): AgentStatus["status"] =>
  status === "scraping" ? "processing" : status === "completed" ? "completed" : "failed"

const requestOf = ({ request }: Job): AgentRequest | undefined => Option.getOrUndefined(AgentPlan.decode(request))
