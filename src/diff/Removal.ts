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
 * What is wrong with the page that a crawl starts at, which was there before; null: nothing. As long as it cannot be read,
 * nothing behind it is reached, in any number of readings. Where it answers from another address, as behind a login, one
 * reading waits for the next.
 */
export type Start = "unread" | { readonly movedTo: string } | null

/**
 * Why pages that were not reached cannot be called gone; null: they can. `unread`: pages that were there before and
 * newly cannot be read; `warning`: what the crawl warns of, where it did not before; `next`: who tells more.
 */
export const doubt = (reading: {
  readonly start: Start
  readonly unread: number
  readonly warning: string | null
  readonly next: "check" | "run"
}): string | null => {
  const { start, unread, warning } = reading
  const because =
    start === "unread"
      ? "the page that the crawl starts at could not be read"
      : start !== null
        ? `the page that the crawl starts at answers from ${start.movedTo}`
        : unread > 0
          ? `${unread} ${unread === 1 ? "page" : "pages"} that may link to it could not be read`
          : warning
  return because === null
    ? null
    : `not reached, and ${because}; the next ${reading.next} will show whether it was removed`
}

/** The message about pages that were not reached, if the limit of a crawl kept it from `left` others. */
export const cut = (left: number, pages: string): string =>
  `the limit was reached: ${left} pages were not read, and ${pages} not reached are not reported as removed`
