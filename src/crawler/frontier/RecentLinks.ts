/**
 * Links that were found a short time ago, and the numbers of their pages: what every page of a site repeats is looked up
 * here, without being read as a URL again. The oldest are forgotten together, so memory is limited.
 */

export interface RecentLinks {
  /** The number of the page that a link leads to, or `nowhere`; undefined: the link is not known any more. */
  readonly get: (link: string) => number | undefined
  readonly set: (link: string, seq: number) => void
  readonly clear: () => void
}

/** The number of a link that leads to no page. */
export const nowhere = -1

export const make = (): RecentLinks => {
  let pages = new Map<string, number>()
  return {
    get: (link) => pages.get(link),
    set: (link, seq) => {
      if (pages.size === maxLinks) pages = new Map()
      pages.set(ownCopy(link), seq)
    },
    clear: () => {
      pages = new Map()
    }
  }
}

/** What a site's every page repeats is among the last few thousand. */
const maxLinks = 10_000

/** A link may be a slice of its page's text, and to keep the slice would keep the page. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
