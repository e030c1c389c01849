/**
 * Which parts of a page are its content: a rule that works on elements as they open.
 *
 * Every element lies in a region, a set of three facts. What is kept is decided once, at the end, from how much text
 * each region holds: so the real text is never lost, whatever a page calls its parts, and nothing is read twice.
 */
import type { Attributes } from "./Attributes.ts"
import { BLOCK } from "./Elements.ts"

/** In `<main>` or what stands for it. */
export const MAIN = 1
/** In an article. */
export const ARTICLE = 2
/** In navigation, banners, footers, side bars, share bars, advertisements. */
export const ASIDE = 4
/** How many different regions there are. */
export const regionCount = 8

export class MainContent {
  /** How much text each region holds, link texts left out. */
  readonly weights = new Float64Array(regionCount)
  private readonly verdicts = new Map<string, number>()

  /** The region of an element inside the region `outer`. */
  regionOf(name: string, flags: number, attributes: Attributes, outer: number): number {
    if (outer >= ASIDE) return outer
    let region = outer
    switch (name) {
      case "main":
        region |= MAIN
        break
      case "article":
        region |= ARTICLE
        break
      case "nav":
      case "aside":
        return outer | ASIDE
      case "header":
        if ((outer & (MAIN | ARTICLE)) === 0) return outer | ASIDE
        break
      case "footer":
        return outer | ASIDE
      case "body":
      case "html":
        return outer
    }
    if (attributes.length === 0) return region
    const role = attributes.get("role")
    if (role !== undefined) {
      if (asideRoles.has(role)) return outer | ASIDE
      if (role === "main") region |= MAIN
      else if (role === "article") region |= ARTICLE
    }
    const id = attributes.get("id")
    const classes = attributes.get("class")
    if (id !== undefined) region |= this.verdict(id, (flags & BLOCK) !== 0)
    if (classes !== undefined) region |= this.verdict(classes, (flags & BLOCK) !== 0)
    return region
  }

  /** Tells what to keep, once all is read. */
  choose(): (region: number) => boolean {
    const sum = (has: number): number => {
      let total = 0
      for (let i = 0; i < ASIDE; i++) if ((i & has) === has) total += this.weights[i] ?? 0
      return total
    }
    const body = sum(0)
    let everything = 0
    for (const weight of this.weights) everything += weight
    for (const part of [MAIN, ARTICLE]) {
      const weight = sum(part)
      if (weight >= leastText && weight >= body * leastShare) return (region) => (region & part) !== 0 && region < ASIDE
    }
    if (body >= leastText || body >= everything * leastOfAll) return (region) => region < ASIDE
    return () => true
  }

  private verdict(names: string, block: boolean): number {
    if (names.length > maxNames) return 0
    const key = block ? names : `${names} `
    const known = this.verdicts.get(key)
    if (known !== undefined) return known
    let verdict = 0
    for (const name of names.split(tokenEnds)) {
      if (asideNames.test(name) && !keptNames.test(name)) verdict |= ASIDE
    }
    this.verdicts.set(key, verdict)
    return verdict
  }
}

const leastText = 200
const leastShare = 0.4
const leastOfAll = 0.05
const maxNames = 300

const tokenEnds = /\s+/

const asideRoles = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "complementary",
  "search",
  "menu",
  "menubar",
  "dialog",
  "alertdialog",
  "toolbar"
])

const asideNames =
  /^(?:(?:site|page|main|global|primary|top|left|right|mobile|footer|header|sphinx|td|book|wy)?[-_]*(?:side-?bar|nav|navbar|navigation|menu|footer|toolbar|masthead|banner)(?:[-_]*(?:wrapper|container|left|right|main|menu|nav|top|bottom|primary|secondary|inner|\d+))?|bread-?crumbs?|.*cookie-?(?:banner|consent|notice|bar).*|share(?:-?(?:bar|buttons?|links?|this))?|social(?:-?(?:bar|buttons?|links?|media|share|icons?))?|sharedaddy|addthis.*|ads?|adsbygoogle|advert(?:isement)?s?|ad-?(?:container|wrapper|slot|banner|unit)|sponsor(?:ed)?|skip-?(?:link|nav|to-content|content)|skip|sr-only|visually-?hidden|screen-reader-text|toc|table-of-contents|pagination|pager|related(?:-?(?:posts?|articles?|links?|stories))?|newsletter.*|subscribe.*|comments?(?:-?(?:area|list|section|form))?|disqus_thread|popup|modal|no-?print|print-?only|edit-?(?:page|link|this-page)|mw-editsection|gutter|lineno|linenos|line-?numbers?|headerlink)$/i

const keptNames = /^(?:page-banner)$/i
