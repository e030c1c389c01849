/**
 * What a crawl tells of itself: whether it is worth nothing, which pages it could not read and why, and the counts that a run
 * keeps. The crawl source and the monitor that crawls read it the same way.
 */
import { crc32 } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { CrawlErrors } from "../../../src/api/Crawl.ts"
import type { CrawlOutline } from "../../../src/client/CrawlOutline.ts"
import { saysNothing } from "../../../src/diff/Removal.ts"
import * as Source from "../../../src/pipeline/Source.ts"
import { inWords } from "./causes.ts"
import type * as rows from "./rows.ts"

/** A crawl that has not seen its site is over, whatever it found. */
export const orLost = (source: string, fault: string | undefined): Effect.Effect<void, Source.SourceError> =>
  fault === undefined
    ? Effect.void
    : Effect.fail(new Source.SourceError({ source, message: fault, retryable: false, over: true }))

/**
 * Whether pages of a crawl failed for a fault of the machine that crawled: no file descriptors, no room, no memory.
 *
 * Such a fault is never counted as the site's. A service may take it for a failure of a page; then this check stops the
 * run.
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

/** As system calls name them, and we: "connect EMFILE 10.0.0.1:443", "ENOSPC: no space left on device", "the disk is full (ENOSPC)". */
const faults = /(^|[\s(])(EMFILE|ENFILE|ENOSPC|EDQUOT|ENOMEM|ENOBUFS)([\s:,)]|$)/

/** The URLs that could not be read, by why. What a crawl does not do says nothing of a page, but keeps its row. */
export const unread = ({ errors, robotsBlocked }: CrawlErrors) =>
  byCause([
    ...errors.map(({ code, url }) => [saysNothing(code) ? undefined : inWords(code ?? "SCRAPE_ERROR"), url] as const),
    ...robotsBlocked.map((url) => ["ROBOTS_BLOCKED", url] as const)
  ])

/** The URLs of pages whose answer says nothing of them, by that answer. */
export const refusedCauses = (refused: ReadonlyArray<rows.Refusal>) =>
  byCause(refused.map(({ status, url }) => [`HTTP ${status}`, url] as const))

const byCause = (all: ReadonlyArray<readonly [why: string | undefined, url: string]>) => {
  const groups = new Map<string | undefined, Array<string>>()
  for (const [why, url] of all) {
    const urls = groups.get(why)
    if (urls === undefined) groups.set(why, [url])
    else urls.push(url)
  }
  return [...groups].map(([why, urls]) => ({ urls, why }))
}

/** How many of those that failed are no pages of the crawl, as external home pages. */
export const skipped = ({ errors }: CrawlErrors): ReadonlyArray<Source.Progress> => {
  const count = errors.filter(({ code }) => saysNothing(code)).length
  return count === 0 ? [] : [Source.progress({ skipped: count })]
}

/** The URL of a document, as far as it is one. */
export const urlOf = (raw: unknown): ReadonlyArray<string> => {
  const metadata = Predicate.hasProperty(raw, "metadata") ? raw.metadata : undefined
  return Predicate.hasProperty(metadata, "url") && typeof metadata.url === "string" ? [metadata.url] : []
}

/** What a run shows and keeps of a crawl. A service that keeps no ledger gives fewer. */
export const facts = (status: CrawlOutline): Readonly<Record<string, number>> => {
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

/** What a run shows and keeps of a crawl, with the sitemaps that could not be read, as a warning of the crawl has them. */
export const progress = (status: CrawlOutline): Source.Progress => {
  const unread = unreadSitemaps.exec(status.warning ?? "")
  if (unread === null) return Source.progress(facts(status))
  const [words, one, count, several = one ?? ""] = unread
  const parts = { unread_parts: count === undefined ? 1 : Number(count), unread_names: crc32(several) }
  return { ...Source.progress({ ...facts(status), ...parts }), unread: words }
}

/** What the service warns of single pages: they are rows all the same. */
export const pageWarnings = (read: ReadonlyArray<rows.Page>): ReadonlyArray<Source.Warning> =>
  Source.warnings(read.map(({ document: { metadata, warning } }) => [metadata.url, warning]))

/** What it warns of a crawl that has ended, but for the sitemaps: the run says of those that they are missing. */
export const crawlWarnings = (url: string, { warning = "" }: CrawlOutline): ReadonlyArray<Source.Warning> =>
  Source.warnings([[url, warning.replace(unreadSitemaps, "").replaceAll(/^; |; $|(?<=; ); /g, "")]])

/** As `SitemapWalk` says it. */
const unreadSitemaps = /the sitemap (\S+) [^;]+|(\d+) sitemaps could not be read \((.*?)\): the first [^;]+/
