/**
 * When a page counts as removed: one rule for the monitors of the service and for pipelines that crawl.
 *
 * Specification, Monitor: a known page that answers 404 or 410 is gone, even if something still links to it. A page that
 * the crawl did not reach is gone only if every page that might link to it was read.
 */

export const isGone = (statusCode: number): boolean => statusCode === 404 || statusCode === 410

/** Whether a failure only says that the crawl does not follow such URLs. It says nothing about the page. */
export const saysNothing = (code: string | null | undefined): boolean =>
  code === "EXTERNAL_LINK" || code === "PATH_FILTER" || code === "NOT_A_PAGE"

/**
 * The state of the start page of a crawl, which was read before; null: it is as before. "unread": it could not be read, so the
 * crawl reached no other page. `movedTo`: another URL answered, as with a login page, so the next reading must decide.
 */
export type Start = "unread" | { readonly movedTo: string } | null

/**
 * Why pages that were not reached cannot be reported as removed; null: they can. `unread`: the number of pages that could be
 * read before, but not now. `warning`: a new warning of the crawl. `next`: the reading that will decide.
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

/** The message about pages that were not reached because of the limit of a crawl. `left`: the number of unread pages. */
export const cut = (left: number, pages: string): string =>
  `the limit was reached: ${left} pages were not read, and ${pages} not reached are not reported as removed`
