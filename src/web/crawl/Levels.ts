/**
 * The decisions between two levels of a crawl.
 *
 * They do not depend on the order of answers, because all answers of a level are known and nothing of the next one has
 * begun. After a restart the levels end again, one after the other, with the same decisions.
 */
import * as Effect from "effect/Effect"
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import type { Dropped, Ended } from "../CrawlIdentity.ts"
import type { CrawlPlan } from "../CrawlPlan.ts"
import { type CrawlStore, everyUrl } from "../CrawlStore.ts"
import type { DiscoveredUrl, Failure } from "../CrawlUrl.ts"
import { Babble } from "../frontier/Babble.ts"
import type * as Frontier from "../frontier/Frontier.ts"
import type { Line } from "../frontier/Line.ts"
import { Parameters } from "../frontier/Parameters.ts"
import { sketchIn } from "../frontier/TextSketch.ts"
import { Traps } from "../frontier/Traps.ts"
import type { Job } from "../Job.ts"
import type { StartFailed } from "../PageVisit.ts"
import type { StoreError } from "../StoreError.ts"
import { meaningIn, type ReadWhole } from "./Placing.ts"

export interface Levels {
  /** Called when a level is completely read, before the next one begins. */
  readonly end: (level: number) => Effect.Effect<void, StartFailed | StoreError>
  /** Which of the discovered URLs are queued. */
  readonly admitted: (found: ReadonlyArray<DiscoveredUrl>) => ReadonlyArray<DiscoveredUrl>
  /** When the crawl has ended, warns of what was not followed. */
  readonly report: Effect.Effect<void, StartFailed | StoreError>
}

interface Parts {
  readonly job: Job
  readonly plan: CrawlPlan
  readonly frontier: Frontier.Frontier
  readonly line: Line
  readonly store: CrawlStore["Service"]
  readonly readWhole: ReadWhole
  /** Ends the queued URLs that are files. */
  readonly leaveFiles: Effect.Effect<void, StoreError>
  readonly warn: (message: string) => Effect.Effect<void, StoreError>
}

export const create = (parts: Parts): Levels => {
  const { frontier, leaveFiles, plan } = parts
  const { settling, rules } = plan
  if (settling === undefined) return { end: () => leaveFiles, admitted: (found) => found, report: Effect.void }
  const parameters = new Parameters()
  const traps = new Traps(settling.trapBudget)
  const babble = new Babble(settling.trapBudget)
  let ended = -1
  const ask = requestOf(rules.start)

  const end = Effect.fnUntraced(function* (level: number) {
    yield* eachPage(parts, level, (page) => {
      traps.take(page)
      listen(babble, page)
      return compare(parts, parameters, page)
    })
    ended = level
    const learned = parameters.learn()
    if (learned.length > 0) yield* forget(parts, learned, ask)
    babble.endLevel()
    const { isFound } = babble
    if (traps.endLevel().length > 0 || isFound)
      yield* leave(parts, (row) => traps.of(new URL(row.url)) !== undefined || (isFound && row.kind === "link"))
    yield* respell(parts, ask)
    yield* leaveFiles
  })

  return {
    end,
    admitted: (found) =>
      traps.isEmpty && !babble.isFound
        ? found
        : found.map((url) => {
            if (url.state !== "queued") return url
            if (!babble.isFound && traps.of(new URL(url.url)) === undefined) return url
            frontier.begin(url.seq)
            return { ...url, state: "left" }
          }),
    report: Effect.gen(function* () {
      yield* reportTraps(parts, traps)
      // A limit ends a crawl within a level.
      if (!babble.isFound) {
        yield* eachPage(parts, ended + 1, (page) => Effect.sync(() => listen(babble, page)))
        babble.endLevel()
      }
      yield* reportBabble(parts, traps, babble)
    })
  }
}

/** The pages of a level that have traits. */
const eachPage = Effect.fnUntraced(function* (
  { job, store }: Parts,
  level: number,
  use: (page: Ended) => Effect.Effect<void, StartFailed | StoreError>
) {
  for (let after = -1; ; ) {
    const some = yield* store.identity.traits(job.id, level, after, batchSize)
    for (const page of some) yield* use(page)
    after = some.at(-1)?.seq ?? after
    if (some.length < batchSize) return
  }
})

const listen = (babble: Babble, { template }: Ended) => {
  const sketch = sketchIn(template)
  if (sketch !== undefined) babble.take(sketch)
}

/** Compares a page with those whose URLs differ in one parameter. */
const compare = Effect.fnUntraced(function* (
  { frontier, job, readWhole, store }: Parts,
  parameters: Parameters,
  page: Ended
) {
  const url = new URL(page.landed ?? page.url)
  if (page.meaning === null || url.search === "") return
  for (const group of parameters.groupsOf(url)) {
    if (!parameters.take(group, page.meaning)) continue
    const owner = frontier.ownerOf(group.base)
    if (owner === undefined || owner === page.seq) continue
    const [base] = yield* store.identity.some(job.id, [owner])
    const pages = { store: store.identity, jobId: job.id, readWhole }
    const meaning = base?.state === "scraped" ? yield* meaningIn(pages, base) : undefined
    if (meaning !== undefined) parameters.count(group.name, meaning === page.meaning)
  }
})

/** From now on these parameters identify no page: a queued URL with one is the page without it. */
const forget = Effect.fnUntraced(function* (parts: Parts, names: ReadonlyArray<string>, ask: Order) {
  const { frontier, job, store } = parts
  const before = frontier.identity()
  const aliases = new Set(names)
  const identity: PageUrl.Identity = {
    ...before,
    isAlias: (name, value) => aliases.has(name) || before.isAlias?.(name, value) === true
  }
  frontier.change(identity)
  const waiting: Array<DiscoveredUrl> = []
  yield* eachUrl(parts, (row) => {
    const key = PageUrl.keyOf(new URL(row.url), identity)
    if (key === PageUrl.keyOf(new URL(row.url), before) || row.aliasOf != null) return
    if (row.state === "queued") waiting.push(row)
    else if (frontier.ownerOfKey(key) === undefined) frontier.lead(key, row.seq)
  })
  const dropped: Array<Dropped> = []
  for (const { seq, url } of waiting.toSorted((a, b) => ask(a.url, b.url))) {
    const plain = PageUrl.plainOf(new URL(url), identity)
    const owner = frontier.ownerOf(plain)
    if (owner !== undefined && owner !== seq) dropped.push({ seq, state: "alias", aliasOf: owner })
    else {
      frontier.lead(PageUrl.keyOf(plain, identity), seq)
      yield* store.identity.respell(job.id, seq, plain.href)
    }
  }
  yield* drop(parts, dropped)
})

const drop = Effect.fnUntraced(function* ({ frontier, job, line, store }: Parts, dropped: ReadonlyArray<Dropped>) {
  const seqs = dropped.map(({ seq }) => seq)
  yield* store.drop(job.id, dropped)
  line.leave(seqs)
  for (const seq of seqs) frontier.begin(seq)
})

const eachUrl = ({ job, store }: Parts, use: (row: DiscoveredUrl) => void) =>
  everyUrl(store, job.id, (some) => some.forEach(use))

/** Ends the queued URLs that belong to no content. */
const leave = Effect.fnUntraced(function* (parts: Parts, isEndless: (row: DiscoveredUrl) => boolean) {
  const dropped: Array<Dropped> = []
  yield* eachUrl(parts, (row) => {
    if (row.state === "queued" && isEndless(row)) dropped.push({ seq: row.seq, state: "left" })
  })
  yield* drop(parts, dropped)
})

/** Chooses, among the spellings of a queued URL, the one to ask for. */
const respell = Effect.fnUntraced(function* ({ job, store }: Parts, ask: Order) {
  const spellings = new Map<number, Array<string>>()
  const written = new Map<number, string>()
  for (const { other, seq, url } of yield* store.identity.spellingsOfWaiting(job.id)) {
    written.set(seq, url)
    spellings.set(seq, [...(spellings.get(seq) ?? [url]), other])
  }
  for (const [seq, all] of spellings) {
    const [best] = all.toSorted(ask)
    if (best !== undefined && best !== written.get(seq)) yield* store.identity.respell(job.id, seq, best)
  }
})

const reportTraps = Effect.fnUntraced(function* (parts: Parts, traps: Traps) {
  const { job, store, warn } = parts
  if (traps.isEmpty) return
  const left = new Map<string, Array<string>>()
  yield* eachUrl(parts, ({ state, url }) => {
    const trap = state === "left" ? traps.of(new URL(url)) : undefined
    if (trap === undefined) return
    const urls = left.get(trap) ?? []
    left.set(trap, urls)
    urls.push(url)
  })
  const failures = [...left].map(
    ([trap, urls]): Failure => ({
      id: uuid7(),
      url: urls.toSorted()[0] ?? "",
      code: "CRAWL_TRAP",
      error:
        (urls.length === 1
          ? `1 address of the series ${trap} was not followed`
          : `${urls.length} addresses of the series ${trap} were not followed`) +
        ", because its pages have no new content; " +
        "exclude it with excludePaths, or raise trapBudget"
    })
  )
  yield* store.fail(job.id, failures)
  const [first] = failures
  if (first !== undefined) yield* warn(first.error)
})

const reportBabble = Effect.fnUntraced(function* (parts: Parts, traps: Traps, babble: Babble) {
  const { job, store, warn } = parts
  if (!babble.isFound) return
  let left = 0
  let first: string | undefined
  yield* eachUrl(parts, ({ kind, state, url }) => {
    const isUnread = state === "left" || state === "queued"
    if (!isUnread || kind !== "link" || traps.of(new URL(url)) !== undefined) return
    left += 1
    if (first === undefined || url < first) first = url
  })
  // All of it was read: it has an end.
  if (first === undefined) return
  const error =
    `${left} addresses were not followed, because page after page has only random words and leads to more such pages; ` +
    "exclude them with excludePaths, or set trapBudget: 0 if they are content"
  yield* store.fail(job.id, [{ id: uuid7(), url: first, code: "CRAWL_RANDOM_WORDS", error }])
  yield* warn(error)
})

/** How many entries of the ledger are read at a time. */
const batchSize = 2000

type Order = (a: string, b: string) => number

/**
 * Which of two spellings is asked for: the one with the scheme and host of the start, then the shorter, then the first
 * in order.
 */
const requestOf =
  (start: URL): Order =>
  (a, b) => {
    const home = (href: string) => (href.startsWith(`${start.origin}/`) ? 0 : 1)
    return home(a) - home(b) || PageUrl.compare(a, b)
  }
