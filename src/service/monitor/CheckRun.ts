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
import * as Limits from "#contract/Limits"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import type { WebHit } from "#web/SearchHit"
import * as SearchRun from "#web/SearchRun"
import type { StoreError } from "#web/StoreError"
import { CheckLists, CheckStore, PageStates } from "./CheckStore.ts"
import * as Definition from "./Definition.ts"
import type * as Finding from "./Finding.ts"
import * as Findings from "./Findings.ts"
import { jobPages } from "./jobPages.ts"
import type { Check, MailState, TargetProgress } from "./Monitor.ts"
import { CheckWebhooks, TargetJobs, TeamCredits } from "./MonitorPorts.ts"
import { MonitorStore } from "./MonitorStore.ts"

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

/**
 * Handles a target of searches: results that are new, removed or changed.
 *
 * A result is known by its URL, whichever query found it, and consists of its title and its description. If a search fails,
 * the target fails and nothing is reported as removed. The cost is charged when the pages are recorded.
 */
type SearchTarget = Extract<Check["definition"]["targets"][number], { readonly type: "search" }>

type Write = (
  next: TargetProgress,
  cost?: { readonly shown: number; readonly charged: number }
) => Effect.Effect<void, StoreError>

const searchPages = Effect.fnUntraced(function* (
  context: Findings.Context<SearchTarget>,
  begun: TargetProgress,
  write: Write
) {
  const { check, target } = context
  const team = yield* TeamCredits
  const most = Definition.searchesOf(target).reduce(
    (sum, { limit }) => sum + Limits.creditsOfResults(limit ?? Limits.defaultSearchResults),
    0
  )
  const searchResult = yield* team.reserving(check.teamId, most, searched(context, begun, write))
  if (Option.isNone(searchResult)) {
    const error = `the credits of the team do not cover the searches, which may cost ${most}`
    yield* write({ ...begun, isDone: true, searchCompleted: false, error })
  }
})

const searched = Effect.fnUntraced(function* (
  context: Findings.Context<SearchTarget>,
  begun: TargetProgress,
  write: Write
) {
  const { check, target } = context
  const hits = new Map<string, WebHit>()
  const warnings: Array<string> = []
  let credits = 0
  for (const request of Definition.searchesOf(target)) {
    const searchRun = SearchRun.run(check.teamId, request).pipe(
      Effect.map((results) => ({ results, error: undefined })),
      Effect.catchTag(["BadGateway", "BadRequest"], ({ message }) =>
        Effect.succeed({ results: undefined, error: message })
      )
    )
    const { error, results } = yield* searchRun
    if (results === undefined) return yield* write({ ...begun, isDone: true, searchCompleted: false, error })
    const web = results.web ?? []
    credits += Limits.creditsOfResults(web.length)
    warnings.push(...results.warnings)
    for (const hit of web) {
      const url = PageUrl.normalize(hit.url)
      const key = url === undefined ? undefined : PageUrl.key(url, false)
      if (key !== undefined && !hits.has(key)) hits.set(key, hit)
    }
  }
  const hitPages = [...hits].map(
    ([key, hit]): Finding.Page => ({
      targetId: target.id,
      key,
      askedKey: key,
      url: hit.url,
      document: documentOf(hit)
    })
  )
  for (let from = 0; from < hitPages.length; from += Findings.together) {
    yield* Findings.pages(context, hitPages.slice(from, from + Findings.together))
  }
  // A search with a warning may be incomplete, so results that it did not find may still exist.
  yield* Findings.unseen(context, warnings.length === 0 ? undefined : `not found, and ${warnings.join("; ")}`)
  const warning = warnings.length === 0 ? {} : { warning: [...new Set(warnings)].join("; ") }
  const counts = { searchCompleted: true, resultCount: hitPages.length, searchCredits: credits }
  yield* write({ ...begun, isDone: true, ...counts, ...warning }, { shown: credits, charged: credits })
})

const documentOf = ({ description, title, url }: WebHit): PageDocument => ({
  markdown: description,
  metadata: { title, sourceURL: url, url, statusCode: 200, scrapeId: uuid7() }
})
