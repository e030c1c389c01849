/**
 * The handlers of the agent group.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { BadRequest, NotFound } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import { isUuid } from "#contract/uuid7"
import { CrawlStore } from "#web/CrawlStore"
import { JobStore } from "#web/JobStore"
import { AgentStore } from "../../agent/AgentStore.ts"
import { activeSessions } from "../../agent/activeSessions.ts"
import { entryOf, statusOf, threadOf } from "../../agent/agentViews.ts"
import { AgentJobs } from "../../jobs/AgentJobs.ts"
import { storeFailed } from "../failures.ts"
import { idempotencyKey } from "../idempotencyKey.ts"
import { requestOrigin } from "../requestOrigin.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "agent",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* AgentJobs
    const store = yield* AgentStore
    const jobStore = yield* JobStore
    const ledger = yield* CrawlStore
    const creditsOf = (id: string) => Effect.map(ledger.ledger(id), ({ credits }) => credits)

    /** The run, if it has a trace and snapshots: an extract has neither. */
    const traced = Effect.fnUntraced(function* (id: string, what: "Trace is" | "Snapshots are") {
      const { teamId } = yield* Caller
      const job = isUuid(id) ? Option.getOrUndefined(yield* jobStore.get(id)) : undefined
      if (job?.kind === "extract" && job.teamId === teamId) {
        return yield* new BadRequest({ message: `${what} only available for Spark 2 extracts` })
      }
      return yield* jobs.get(teamId, id)
    })

    return handlers
      .handle(
        "start",
        Effect.fnUntraced(function* ({ payload, request }) {
          const { teamId } = yield* Caller
          const started = yield* jobs.start(teamId, payload, yield* idempotencyKey(request))
          return { success: true as const, ...started }
        })
      )
      .handle(
        "list",
        Effect.fnUntraced(
          function* ({ query, request }) {
            const { teamId } = yield* Caller
            const before = query.before ?? Number.MAX_SAFE_INTEGER
            const found = yield* store.list(teamId, before, Limits.agentPageSize + 1)
            const page = pageOf(found)
            const last = page.at(-1)
            const next =
              last === undefined || found.length <= Limits.agentPageSize
                ? {}
                : { next: `${requestOrigin(request)}/v2/agent?before=${last.createdAt}` }
            return { success: true as const, agents: page.map(entryOf), ...next }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "thread",
        Effect.fnUntraced(
          function* ({ params, query, request }) {
            const { teamId } = yield* Caller
            const { runs, thread } = yield* jobs.thread(teamId, params.id)
            const credits = new Map(
              yield* Effect.forEach(runs, ({ job }) =>
                Effect.map(creditsOf(job.id), (spent) => [job.id, spent] as const)
              )
            )
            const view = threadOf(thread, runs, (id) => credits.get(id) ?? 0, {
              origin: requestOrigin(request),
              withData: query.includeData === "true"
            })
            return { success: true as const, thread: view }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "status",
        Effect.fnUntraced(
          function* ({ params, request }) {
            const { teamId } = yield* Caller
            const run = yield* jobs.get(teamId, params.jobId)
            const around = { now: yield* Clock.currentTimeMillis, origin: requestOrigin(request) }
            return statusOf(run, yield* creditsOf(run.job.id), around)
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "cancel",
        Effect.fnUntraced(
          function* ({ params }) {
            const { teamId } = yield* Caller
            yield* jobs.cancel(teamId, params.jobId)
            return { success: true as const }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "trace",
        Effect.fnUntraced(
          function* ({ params, query }) {
            const { job } = yield* traced(params.jobId, "Trace is")
            const events = yield* store.events(job.id)
            const credits = job.status === "scraping" || job.status === "completed" ? yield* creditsOf(job.id) : 0
            const sessions = query.liveView === "true" ? { activeBrowserSessions: activeSessions(events) } : {}
            return { success: true as const, id: job.id, events, creditsUsed: credits, ...sessions }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
      .handle(
        "snapshot",
        Effect.fnUntraced(
          function* ({ params }) {
            const { job } = yield* traced(params.jobId, "Snapshots are")
            if (!isUuid(params.snapshotId)) return yield* new BadRequest({ message: "Invalid snapshot ID" })
            const content = yield* store.snapshot(job.id, params.snapshotId)
            if (Option.isNone(content)) return yield* new NotFound({ message: "Snapshot not found" })
            return { success: true as const, id: job.id, snapshotId: params.snapshotId, snapshot: content.value }
          },
          Effect.catchTag("StoreError", storeFailed)
        )
      )
  })
)

/** One page of runs. Runs of the same millisecond stay together, so that paging by `before` loses none. */
const pageOf = <A extends { readonly createdAt: number }>(found: ReadonlyArray<A>): ReadonlyArray<A> => {
  const next = found[Limits.agentPageSize]
  const page = found.slice(0, Limits.agentPageSize)
  const whole = next === undefined ? page : page.filter(({ createdAt }) => createdAt > next.createdAt)
  return whole.length > 0 ? whole : page
}
