/**
 * The title of an article: what is declared, else the page's title without the name of the site.
 *
 * The parts of a title are split at the marks that sites put between them; if the remaining part has no content, the
 * whole title is used.
 */
import { contentOf, type Element, tidy } from "../../html/Dom.ts"
import type { Said } from "./Declared.ts"

export const of = (
  declared: Said | undefined,
  pageTitle: Said | undefined,
  headings: () => Headings
): Said | undefined => {
  if (declared !== undefined) return declared
  if (pageTitle === undefined) return undefined
  const text = shorten(tidy(pageTitle.text, maxTitle), headings)
  return text === "" ? undefined : { text, source: pageTitle.source }
}

/** The first headings of a page, as a reader sees them. */
export interface Headings {
  readonly first: ReadonlyArray<string>
  readonly all: ReadonlyArray<string>
}

export const headingsOf = (elements: ReadonlyArray<Element>): Headings => {
  const found = elements.filter(({ name }) => name === "h1" || name === "h2").slice(0, 100)
  const text = (element: Element) => contentOf(element, maxTitle)
  return { first: found.filter(({ name }) => name === "h1").map(text), all: found.map(text) }
}

const maxTitle = 1000

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
