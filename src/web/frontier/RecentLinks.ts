/**
 * The links found most recently, with the numbers of their pages: links that every page of a site repeats are looked up
 * here, without being parsed again. The oldest are dropped together, so memory is limited.
 */

interface RecentLinks {
  /** The number of the link's page, or `nowhere`; undefined: the link is not known (any more). */
  readonly get: (link: string) => number | undefined
  readonly set: (link: string, seq: number) => void
  readonly clear: () => void
}

/** The number of a link that leads to no page. */
export const nowhere = -1

export const create = (): RecentLinks => {
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

/** Links that every page of a site repeats are among the last few thousand. */
const maxLinks = 10_000

/** A link may be a slice of its page's text, and keeping the slice would keep the whole text. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
