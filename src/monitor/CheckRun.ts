/**
 * One check, from its targets to its end: jobs begun, waited for, and their pages held against how they were.
 *
 * The law: how far it came is in the store, so a check that dies is gone on with: its jobs are not begun again, and a page
 * that is written down is not told twice. A target that cannot be read makes the check partial, and no page of it is
 * called removed; nor is any where the crawl stopped at its limit, or could not read a page that might link to it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Watching from "../api/Watching.ts"
import * as BatchRun from "../crawler/crawl/BatchRun.ts"
import type { StoreError } from "../crawler/StoreError.ts"
import { Mail } from "../mail/Mail.ts"
import { Accounts } from "../service/accounts/Accounts.ts"
import { Jobs } from "../service/jobs/Jobs.ts"
import * as JobWork from "../service/jobs/JobWork.ts"
import type { ServiceConfig } from "../service/ServiceConfig.ts"
import { Webhooks } from "../service/webhooks/Webhooks.ts"
import { CheckLists } from "./CheckLists.ts"
import { CheckStore } from "./CheckStore.ts"
import * as Definition from "./Definition.ts"
import * as Findings from "./Findings.ts"
import { jobPages } from "./jobPages.ts"
import type { Check, MailState, TargetProgress } from "./Monitor.ts"
import { MonitorStore } from "./MonitorStore.ts"
import { PageStates } from "./PageStates.ts"
import { searchPages } from "./searchPages.ts"

type Target = Check["definition"]["targets"][number]

export const run = Effect.fn("CheckRun.run")(function* (check: Check, config: ServiceConfig) {
  const store = yield* CheckStore
  const states = yield* PageStates
  const monitors = yield* MonitorStore
  yield* store.start(check.id)
  const monitor = Option.getOrUndefined(yield* monitors.get(check.monitorId))
  const last = monitor?.lastCheckId == null ? undefined : Option.getOrUndefined(yield* store.get(monitor.lastCheckId))
  const progress = new Map(check.targets.map((target) => [target.targetId, target]))
  const write = (next: TargetProgress, cost?: { readonly shown: number; readonly charged: number }) =>
    Effect.suspend(() => {
      progress.set(next.targetId, next)
      return store.progress(check.id, [...progress.values()], cost)
    })

  for (const target of check.definition.targets) {
    if (progress.has(target.id)) continue
    const isBaseline = target.type !== "search" && !(yield* states.hasStates(check.monitorId, target.id))
    yield* begin(check, target, config, isBaseline, write)
  }
  for (const target of check.definition.targets) {
    const begun = progress.get(target.id)
    if (begun === undefined || begun.isDone === true || begun.error !== undefined) continue
    const before = last?.targets.find(({ targetId }) => targetId === target.id)
    const context = { check, target, isBaseline: begun.isBaseline === true }
    yield* target.type === "search"
      ? searchPages({ ...context, target }, begun, write)
      : jobPages({ ...context, target }, begun, before, write)
  }
  yield* end(check, [...progress.values()])
})

/** Begins the job of a target, where it needs one; that it has begun is one transaction with the job. */
const begin = Effect.fnUntraced(function* (
  check: Check,
  target: Target,
  config: ServiceConfig,
  isBaseline: boolean,
  write: (next: TargetProgress) => Effect.Effect<void, StoreError>
) {
  const jobs = yield* Jobs
  const accounts = yield* Accounts
  const { teamId } = check
  const own = { targetId: target.id, type: target.type, isBaseline }
  if (target.type === "search") return yield* write(own)
  const beginning = Effect.gen(function* () {
    if (target.type === "crawl") {
      const request = Watching.crawlOf(target)
      const plan = yield* JobWork.toPlan(request, config, accounts.of(teamId).plan)
      const also = (job: { readonly id: string }) => write({ ...own, crawlId: job.id })
      const work = JobWork.crawlWork(plan)
      return yield* jobs.begin({ kind: "crawl", teamId, url: request.url, request, work, also })
    }
    const request = Definition.batchOf(target)
    const also = (job: { readonly id: string }) => write({ ...own, expectedJobs: [job.id] })
    const work = yield* JobWork.batchWork(request, config)
    const seeds = BatchRun.seeds(request.urls, 0)
    return yield* jobs.begin({ kind: "batch", teamId, url: request.urls[0] ?? "", request, work, seeds, also })
  })
  yield* Effect.catchTag(beginning, ["BadRequest", "Conflict", "Forbidden", "Unprocessable"], ({ message }) =>
    write({ ...own, error: message })
  )
})

const end = Effect.fnUntraced(function* (check: Check, targets: ReadonlyArray<TargetProgress>) {
  const store = yield* CheckStore
  const webhooks = yield* Webhooks
  const failed = targets.filter(({ error }) => error !== undefined)
  const status = failed.length === 0 ? "completed" : failed.length === targets.length ? "failed" : "partial"
  const error = failed.length === 0 ? null : failed.map(({ error: why, targetId }) => `${targetId}: ${why}`).join("; ")
  const isBaseline = targets.every((target) => target.isBaseline === true)
  yield* store.finish(check, { status, error, mail: yield* mailOf(check, isBaseline) })
  yield* webhooks.wake(check.id)
})

/** Whether a letter is to be written: where the monitor has readers and something is not as it was. */
const mailOf = Effect.fnUntraced(function* (check: Check, isBaseline: boolean) {
  const lists = yield* CheckLists
  const mail = yield* Mail
  const { enabled, recipients = [] } = check.definition.notification?.email ?? { enabled: false }
  if (enabled === false || recipients.length === 0 || isBaseline) return null
  const pages = yield* lists.notSame(check.id, 1000)
  if (!pages.some((page) => Findings.isTold(check.definition, false, page))) return null
  const state: MailState = mail.isConfigured ? "pending" : "not_configured"
  return state
})
