/**
 * The main content of a page.
 *
 * The rules by which it is found are those of Readability (Mozilla, Apache-2.0), which made them known: strip what is
 * hidden or named like a side bar, score what paragraphs stand in, join what belongs to the best, clean it. They are
 * written anew here over a draft that counts as it goes, so that the time is that of a few walks over the page. Where
 * too little is left, the page is read again with less severity.
 */
import type * as Dom from "../../html/Dom.ts"
import * as Breaks from "./Breaks.ts"
import { clean } from "./Clean.ts"
import * as Container from "./Container.ts"
import * as Draft from "./Draft.ts"
import * as Measure from "./Measure.ts"
import { gather } from "./Siblings.ts"
import { strip } from "./Strip.ts"
import { trim } from "./Trim.ts"

export interface Body {
  readonly article: Draft.Node
  /** The line that names the author, where it was met on the way. */
  readonly byline: Draft.Node | undefined
}

export const find = (root: Dom.Element, url: string, title: string, wantsByline: boolean): Body => {
  let byline: Draft.Node | undefined
  const onByline = (node: Draft.Node): boolean => {
    if (byline !== undefined || !wantsByline) return false
    const { length } = Measure.of(node)
    if (length === 0 || length >= maxByline) return false
    const text = Draft.textOf(node, 2000).trim()
    if (text.length >= maxByline) return false
    byline = node
    return true
  }
  let longest: { readonly article: Draft.Node; readonly length: number } | undefined
  for (const { believes, weighs, strict } of severities) {
    const body = Draft.of(root)
    Breaks.paragraphs(body)
    const weight = weighs ? Container.weigh : () => 0
    const paragraphs = strip(body, { title, believes, onByline })
    const article = gather(Container.find(body, paragraphs, weight))
    clean(article, weight, strict)
    const { length } = Measure.of(article)
    if (longest === undefined || length > longest.length) longest = { article, length }
    if (length >= enough) break
  }
  const article = longest?.article ?? Draft.element("div")
  trim(article, url)
  return { article, byline: byline === undefined ? undefined : nameIn(byline) }
}

/** The part of a byline that is said to be the name, else all of it. */
const nameIn = (byline: Draft.Node): Draft.Node => {
  for (let at = Draft.following(byline, byline); at !== undefined; at = Draft.following(at, byline)) {
    if (at.attribute("itemprop")?.includes("name") === true) return at
  }
  return byline
}

const maxByline = 100

/** An article of this length is not looked for again. */
const enough = 500

const severities = [
  { believes: true, weighs: true, strict: true },
  { believes: false, weighs: true, strict: true },
  { believes: false, weighs: false, strict: true },
  { believes: false, weighs: false, strict: false }
] as const
