/**
 * The title of an article: the heading that the page's titles agree with, else what is declared, without the name of the
 * site.
 *
 * A page says its title several times: as declared data, in its head, as a heading. Where a heading is one of them, or a
 * part of one, it is the title, because titles of a head carry the name of the site and words for search engines. Else the
 * declared title loses the parts that the page itself names as its site.
 */
import { contentOf, type Element, textOf, tidy } from "#page/Dom"
import type { PlacedText } from "./Said.ts"
import * as SiteName from "./SiteName.ts"

/** A title that a page declares, with what tells the name of the site from it. */
export interface Titled extends PlacedText {
  /** What the page calls its site. */
  readonly sites?: ReadonlyArray<string>
  /** Its other titles. */
  readonly others?: ReadonlyArray<string>
}

export const of = (
  declared: Titled | undefined,
  pageTitle: Titled | undefined,
  headings: () => Headings
): PlacedText | undefined => {
  const title = declared ?? pageTitle
  if (title === undefined) return undefined
  const sites = title.sites ?? []
  const whole = tidy(title.text, maxTitle)
  const titles = [
    whole,
    ...[...(title.others ?? []), pageTitle?.text ?? ""].map((text) => tidy(text, maxTitle))
  ].filter((text) => text !== "")
  const top = headings().top ?? []
  const heading = agreed(
    titles,
    top.filter(({ text }) => !SiteName.isSite(text, sites)),
    sites
  )
  if (heading !== undefined) return heading.text === title.text ? title : heading
  const text =
    declared === undefined
      ? shorten(SiteName.without(whole, sites), headings)
      : withoutLast(SiteName.without(whole, sites))
  if (text === "") return undefined
  return text === title.text ? title : { text, source: title.source }
}

/** The first headings of a page, as a reader sees them. */
interface Headings {
  readonly first: ReadonlyArray<string>
  readonly all: ReadonlyArray<string>
  /** The headings of the first level that are seen, with their places. */
  readonly top?: ReadonlyArray<PlacedText>
}

export const headingsOf = (elements: ReadonlyArray<Element>): Headings => {
  const found = elements.filter(({ name }) => name === "h1" || name === "h2").slice(0, 100)
  const text = (element: Element) => contentOf(element, maxTitle)
  const first = found.filter(({ name }) => name === "h1")
  const top = first.flatMap((element): ReadonlyArray<PlacedText> => {
    const shown = element.isVisible ? textOf(element, maxTitle) : ""
    const path = element.attributes.has("id") ? `#${element.attributes.get("id")}` : element.name
    const isTitle = shown.length > 1 && shown.length <= maxHeading
    return isTitle ? [{ text: shown, source: { kind: "heading", path, span: [element.from, element.to] } }] : []
  })
  return { first: first.map(text), all: found.map(text), top }
}

const maxTitle = 1000
const maxHeading = 300

/** The heading that is a title of the page, a part of one, its beginning, or says most of one. */
const agreed = (
  titles: ReadonlyArray<string>,
  top: ReadonlyArray<PlacedText>,
  sites: ReadonlyArray<string>
): PlacedText | undefined => {
  if (top.length === 0) return undefined
  const keyed = top.map((heading) => ({ heading, key: SiteName.keyOf(heading.text) })).filter(({ key }) => key !== "")
  const named = (fits: (key: string) => boolean) => keyed.find(({ key }) => fits(key))?.heading
  const whole = new Set([...titles.map((title) => SiteName.without(title, sites)), ...titles].map(SiteName.keyOf))
  const same = named((key) => whole.has(key))
  if (same !== undefined) return same
  const parts = new Set(titles.flatMap((title) => SiteName.partsOf(title)).map(SiteName.keyOf))
  const part = named((key) => parts.has(key))
  if (part !== undefined) return part
  const begins = named((key) => titles.some((title) => SiteName.keyOf(title).startsWith(key)))
  return begins ?? likest(titles, top)
}

/** Most of its words stand in a title. */
const likest = (titles: ReadonlyArray<string>, top: ReadonlyArray<PlacedText>): PlacedText | undefined => {
  let best: PlacedText | undefined
  let most = 0.6
  const known = titles.map((title) => new Set(words(title)))
  for (const heading of top) {
    const own = [...new Set(words(heading.text))]
    if (own.length < 2) continue
    const like = Math.max(...known.map((some) => own.filter((word) => some.has(word)).length / own.length))
    if (like > most || (best === undefined && like === most)) {
      best = heading
      most = like
    }
  }
  return best
}

const words = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Behind the last bar stands what is not of the page, whatever it is. */
const withoutLast = (title: string): string => {
  const bar = title.search(/\s+\|[^|]*$/)
  const rest = bar === -1 ? "" : title.slice(0, bar)
  return words(rest).length >= 2 ? rest : title
}

const shorten = (whole: string, headings: () => Headings): string => {
  let title = whole
  let isTrail = false
  const marks = [...whole.matchAll(separator)]
  const last = marks.at(-1)
  if (last !== undefined) {
    isTrail = marks.some(([mark]) => trail.test(mark))
    title = whole.slice(0, last.index)
    if (wordsIn(title) < 3) title = withoutFirst(whole)
  } else if (whole.includes(": ")) {
    if (!headings().all.includes(whole)) title = behindColon(whole)
  } else if (whole.length > 150 || whole.length < 15) {
    const [only, ...others] = headings().first
    if (only !== undefined && others.length === 0) title = only
  }
  title = tidy(title)
  const count = wordsIn(title)
  const isShort = count <= 4 && (!isTrail || count !== wordsIn(whole.replaceAll(/[|\-–—\\/>»]+/g, "")) - 1)
  return isShort ? whole : title
}

/** What stands between the parts of a title, and what of it tells of a place in a tree of pages. */
const separator = / [|\-–—\\/>»] /g
const trail = / [\\/>»] /

const withoutFirst = (whole: string): string => {
  const at = whole.search(/[|\-–—\\/>»]/)
  return at === -1 ? whole : whole.slice(at + 1)
}

const behindColon = (whole: string): string => {
  const behindLast = whole.slice(whole.lastIndexOf(":") + 1)
  if (wordsIn(behindLast) < 3) return whole.slice(whole.indexOf(":") + 1)
  return wordsIn(whole.slice(0, whole.indexOf(":"))) > 5 ? whole : behindLast
}

const wordsIn = (text: string): number => text.split(/\s+/).length
