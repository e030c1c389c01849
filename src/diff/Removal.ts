/**
 * When a page is gone, by whoever watches it: the service's monitor, and a pipeline that crawls by itself.
 *
 * Specification, Monitor: a known page that answers 404 or 410 is gone, even if something still links to it. A page that
 * the crawl did not reach is gone only if every page that might link to it was read.
 */

export const isGone = (statusCode: number): boolean => statusCode === 404 || statusCode === 410

/** Failures of a crawl that say what it does not do, and nothing of a page. */
export const saysNothing = (code: string | null | undefined): boolean =>
  code === "EXTERNAL_LINK" || code === "PATH_FILTER"

/**
 * Why it cannot be said that pages are gone that were not come by; null: it can. `unread`: pages that were there before and
 * newly cannot be read; `warning`: what the crawl warns of, where it did not before; `next`: who tells more.
 */
export const doubt = (reading: {
  readonly unread: number
  readonly warning: string | null
  readonly next: "check" | "run"
}): string | null => {
  const because =
    reading.unread > 0
      ? `${reading.unread} pages that may link to it could not be read`
      : reading.warning === null
        ? null
        : reading.warning
  return because === null
    ? null
    : `not reached, and ${because}; the next ${reading.next} will show whether it was removed`
}

/** What is said of pages that were not come by where the limit of a crawl kept it from `left` others. */
export const cut = (left: number, pages: string): string =>
  `the limit was reached: ${left} pages were not read, and ${pages} not reached are not reported as removed`
