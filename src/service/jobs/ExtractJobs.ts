/**
 * Starts, reads and cancels extracts. What all jobs have in common is in `Jobs`.
 *
 * Specification, Extract job: `processing` ends once, as completed, failed or cancelled; while it is processing the data
 * is an empty array.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type BadRequest, Conflict, type NotFound, type PaymentRequired, type Unprocessable } from "#contract/Errors"
import type { ExtractRequest, ExtractState, ExtractStatus } from "#contract/Extract"
import * as Limits from "#contract/Limits"
import * as ExtractPlan from "#extract/ExtractPlan"
import * as ExtractRun from "#extract/ExtractRun"
import { CrawlStore } from "#web/CrawlStore"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import type { StoreError } from "#web/StoreError"
import { Accounts } from "../accounts/Accounts.ts"
import { refuse } from "../retention.ts"
import { Jobs } from "./Jobs.ts"
import * as JobWork from "./JobWork.ts"

export class ExtractJobs extends Context.Service<
  ExtractJobs,
  {
    readonly start: (
      teamId: string,
      request: ExtractRequest,
      idempotencyKey?: string
    ) => Effect.Effect<Job, BadRequest | PaymentRequired | Conflict | Unprocessable | StoreError>
    readonly status: (teamId: string, id: string) => Effect.Effect<ExtractStatus, NotFound | StoreError>
    readonly cancel: (teamId: string, id: string) => Effect.Effect<void, NotFound | Conflict | StoreError>
  }
>()("millrace/service/ExtractJobs") {
  static readonly layer = Layer.effect(
    ExtractJobs,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const jobs = yield* Jobs
  const store = yield* JobStore
  const ledger = yield* CrawlStore
  const accounts = yield* Accounts

  const start = Effect.fn("ExtractJobs.start")(function* (
    teamId: string,
    request: ExtractRequest,
    idempotencyKey?: string
  ) {
    yield* refuse(accounts.of(teamId).plan, "extract")
    const plan = yield* ExtractPlan.ofRequest(request)
    yield* accounts.cover(teamId, 1)
    return yield* jobs.begin({
      kind: "extract",
      teamId,
      url: request.urls?.[0] ?? "",
      request,
      work: JobWork.extractWork(plan),
      idempotencyKey,
      webhook: request.webhook
    })
  })

  const status = Effect.fn("ExtractJobs.status")(function* (teamId: string, id: string) {
    const job = yield* jobs.get(teamId, id, "extract")
    const now = yield* Clock.currentTimeMillis
    const { credits } = yield* ledger.ledger(id)
    const result = Option.getOrUndefined(Option.flatMap(yield* store.result(id), decodeResult))
    const answer: ExtractStatus = {
      success: job.status !== "failed",
      id,
      status: stateOf(job),
      data: result?.data ?? [],
      expiresAt: new Date((job.completedAt ?? now) + Limits.retentionMillis).toISOString(),
      ...(result === undefined
        ? {}
        : {
            sources: result.sources,
            missing: result.missing,
            ...(result.unclear === undefined ? {} : { unclear: result.unclear }),
            ...(result.unsupported === undefined ? {} : { unsupported: result.unsupported }),
            ...(result.considered === undefined ? {} : { considered: result.considered }),
            engine: result.engine,
            ...(result.pages === undefined ? {} : { pagesRead: result.pages }),
            ...(result.failed === undefined ? {} : { pagesFailed: result.failed }),
            ...(result.gone === undefined ? {} : { pagesGone: result.gone }),
            tokensUsed: result.tokens,
            ...(result.warnings.length === 0 ? {} : { warnings: result.warnings })
          }),
      creditsUsed: credits,
      ...(job.error === null ? {} : { error: job.error }),
      ...(job.warning === null ? {} : { warning: job.warning })
    }
    return answer
  })

  const cancel = Effect.fn("ExtractJobs.cancel")(function* (teamId: string, id: string) {
    const job = yield* jobs.get(teamId, id, "extract")
    const end = {
      status: "cancelled",
      error: "the extract was cancelled",
      event: { name: "cancelled", success: false }
    } as const
    if (job.status === "scraping" && (yield* jobs.stop(id, end))) return
    const ended = yield* jobs.get(teamId, id, "extract")
    return yield* new Conflict({ message: `the extract has ended already: it is ${stateOf(ended)}` })
  })

  return ExtractJobs.of({ start, status, cancel })
})

const stateOf = ({ status }: Job): ExtractState => (status === "scraping" ? "processing" : status)

const decodeResult = Schema.decodeUnknownOption(Schema.fromJsonString(ExtractRun.Result))
