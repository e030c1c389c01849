/**
 * What a crawl reports about itself: whether it failed as a whole, which pages it could not read and why, and the
 * counts that a run keeps. The crawl source and the monitor that crawls both use it.
 */
import { crc32 } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { saysNothing } from "#base/Removal"
import type { CrawlErrors } from "#contract/Crawl"
import type { CrawlOutline } from "#contract/CrawlOutline"
import * as Source from "#engine/Source"
import type * as rows from "./rows.ts"
import { inWords } from "./rows.ts"

/** Fails for good if the crawl has not seen its site, whatever it found. */
export const orLost = (source: string, fault: string | undefined): Effect.Effect<void, Source.SourceError> =>
  fault === undefined
    ? Effect.void
    : Effect.fail(new Source.SourceError({ source, message: fault, retryable: false, over: true }))

/**
 * Whether pages failed for a fault of the crawling machine: no file descriptors, no disk space, no memory.
 *
 * Such a fault never counts as the site's. If a service reports it as the failure of a page, this check stops the run.
 */
export const serviceFault = ({ errors }: CrawlErrors): string | undefined => {
  const own = errors.filter(({ error }) => faults.test(error))
  const [first] = own
  if (first === undefined) return undefined
  return (
    `${own.length} pages failed because of the machine that crawls, not because of the site, so nothing is loaded: ` +
    `${first.error} (${first.url}); give it what it lacks (open files: ulimit -n; disk space; memory), then run it again`
  )
}

/**
 * As system calls and our own messages name them: "connect EMFILE 10.0.0.1:443", "ENOSPC: no space left on device",
 * "the disk is full (ENOSPC)".
 */
const faults = /(^|[\s(])(EMFILE|ENFILE|ENOSPC|EDQUOT|ENOMEM|ENOBUFS)([\s:,)]|$)/

/**
 * The URLs that could not be read, by reason; undefined: the crawl does not read such URLs, which says nothing about
 * them, so their rows are kept.
 */
export const unread = ({ errors, robotsBlocked }: CrawlErrors) =>
  byCause([
    ...errors.map(({ code, url }) => [saysNothing(code) ? undefined : inWords(code ?? "SCRAPE_ERROR"), url] as const),
    ...robotsBlocked.map((url) => ["ROBOTS_BLOCKED", url] as const)
  ])

/** The URLs of pages that were not read, by cause. */
export const refusedCauses = (refused: ReadonlyArray<rows.Refusal>) =>
  byCause(refused.map(({ cause, url }) => [cause, url] as const))

const byCause = (all: ReadonlyArray<readonly [why: string | undefined, url: string]>) => {
  const groups = new Map<string | undefined, Array<string>>()
  for (const [why, url] of all) {
    const urls = groups.get(why)
    if (urls === undefined) groups.set(why, [url])
    else urls.push(url)
  }
  return [...groups].map(([why, urls]) => ({ urls, why }))
}

/** What a crawl has left out beside pages that failed: how many, why, and what to do. */
export const leftOut = (errors: CrawlErrors): ReadonlyArray<Source.Progress | Source.Warning> => [
  ...skipped(errors),
  ...tooSlow(errors),
  ...randomWords(errors)
]

/** The failed URLs that are not pages of the crawl, such as external home pages and files: how many there are, and why. */
const skipped = ({ errors }: CrawlErrors): ReadonlyArray<Source.Progress | Source.Warning> => {
  const all = errors.filter(({ code }) => saysNothing(code))
  if (all.length === 0) return []
  const warnings = Source.warnings(
    // Files are usual; a run that says so each night says too much.
    all.flatMap(({ code, error, url }) =>
      code === "NOT_A_PAGE" ? [] : [[url, `failed, and is not a page of this crawl: ${error}`] as const]
    )
  )
  return [Source.progress({ skipped: all.length }), ...warnings]
}

/** The pages that were left because their host used up its time: how many there are, and what to do. */
const tooSlow = ({ errors }: CrawlErrors): ReadonlyArray<Source.Progress | Source.Warning> => {
  const all = errors.filter(({ code }) => code === "SCRAPE_HOST_TOO_SLOW")
  if (all.length === 0) return []
  const hosts = new Set(all.map(({ url }) => URL.parse(url)?.host ?? url))
  const warnings = [...hosts].map(
    (host) =>
      [
        host,
        "left: host too slow; its other pages are loaded: run again when it is faster, or leave such pages out with excludePaths"
      ] as const
  )
  return [Source.progress({ too_slow: all.length }), ...Source.warnings(warnings)]
}

/** Whether the crawl ended in pages of random words, and why: then the run is held. */
const randomWords = ({ errors }: CrawlErrors): ReadonlyArray<Source.Progress> => {
  const all = errors.filter(({ code }) => code === "CRAWL_RANDOM_WORDS")
  return all.length === 0 ? [] : [Source.progress({ random_words: all.length })]
}

/** The URL of a document, if it has one. */
export const urlOf = (raw: unknown): ReadonlyArray<string> => {
  const metadata = Predicate.hasProperty(raw, "metadata") ? raw.metadata : undefined
  return Predicate.hasProperty(metadata, "url") && typeof metadata.url === "string" ? [metadata.url] : []
}

/** What a run shows and keeps of a crawl. A service without a ledger gives fewer facts. */
const facts = (status: CrawlOutline): Readonly<Record<string, number>> => {
  const { discovered, failed, blocked, left } = status.ledger ?? {}
  return {
    total: status.total,
    completed: status.completed,
    credits: status.creditsUsed,
    ...(discovered === undefined ? {} : { discovered }),
    ...(failed === undefined ? {} : { failed }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(left === undefined ? {} : { left })
  }
}

/** The same, with the sitemaps that could not be read, from the crawl's warning. */
export const progress = (status: CrawlOutline): Source.Progress => {
  const unread = unreadSitemaps.exec(status.warning ?? "")
  if (unread === null) return Source.progress(facts(status))
  const [words, one, count, several = one ?? ""] = unread
  const parts = { unread_parts: count === undefined ? 1 : Number(count), unread_names: crc32(several) }
  return { ...Source.progress({ ...facts(status), ...parts }), unread: words }
}

/** The warnings of single pages, which are rows all the same. */
export const pageWarnings = (read: ReadonlyArray<rows.Page>): ReadonlyArray<Source.Warning> =>
  Source.warnings(read.map(({ document: { metadata, warning } }) => [metadata.url, warning]))

/** The warning of a crawl that has ended, without the sitemaps: the run reports those as missing. */
export const crawlWarnings = (url: string, { warning = "" }: CrawlOutline): ReadonlyArray<Source.Warning> =>
  Source.warnings([[url, warning.replace(unreadSitemaps, "").replaceAll(/^; |; $|(?<=; ); /g, "")]])

/** In the words of `SitemapWalk`. */
const unreadSitemaps = /the sitemap (\S+) [^;]+|(\d+) sitemaps could not be read \((.*?)\): the first [^;]+/
