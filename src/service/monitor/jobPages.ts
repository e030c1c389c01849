/**
 * Handles the pages of a target that a crawl or a batch has read.
 */
import * as Effect from "effect/Effect"
import * as Removal from "#base/Removal"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import { CrawlStore } from "#web/CrawlStore"
import type { StoreError } from "#web/StoreError"
import { PageStates } from "./CheckStore.ts"
import type * as Finding from "./Finding.ts"
import * as Findings from "./Findings.ts"
import type { Check, TargetProgress } from "./Monitor.ts"
import { TargetJobs } from "./MonitorPorts.ts"

type JobTarget = Extract<Check["definition"]["targets"][number], { readonly type: "crawl" | "scrape" }>

type KeyOf = (url: string) => string

export const jobPages = Effect.fnUntraced(function* (
  context: Findings.Context<JobTarget>,
  begun: TargetProgress,
  before: TargetProgress | undefined,
  write: (
    next: TargetProgress,
    cost?: { readonly shown: number; readonly charged: number }
  ) => Effect.Effect<void, StoreError>
) {
  const { check, target } = context
  const jobs = yield* TargetJobs
  const states = yield* PageStates
  const ended = yield* Effect.catchTag(
    jobs.ended(check.teamId, target.type, begun.crawlId ?? begun.expectedJobs?.[0] ?? ""),
    "NotFound",
    ({ message }) => Effect.succeed(message)
  )
  if (typeof ended === "string") return yield* write({ ...begun, isDone: true, error: ended })
  const { warning } = ended
  const keyOf = keysOf(target)
  const start = target.type === "crawl" ? keyOf(target.url) : undefined
  const startWas =
    start === undefined ? undefined : (yield* states.states(check.monitorId, target.id, [start])).get(start)
  const read = yield* readPages(context, ended.id, keyOf, start)
  const failures = yield* failedPages(context, ended.id, keyOf)

  const { credits, left } = yield* (yield* CrawlStore).ledger(ended.id)
  const cost = { shown: credits, charged: 0 }
  if (ended.status !== "completed") {
    const failed = { key: keyOf(ended.url), url: ended.url, error: ended.error ?? `the job was ${ended.status}` }
    if (target.type === "crawl" && ended.status === "failed") yield* Findings.failures(context, [failed], true)
    return yield* write({ ...begun, isDone: true, error: failed.error }, cost)
  }
  const warned = warningsOf(warning, before)
  const readAnew = (begun.readAnew ?? 0) + read.readAnew
  const finished = { ...begun, isDone: true, ...warned.progress, ...(readAnew === 0 ? {} : { readAnew }) }
  if (target.type === "scrape") yield* states.forget(check, target.id)
  else if (left > 0) {
    const warnings = [Removal.cut(left, "known pages that were"), ...(warning === null ? [] : [warning])]
    return yield* write({ ...finished, warning: warnings.join("; ") }, cost)
  } else {
    // The patterns of the monitor may leave out the page at which the crawl starts, but its links are still followed.
    const isLeftOut = failures.some(({ code, url }) => code === "PATH_FILTER" && keyOf(url) === start)
    const doubtful = isLeftOut ? null : startNow(startWas?.url, read.startIs, keyOf)
    yield* unseenPages(context, doubtful, warned.isOther ? warning : null)
  }
  yield* write(finished, cost)
})

const keysOf = (target: JobTarget): KeyOf => {
  const ignoresQuery = target.type === "crawl" && target.crawlOptions?.ignoreQueryParameters === true
  return (url) => {
    const plain = PageUrl.normalize(url.trim())
    return plain === undefined ? url : PageUrl.key(plain, ignoresQuery)
  }
}

/** Handles the pages that a job has read. `startIs`: the URL at which the page with the key `start` answered. */
const readPages = Effect.fnUntraced(function* (
  context: Findings.Context<JobTarget>,
  jobId: string,
  keyOf: KeyOf,
  start: string | undefined
) {
  const ledger = yield* CrawlStore
  let startIs: string | undefined
  let readAnew = 0
  for (let skip = 0; ; ) {
    const { documents } = yield* ledger.chunk(jobId, skip, Findings.together)
    if (documents.length === 0) return { startIs, readAnew }
    skip += documents.length
    const pages = uniquePages(documents.map((text) => pageOf(context.target, documentIn(text), keyOf))) // as `CrawlStore.settle` wrote them
    const started = pages.find(
      ({ askedKey, document: { metadata } }) =>
        askedKey === start && answers(metadata.statusCode) && metadata.unread === undefined
    )
    startIs = started?.url ?? startIs
    readAnew += yield* Findings.pages(context, pages)
  }
})

/** Handles the pages that a job could not read or was not allowed to. Returns all failures of the job. */
const failedPages = Effect.fnUntraced(function* (context: Findings.Context<JobTarget>, jobId: string, keyOf: KeyOf) {
  const ledger = yield* CrawlStore
  const failures = yield* ledger.failures(jobId)
  const failed = failures.filter(({ code }) => !Removal.saysNothing(code))
  const notRead = failed.map(({ error, url }) => ({ key: keyOf(url), url, error }))
  const error = "robots.txt does not allow it"
  const blocked = (yield* ledger.blocked(jobId)).map((url) => ({ key: keyOf(url), url, error }))
  yield* Findings.failures(context, uniqueKeys(notRead), true)
  yield* Findings.failures(context, uniqueKeys(blocked), false)
  return failures
})

/** The warnings of a target. If the warning is a new one, such as a sitemap that cannot be read, pages that were not reached may still exist. */
const warningsOf = (warning: string | null, before: TargetProgress | undefined) => {
  const known = before?.knownWarning === undefined ? before?.warning : before.knownWarning
  const isOther = warning !== null && known?.includes(warning) !== true
  const knownWarning = isOther && known !== undefined ? known : warning
  return { isOther, progress: { knownWarning, ...(warning === null ? {} : { warning }) } }
}

/** Handles the known pages that a crawl did not reach. */
const unseenPages = Effect.fnUntraced(function* (
  context: Findings.Context<JobTarget>,
  start: Removal.Start,
  warning: string | null
) {
  const unread = yield* (yield* PageStates).newlyFailed(context.check, context.target.id)
  const doubt = Removal.doubt({ start, unread, warning, next: "check" }) ?? undefined
  yield* Findings.unseen(context, context.isBaseline ? undefined : doubt)
})

/** Why the start page of a crawl is in doubt: `before` is its URL in the check before, `now` the one in this check. */
const startNow = (before: string | undefined, now: string | undefined, keyOf: KeyOf): Removal.Start => {
  if (before === undefined) return null
  return now === undefined ? "unread" : keyOf(now) === keyOf(before) ? null : { movedTo: now }
}

/** Whether a page was read, or is known to be gone. */
const answers = (statusCode: number): boolean => statusCode < 400 || Removal.isGone(statusCode)

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `CrawlStore.settle` wrote it
const documentIn = (text: string): PageDocument => JSON.parse(text) as PageDocument

/** A page for the comparison. Pages of a crawl are known by the URL that answered, pages of a list by the URL in the list. */
const pageOf = (target: JobTarget, document: PageDocument, keyOf: KeyOf): Finding.Page => {
  const { sourceURL, url } = document.metadata
  const askedKey = keyOf(sourceURL)
  const isListed = target.type === "scrape"
  return {
    targetId: target.id,
    key: isListed ? askedKey : keyOf(url),
    askedKey,
    url: isListed ? sourceURL : url,
    document
  }
}

const uniqueKeys = <Item extends { readonly key: string }>(items: ReadonlyArray<Item>): ReadonlyArray<Item> => [
  ...new Map(items.map((item) => [item.key, item])).values()
]
const uniquePages = uniqueKeys<Finding.Page>
