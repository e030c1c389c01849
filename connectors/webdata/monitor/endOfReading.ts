/**
 * The end of a reading: the pages that the crawl did not reach, the state for the next reading, and the counts.
 *
 * A page that was not reached is removed only if the crawl read everything that might link to it. If the crawl stopped
 * at its limit, nothing is reported about the page. If another page newly fails, or the crawl has a new warning, the
 * page is an error that says so. A page that is not reported as removed is kept for the next reading.
 */
import * as Schema from "effect/Schema"
import * as Removal from "#base/Removal"
import { Found, type Known } from "./comparePages.ts"
import type { FoundPage } from "./PageVersions.ts"

/** Where the next reading starts. */
export const State = Schema.Struct({
  /** The hash of each page's meaning, by URL. */
  pages: Schema.Record(Schema.String, Schema.String),
  /** Which of them could not be read. */
  failing: Schema.Array(Schema.String),
  /** The warning of the crawl. */
  warning: Schema.NullOr(Schema.String)
})
export type State = typeof State.Type

/** The last status of the crawl. */
export const Job = Schema.Struct({
  createdAt: Schema.String,
  completedAt: Schema.NullOr(Schema.String),
  credits: Schema.Int,
  /** Pages that it found and did not read. */
  left: Schema.Int,
  warning: Schema.NullOr(Schema.String)
})
export type Job = typeof Job.Type

const counts = { same: 0, changed: 0, new: 0, removed: 0, error: 0 }

export const End = Schema.Struct({
  found: Schema.Array(Found),
  state: State,
  job: Job,
  counts: Schema.Struct({
    same: Schema.Int,
    changed: Schema.Int,
    new: Schema.Int,
    removed: Schema.Int,
    error: Schema.Int
  }),
  warning: Schema.NullOr(Schema.String),
  /** Whether something that could not be read may hide removed pages; absent in older states. */
  isDoubtful: Schema.optionalKey(Schema.Boolean)
})
export type End = typeof End.Type

export const endOfReading = (before: State, { pages }: Known, seen: ReadonlyArray<FoundPage>, job: Job): End => {
  const wasFailing = new Set(before.failing)
  const failing = seen.filter(({ hash, status }) => status === "error" && hash !== null).map(({ url }) => url)
  const newlyFailing = failing.filter((url) => !wasFailing.has(url)).length
  const urls = new Set(seen.map(({ url }) => url))
  const unseen = [...pages.values()].filter(({ url }) => !urls.has(url))

  const warning = job.warning === before.warning ? null : job.warning
  // A reading whose start cannot be read has already failed.
  const doubt = Removal.doubt({ start: null, unread: newlyFailing, warning, next: "run" })
  const isCut = job.left > 0
  const found = isCut
    ? []
    : unseen.map(({ hash, url }): Found => {
        const nothing = { url, statusCode: null, title: null }
        return doubt === null
          ? { ...nothing, status: "removed", hash: null, error: null }
          : { ...nothing, status: "error", hash, error: doubt }
      })
  const unjudged = isCut || doubt !== null ? unseen : []
  const sum = { ...counts }
  for (const { status } of [...seen, ...found]) sum[status] += 1
  return {
    found,
    state: {
      pages: Object.fromEntries(
        [...seen, ...unjudged].flatMap(({ hash, url }) => (hash === null ? [] : [[url, hash]]))
      ),
      failing,
      // While the crawl has a new warning, such as an unreadable sitemap, the state keeps the old one, so removal stays
      // in doubt.
      warning: warning === null ? job.warning : before.warning
    },
    job,
    counts: sum,
    warning: isCut && unseen.length > 0 ? Removal.cut(job.left, `${unseen.length} known pages that were`) : job.warning,
    isDoubtful: doubt !== null
  }
}
