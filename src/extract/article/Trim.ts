/**
 * What is around the text inside its own container: galleries, boxes that ask for an address, lists of other articles,
 * the author's portrait, above the text the line that says who wrote it and when, below it links to what comes next.
 *
 * Only parts that are small beside the article are removed, so a class name on the whole page never empties it.
 */
import * as Day from "../value/Day.ts"
import * as Draft from "./Draft.ts"
import * as Hints from "./Hints.ts"
import * as Measure from "./Measure.ts"

/** `url` is the page's: a list of links that lead to pages of the same site is no list of sources. */
export const trim = (article: Draft.Node, url: string): void => {
  const host = URL.parse(url)?.host ?? ""
  const most = Measure.of(article).length * 0.3
  let isAbove = true
  let looked = 0
  let node = Draft.following(article, article)
  while (node !== undefined) {
    const { length } = Measure.of(node)
    const isSmall = length < most
    if (length === 0 || (isSmall && solid.has(node.name))) {
      node = Draft.following(node, article, solid.has(node.name))
      continue
    }
    const isOut =
      isSmall && (isBox(node, length, host) || isTeaser(node, length) || (isAbove && isHeadLine(node, length)))
    if (!isOut && ((isLine(node) && length > longLine) || ++looked > maxAbove)) isAbove = false
    node = isOut ? Draft.removeAndFollow(node, article) : Draft.following(node, article)
  }
  dropTail(article, most)
}

/** A paragraph of this length is the text itself; what comes after it is not above it. */
const longLine = 200

/** Nor is what comes after so many elements. */
const maxAbove = 300

const isBox = (node: Draft.Node, length: number, host: string): boolean => {
  if (node.name === "nav" || ((node.name === "ul" || node.name === "ol") && isListOfPages(node, length, host)))
    return true
  const { names } = node
  if (names === "") return false
  return (
    (length < 1500 && Hints.isGallery(names)) ||
    (length < 1200 && Hints.isPortrait(names)) ||
    (length < (Measure.linkDensity(node) > 0.5 ? 1500 : 300) && Hints.isNote(names))
  )
}

/** Items that are links, with the size of headings or all within the site, lead to other pages. */
const isListOfPages = (node: Draft.Node, length: number, host: string): boolean => {
  if (Measure.linkDensity(node) <= 0.9) return false
  const { headings, items } = Measure.of(node)
  return (
    headings > length * 0.8 || (items >= 3 && length > items * 12 && links(node).every((href) => isWithin(href, host)))
  )
}

const links = (node: Draft.Node): ReadonlyArray<string> =>
  Draft.within(node, (name) => name === "a")
    .slice(0, 50)
    .map((link) => link.attribute("href") ?? "")

/** An address of the same site; not a place of the same page. */
const isWithin = (href: string, host: string): boolean =>
  /^(?:[a-z][\w+.-]*:|\/\/)/i.test(href)
    ? URL.parse(href, "http://none")?.host === host
    : href !== "" && !href.startsWith("#")

/** A paragraph that is one link in capitals, or says itself that its link leads elsewhere. */
const isTeaser = (node: Draft.Node, length: number): boolean => {
  if (!teasers.has(node.name) || length < 15 || length > 300) return false
  const links = Measure.linkDensity(node)
  if (links < 0.4) return false
  const text = Draft.textOf(node, 1000)
  return elsewhere.test(text) || (node.name === "p" && links > 0.9 && isInCapitals(text))
}

const isInCapitals = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && (text.match(/\p{Lu}/gu)?.length ?? 0) > letters * 0.8
}

const elsewhere =
  /^[\s>»•→–—-]*(?:related|read (?:more|also|next)|see (?:also|more)|you may also like|more (?:on|from)|also|watch|recommended|lesen sie auch|mehr zum thema|siehe auch|lire aussi|à lire|voir aussi|leia (?:também|mais)|veja (?:também|mais)|lea también|le puede interesar|leggi anche|lees ook|читайте также)\s*:/iu

const isHeadLine = (node: Draft.Node, length: number): boolean => {
  if (length >= longLine || isPart(node)) return false
  if (Hints.isHeadLine(node.names)) return true
  return length < 120 && isLine(node) && isDateLine(Draft.textOf(node, 500))
}

/** A heading or an item says more than when it was written. */
const isPart = (node: Draft.Node): boolean => {
  let at: Draft.Node | undefined = node
  for (let i = 0; at !== undefined && i < 4; i++, at = at.parent) if (parts.has(at.name)) return true
  return false
}

const isLine = (node: Draft.Node): boolean => lines.has(node.name) && isPlain(node)

/** Whether it holds no other element that stands apart. */
const isPlain = (node: Draft.Node): boolean => {
  const { blocks, images, headings } = Measure.of(node)
  return headings === 0 && blocks === images
}

/** "Updated 1:39 am EST, Wednesday, November 20, 2019": a day and few words beside it, and no sentence. */
const isDateLine = (text: string): boolean => {
  const line = text.trim()
  if (!/\d/.test(line) || (/[.!?。]$/.test(line) && !/[ap]\.m\.$/i.test(line))) return false
  const days = Day.all(line)
  if (days.length === 0) return false
  let rest = line
  for (const { from, to } of days) rest = rest.slice(0, from) + " ".repeat(to - from) + rest.slice(to)
  return (rest.match(/\p{L}+/gu)?.length ?? 0) <= 10
}

/** Lines that are links and nothing else, from the last one upwards. */
const dropTail = (article: Draft.Node, most: number): void => {
  for (let i = 0; i < 12; i++) {
    const last = lastLine(article)
    if (last === undefined || last.name === "li" || last.name === "dd") return
    const { length } = Measure.of(last)
    if (length === 0 || length >= Math.min(300, most) || Measure.linkDensity(last) <= 0.9) return
    Draft.remove(last)
  }
}

/** The innermost last element that holds a line of text. */
const lastLine = (article: Draft.Node): Draft.Node | undefined => {
  let at = article
  for (;;) {
    let child = at.last
    while (child !== undefined && Measure.of(child).length === 0) child = child.previous
    if (child === undefined || child.name === "") return at === article ? undefined : at
    if (tails.has(child.name) || (isPlain(child) && !lists.has(child.name))) return child
    at = child
  }
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))
const lines = set("p div section header time small span")
const parts = set("h1 h2 h3 h4 h5 h6 li td th dd dt figcaption")
const teasers = set("p li h3 h4")
const lists = set("ul ol dl menu")
const tails = set("p li h1 h2 h3 h4 h5 h6 td dd dt")
/** What is quoted as a whole. */
const solid = set("blockquote pre table")
