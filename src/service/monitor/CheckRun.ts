/**
 * Runs one check: starts the jobs of its targets, waits for them, and compares their pages with earlier versions.
 *
 * The progress is in the store, so a check whose process dies is continued: its jobs are not started again, and a page that
 * is recorded is not reported twice. A target that cannot be read makes the check partial, and none of its pages is reported
 * as removed. Nor are pages reported as removed if the crawl stopped at its limit, or could not read a page that might link
 * to them.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Mail } from "#base/Mail"
import type { StoreError } from "#web/StoreError"
import { CheckLists } from "./CheckLists.ts"
import { CheckStore } from "./CheckStore.ts"
import { CheckWebhooks } from "./CheckWebhooks.ts"
import { jobPages } from "./jobPages.ts"
import type { Check, MailState, TargetProgress } from "./Monitor.ts"
import { MonitorStore } from "./MonitorStore.ts"
import { PageStates } from "./PageStates.ts"
import { searchPages } from "./searchPages.ts"
import { TargetJobs } from "./TargetJobs.ts"

type Target = Check["definition"]["targets"][number]

export const run = Effect.fn("CheckRun.run")(function* (check: Check) {
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
    yield* begin(check, target, isBaseline, write)
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

/** Begins the job of a target, if it needs one. The job and the record that it has begun are one transaction. */
const begin = Effect.fnUntraced(function* (
  check: Check,
  target: Target,
  isBaseline: boolean,
  write: (next: TargetProgress) => Effect.Effect<void, StoreError>
) {
  const jobs = yield* TargetJobs
  const own = { targetId: target.id, type: target.type, isBaseline }
  if (target.type === "search") return yield* write(own)
  const also = (id: string) => write(target.type === "crawl" ? { ...own, crawlId: id } : { ...own, expectedJobs: [id] })
  yield* Effect.catchTag(
    jobs.begin(check.teamId, target, also),
    ["BadRequest", "Forbidden", "Unprocessable"],
    ({ message }) => write({ ...own, error: message })
  )
})

const end = Effect.fnUntraced(function* (check: Check, targets: ReadonlyArray<TargetProgress>) {
  const store = yield* CheckStore
  const webhooks = yield* CheckWebhooks
  const failed = targets.filter(({ error }) => error !== undefined)
  const status = failed.length === 0 ? "completed" : failed.length === targets.length ? "failed" : "partial"
  const error = failed.length === 0 ? null : failed.map(({ error: why, targetId }) => `${targetId}: ${why}`).join("; ")
  const isBaseline = targets.every((target) => target.isBaseline === true)
  yield* store.finish(check, { status, error, mail: yield* mailOf(check, isBaseline) })
  yield* webhooks.send(check.id)
})

/** The state of the e-mail of a check; null: none, because the monitor has no recipients or there is nothing to report. */
const mailOf = Effect.fnUntraced(function* (check: Check, isBaseline: boolean) {
  const lists = yield* CheckLists
  const mail = yield* Mail
  const { enabled, recipients = [] } = check.definition.notification?.email ?? { enabled: false }
  if (enabled === false || recipients.length === 0 || isBaseline) return null
  if ((yield* lists.reported(check.id, 1)).length === 0) return null
  const state: MailState = mail.isConfigured ? "pending" : "not_configured"
  return state
})
