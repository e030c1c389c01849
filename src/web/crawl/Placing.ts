/**
 * The end of a crawl that settles: decides which of its URLs are one page, and how each page is spelled.
 *
 * The decision uses only the ledger, so it does not depend on the order of answers. Two URLs are one page if one
 * redirects to the other; if they are an index file and its folder, and one names the other as canonical or both mean
 * the same; or if they differ only in parameters that do not identify a page. The row keeps the spelling that is
 * already loaded; else the spelling that the page declares as canonical, if it is one of its spellings; else the
 * shortest spelling that answered, and of several the first in order. A page that was delivered before the crawl had
 * ended keeps its row.
 *
 * Only what is unusual about pages is kept in memory; the rest stays in the store.
 *
 * Guarantee: the decision is the same whether pages were read or found unchanged. What is known of an unchanged page decides as
 * what was read would; where more is needed, its text or its row under another URL, it is read whole.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as PageUrl from "#contract/PageUrl"
import type { CrawlIdentity, Decision, Ended } from "../CrawlIdentity.ts"
import type { CrawlPlan } from "../CrawlPlan.ts"
import type * as Frontier from "../frontier/Frontier.ts"
import { Groups } from "../frontier/Groups.ts"
import type { Job } from "../Job.ts"
import type { StartFailed } from "../PageVisit.ts"
import type { StoreError } from "../StoreError.ts"
import { meaningOf } from "../scrape/traitsOf.ts"

/** Reads an unchanged page whole, by its number: then the ledger has its document. */
export type ReadWhole = (seq: number) => Effect.Effect<void, StartFailed | StoreError>

interface Parts {
  readonly job: Job
  readonly frontier: Frontier.Frontier
  readonly store: CrawlIdentity
  readonly settling: NonNullable<CrawlPlan["settling"]>
  readonly readWhole: ReadWhole
}

/** Decides about all URLs, and gives the documents their places. */
export const place = Effect.fn("Placing.place")(function* ({ job, frontier, readWhole, settling, store }: Parts) {
  const groups = new Groups()
  /** Index files and the folders that may be the same page. */
  const twins: Array<readonly [number, number]> = []
  const folders = new Map<string, number>()
  const identity = frontier.identity()

  const look = (one: Ended) => {
    if (one.aliasOf !== null) return groups.join(one.seq, one.aliasOf)
    const href = landedOf(one)
    const url = new URL(href)
    const key = PageUrl.keyOf(url, identity)
    const owner = frontier.ownerOfKey(key)
    if (owner === undefined) frontier.lead(key, one.seq)
    else if (owner !== one.seq) groups.join(one.seq, owner)
    const folder = PageUrl.folderOf(url)
    if (folder !== undefined) {
      const folderKey = PageUrl.keyOf(folder, identity)
      const twin = frontier.ownerOfKey(folderKey) ?? folders.get(folderKey)
      if (twin === undefined) folders.set(folderKey, one.seq)
      else if (twin !== one.seq) twins.push([one.seq, twin])
    }
    if (one.canonical !== null && frontier.isSpelled(one.canonical)) groups.notice(one.seq)
  }

  for (let after = -1; ; ) {
    const some = yield* store.ended(job.id, after, batchSize)
    for (const one of some) look(one)
    after = some.at(-1)?.seq ?? after
    if (some.length < batchSize) break
  }
  for (const [index, folder] of twins) {
    if (yield* areOne({ store, jobId: job.id, readWhole }, identity, index, folder)) groups.join(index, folder)
  }

  const loaded = new Map<number, ReadonlyArray<string>>()
  const earlier = settling.after === undefined ? [] : yield* store.indexFiles(job.teamId, settling.after)
  for (const spelling of [...settling.spellings, ...earlier]) {
    const url = PageUrl.normalize(spelling)
    const seq = url === undefined ? undefined : frontier.ownerOf(url)
    if (seq === undefined) continue
    groups.notice(seq)
    loaded.set(seq, [...(loaded.get(seq) ?? []), spelling])
  }

  const decisions: Array<Decision> = []
  const failed: Array<readonly [string, string]> = []
  for (const seqs of groups.all()) {
    for (;;) {
      const members = yield* store.some(job.id, seqs)
      const read = members.filter(({ state }) => state === "scraped")
      if (read.length === 0) {
        failed.push(...failureOf(members))
        break
      }
      const decision = yield* decide(store, job.id, loaded, members, read)
      const row = read.find(({ seq }) => seq === decision.seq)
      if (row === undefined || row.page !== null || landedOf(row) === decision.url) {
        decisions.push(decision)
        break
      }
      // It has a row under its own URL, and the new one needs its text. If the reading fails, the others decide.
      yield* readWhole(row.seq)
    }
  }
  yield* store.place(job.id, decisions, failed)
})

const batchSize = 2000

const landedOf = ({ landed, url }: Ended): string => landed ?? url

/** Whether an index file and its folder are one page. */
const areOne = Effect.fnUntraced(function* (
  pages: Pages,
  identity: PageUrl.Identity,
  ...seqs: readonly [number, number]
) {
  const [one, other] = yield* pages.store.some(pages.jobId, seqs)
  if (one?.state !== "scraped" || other?.state !== "scraped") return false
  const names = (page: Ended, named: Ended) => {
    const canonical = page.canonical === null ? undefined : PageUrl.normalize(page.canonical)
    return (
      canonical !== undefined &&
      PageUrl.keyOf(canonical, identity) === PageUrl.keyOf(new URL(landedOf(named)), identity)
    )
  }
  if (names(one, other) || names(other, one)) return true
  if (one.content !== null && one.content === other.content) return true
  const meaning = yield* meaningIn(pages, one)
  return meaning !== undefined && meaning === (yield* meaningIn(pages, other))
})

/** The pages of a job, with their texts. */
interface Pages {
  readonly store: CrawlIdentity
  readonly jobId: string
  readonly readWhole: ReadWhole
}

/** The meaning of a page, computed from its document if it was not needed before. */
export const meaningIn = Effect.fnUntraced(function* (
  { jobId, readWhole, store }: Pages,
  one: Ended
): Effect.fn.Return<string | undefined, StartFailed | StoreError> {
  if (one.meaning !== null) return one.meaning
  let { page } = one
  if (page === null) {
    yield* readWhole(one.seq)
    const [whole] = yield* store.some(jobId, [one.seq])
    page = whole?.page ?? null
  }
  const document = page === null ? undefined : yield* store.document(jobId, page)
  if (!Predicate.hasProperty(document, "markdown") || typeof document.markdown !== "string") return undefined
  const metadata = Predicate.hasProperty(document, "metadata") ? document.metadata : undefined
  const textOf = (name: string) => {
    const value = Predicate.hasProperty(metadata, name) ? metadata[name] : undefined
    return typeof value === "string" ? { [name]: value } : {}
  }
  return meaningOf({ ...textOf("title"), ...textOf("description") }, document.markdown)
})

/** The page that all these URLs are. `read`: those that were read. */
const decide = Effect.fnUntraced(function* (
  store: CrawlIdentity,
  jobId: string,
  loaded: ReadonlyMap<number, ReadonlyArray<string>>,
  members: ReadonlyArray<Ended>,
  read: ReadonlyArray<Ended>
) {
  const answered = [...new Set(read.map(landedOf))].toSorted(PageUrl.compare)
  const spellings = new Set([...answered, ...members.map(({ url }) => url)])
  for (const { seq } of members) for (const url of yield* store.spellings(jobId, seq)) spellings.add(url)
  const earliest = members.flatMap(({ seq }) => loaded.get(seq) ?? []).toSorted(PageUrl.compare)[0]
  const canonical = read
    .flatMap((page) => (page.canonical !== null && spellings.has(page.canonical) ? [page.canonical] : []))
    .toSorted(PageUrl.compare)[0]
  const [shortest = ""] = answered
  const delivered = read.filter((page) => store.isDelivered?.(page.seq) === true)
  const url = delivered[0] === undefined ? (earliest ?? canonical ?? shortest) : landedOf(delivered[0])
  // The document of the URL with the chosen spelling, otherwise of the first by the same rule.
  const [first] = (delivered.length > 0 ? delivered.slice(0, 1) : read).toSorted(
    (a, b) => rank(a, url) - rank(b, url) || PageUrl.compare(landedOf(a), landedOf(b))
  )
  const depth = leastDepth(members)
  const nearest = members.filter((member) => member.depth === depth)
  const urls = nearest.map((member) => member.url)
  const seq = first?.seq ?? -1
  const decision: Decision = {
    seq,
    url,
    source: urls.includes(url) || read.some((page) => page.url === url) ? url : (urls.toSorted(lesser)[0] ?? url),
    depth,
    from: yield* originOf(store, jobId, nearest),
    merged: read.flatMap((page) => (page.seq === seq || delivered.includes(page) ? [] : [page.seq]))
  }
  return decision
})

const rank = (page: Ended, url: string): number => (landedOf(page) === url ? 0 : 1)

/** Not `Math.min(...)`: there may be more members than a call can have arguments. */
const leastDepth = (members: ReadonlyArray<Ended>): number =>
  members.reduce((least, { depth }) => Math.min(least, depth), Number.POSITIVE_INFINITY)

const lesser = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The page that leads to these: of several the one with the least URL; null if one of them needs none. */
const originOf = Effect.fnUntraced(function* (store: CrawlIdentity, jobId: string, nearest: ReadonlyArray<Ended>) {
  const from = nearest.flatMap((member) => member.from ?? [])
  if (from.length < nearest.length) return null
  const pages = yield* store.some(jobId, [...new Set(from)])
  return pages.toSorted((a, b) => lesser(landedOf(a), landedOf(b)))[0]?.seq ?? null
})

/** A failed page is named by the least of its URLs, because which of them was found first is chance. */
const failureOf = (members: ReadonlyArray<Ended>): ReadonlyArray<readonly [string, string]> => {
  const failed = members.find(({ state }) => state === "failed")
  if (failed === undefined) return []
  const depth = leastDepth(members)
  const [least] = members.flatMap((member) => (member.depth === depth ? [member.url] : [])).toSorted(lesser)
  return least === undefined || least === failed.url ? [] : [[failed.url, least]]
}
