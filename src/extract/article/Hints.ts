/**
 * What ids and classes say about a part of a page. Authors of pages use the same words everywhere: "sidebar", "content".
 *
 * A hint is never proof. It decides only together with the contents of the part.
 */

/** Names of what stands beside the article. */
export const isUnlikely = (names: string): boolean => (ask(names) & UNLIKELY) !== 0

/** +25 for names of what holds an article, -25 for names of what does not. */
export const weightOf = (names: string | undefined): number => {
  if (names === undefined || names === "") return 0
  const said = ask(names)
  return ((said & POSITIVE) !== 0 ? 25 : 0) - ((said & NEGATIVE) !== 0 ? 25 : 0)
}

export const isByline = (names: string): boolean => (ask(names) & BYLINE) !== 0

/** Names of what is there to be shared with. */
export const isShare = (names: string): boolean => (ask(names) & SHARE) !== 0

/** Names of pictures to leaf through. */
export const isGallery = (names: string): boolean => (ask(names) & GALLERY) !== 0

/** Names of boxes that tell who the author is. */
export const isPortrait = (names: string): boolean => (ask(names) & PORTRAIT) !== 0

/** Names of boxes that ask for something, lead elsewhere or speak about the page. */
export const isNote = (names: string): boolean => (ask(names) & NOTE) !== 0

/** Names of what tells above a text who wrote it and when. */
export const isHeadLine = (names: string): boolean => (ask(names) & HEADLINE) !== 0

const UNLIKELY = 1
const POSITIVE = 2
const NEGATIVE = 4
const BYLINE = 8
const SHARE = 16
const GALLERY = 32
const PORTRAIT = 64
const NOTE = 128
const HEADLINE = 256

const ask = (names: string): number => {
  if (names.length < 2 || names.length > maxNames) return 0
  const known = answers.get(names)
  if (known !== undefined) return known
  const answer =
    (unlikely.test(names) && !perhaps.test(names) ? UNLIKELY : 0) |
    (positive.test(names) ? POSITIVE : 0) |
    (negative.test(names) ? NEGATIVE : 0) |
    (byline.test(names) ? BYLINE : 0) |
    (share.test(names) ? SHARE : 0) |
    (gallery.test(names) ? GALLERY : 0) |
    (portrait.test(names) ? PORTRAIT : 0) |
    (note.test(names) ? NOTE : 0) |
    (headLine.test(names) ? HEADLINE : 0)
  if (answers.size >= maxAnswers) answers.clear()
  answers.set(names, answer)
  return answer
}

/** Pages of one site use the same names: what was found is kept from page to page, within a bound. */
const answers = new Map<string, number>()
const maxAnswers = 4096
const maxNames = 1000

const any = (words: string): RegExp => new RegExp(words.trim().split(/\s+/).join("|"), "i")

const unlikely = any(`-ad- banner breadcrumbs comment community disqus extra footer gdpr header
  legends menu related remark replies rss shoutbox sidebar skyscraper social sponsor supplemental ad-break
  pagination pager popup -remote ai2html cover-wrap`)
const perhaps = any("and article body column content main mathjax shadow")
const positive = any("article body content entry main page pagination post text blog story")
const negative = any(`-ad- hidden ^hid$ \\shid$ \\shid\\s ^hid\\s banner comment com- contact footer gdpr masthead
  media meta outbrain promo related scroll share shoutbox sidebar skyscraper sponsor shopping tags widget`)
const byline = any("byline author dateline writtenby")
const share = /(?:\b|_)(?:share|sharedaddy)(?:\b|_)/i
const gallery = any("gallery carousel lightbox slider swiper rollover tooltip popover cookie consent")
const portrait =
  /(?:^|[\s_-])(?:author|about)[\s_-]*(?:bio|box|info|card|content|description|details|excerpt|profile)|bio(?:graphy)?(?:$|[\s_-])|post-author/i
const note = any(`newsletter subscribe sign-?up follow- related recirc recommended read-?more promo(?![a-z])
  (?:^|[\\s_-])rail trending popular disclaimer copyright read(?:ing)?-time noscript disclosure
  most-?popular most-?read recommend`)
const headLine = /byline|dateline|author|timestamp|publish|(?:^|[\s_-])(?:date|time|meta)(?:$|[\s_-])/i
