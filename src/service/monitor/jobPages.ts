/**
 * Handles the pages of a target that a crawl or a batch has read.
 */
import * as Effect from "effect/Effect"
import * as Removal from "#base/Removal"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import { CrawlStore } from "#web/CrawlStore"
import type { StoreError } from "#web/StoreError"
import type * as Finding from "./Finding.ts"
import * as Findings from "./Findings.ts"
import type { Check, TargetProgress } from "./Monitor.ts"
import { PageStates } from "./PageStates.ts"
import { TargetJobs } from "./TargetJobs.ts"

type JobTarget = Extract<Check["definition"]["targets"][number], { readonly type: "crawl" | "scrape" }>

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
  const ledger = yield* CrawlStore
  const states = yield* PageStates
  const jobId = begun.crawlId ?? begun.expectedJobs?.[0] ?? ""
  const ended = yield* Effect.catchTag(jobs.ended(check.teamId, target.type, jobId), "NotFound", ({ message }) =>
    Effect.succeed(message)
  )
  if (typeof ended === "string") return yield* write({ ...begun, isDone: true, error: ended })
  const { id, status, warning } = ended
  const ignoresQuery = target.type === "crawl" && target.crawlOptions?.ignoreQueryParameters === true
  const keyOf = (url: string) => {
    const plain = PageUrl.normalize(url.trim())
    return plain === undefined ? url : PageUrl.key(plain, ignoresQuery)
  }

  const start = target.type === "crawl" ? keyOf(target.url) : undefined
  const startWas =
    start === undefined ? undefined : (yield* states.states(check.monitorId, target.id, [start])).get(start)
  let startIs: string | undefined
  let readAnew = begun.readAnew ?? 0
  for (let skip = 0; ; ) {
    const { documents } = yield* ledger.chunk(id, skip, Findings.together)
    if (documents.length === 0) break
    skip += documents.length
    const pages = uniquePages(documents.map((text) => pageOf(target, documentIn(text), keyOf))) // as `CrawlStore.settle` wrote them
    const started = pages.find(
      ({ askedKey, document: { metadata } }) =>
        askedKey === start && answers(metadata.statusCode) && metadata.unread === undefined
    )
    startIs = started?.url ?? startIs
    readAnew += yield* Findings.pages(context, pages)
  }
  const failures = yield* ledger.failures(id)
  const failed = failures.filter(({ code }) => !Removal.saysNothing(code))
  const notRead = failed.map(({ error, url }) => ({ key: keyOf(url), url, error }))
  const blocked = (yield* ledger.blocked(id)).map((url) => ({
    key: keyOf(url),
    url,
    error: "robots.txt does not allow it"
  }))
  yield* Findings.failures(context, uniqueKeys(notRead), true)
  yield* Findings.failures(context, uniqueKeys(blocked), false)

  const { credits, left } = yield* ledger.ledger(id)
  const cost = { shown: credits, charged: 0 }
  const anew = readAnew === 0 ? {} : { readAnew }
  if (status !== "completed") {
    const start = { key: keyOf(ended.url), url: ended.url, error: ended.error ?? `the job was ${status}` }
    if (target.type === "crawl" && status === "failed") yield* Findings.failures(context, [start], true)
    return yield* write({ ...begun, isDone: true, error: start.error }, cost)
  }
  // If the warning is a new one, such as a sitemap that cannot be read, pages that were not reached may still exist.
  const known = before?.knownWarning === undefined ? before?.warning : before.knownWarning
  const isOtherWarning = warning !== null && known?.includes(warning) !== true
  const knownWarning = isOtherWarning && known !== undefined ? known : warning
  const done = { ...begun, isDone: true, knownWarning, ...anew, ...(warning === null ? {} : { warning }) }
  if (target.type === "scrape") yield* states.forget(check, target.id)
  else if (left > 0) {
    const limited = Removal.cut(left, "known pages that were")
    return yield* write({ ...done, warning: [limited, ...(warning === null ? [] : [warning])].join("; ") }, cost)
  } else {
    const unread = yield* states.newlyFailed(check, target.id)
    // The patterns of the monitor may leave out the page at which the crawl starts, but its links are still followed.
    const isLeftOut = failures.some(({ code, url }) => code === "PATH_FILTER" && keyOf(url) === start)
    const doubtful = startWas === undefined || isLeftOut ? null : startNow(keyOf(startWas.url), startIs, keyOf)
    const reading = { start: doubtful, unread, warning: isOtherWarning ? warning : null, next: "check" } as const
    const doubt = Removal.doubt(reading) ?? undefined
    yield* Findings.unseen(context, context.isBaseline ? undefined : doubt)
  }
  yield* write(done, cost)
})

/** Why the start page of a crawl is in doubt: `before` is its key in the check before, `now` its URL in this check. */
const startNow = (before: string, now: string | undefined, keyOf: (url: string) => string): Removal.Start =>
  now === undefined ? "unread" : keyOf(now) === before ? null : { movedTo: now }

/** Whether a page was read, or is known to be gone. */
const answers = (statusCode: number): boolean => statusCode < 400 || Removal.isGone(statusCode)

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `CrawlStore.settle` wrote it
const documentIn = (text: string): PageDocument => JSON.parse(text) as PageDocument

/** A page for the comparison. Pages of a crawl are known by the URL that answered, pages of a list by the URL in the list. */
const pageOf = (target: JobTarget, document: PageDocument, keyOf: (url: string) => string): Finding.Page => {
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
