/**
 * Which parts of a page are its content: a rule that works on elements as they open.
 *
 * Every element lies in a region, a set of three facts. What is kept is decided once, at the end, from how much text
 * each region holds: so the real text is never lost, whatever a page calls its parts, and nothing is read twice.
 */
import type { Attributes } from "./Attributes.ts"

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
  private readonly verdicts = new Map<string, boolean>()

  /** The region of an element inside the region `outer`. */
  regionOf(name: string, attributes: Attributes, outer: number): number {
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
    if (name === "article" || name === "main") return region
    const isAside = (id !== undefined && this.isAside(id)) || (classes !== undefined && this.isAside(classes))
    return isAside ? region | ASIDE : region
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
    if (body >= everything * leastOfAll) return (region) => region < ASIDE
    return () => true
  }

  private isAside(names: string): boolean {
    if (names.length > maxNames) return false
    const known = this.verdicts.get(names)
    if (known !== undefined) return known
    const verdict = namesAside(names)
    this.verdicts.set(names, verdict)
    return verdict
  }
}

/** A share of the text below which a part is not what the page is about. */
const leastShare = 0.4
const leastOfAll = 0.35
const leastText = 200
const maxNames = 300

const tokenEnds = /\s+/
const wordEnds = /[-_]+|(?<=[a-z])(?=[A-Z])/

/** Whether an id or classes name something beside the content: by a whole name, or by a word of one. */
const namesAside = (names: string): boolean => {
  const all = names.split(tokenEnds)
  if (all.some((name) => asideNames.test(name))) return true
  if (!asideHint.test(names)) return false
  const words = all.flatMap((name) => name.split(wordEnds)).map((word) => word.toLowerCase())
  return words.some((word) => asideWords.has(word)) && !words.some((word) => contentWords.has(word))
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const asideRoles = set("navigation banner contentinfo complementary search menu menubar dialog alertdialog toolbar")

const asideNames = new RegExp(
  `^(?:${[
    "(?:site|page|main|global|primary|secondary|top|left|right|mobile)?[-_]*(?:nav|menu|header|banner|search)(?:[-_]*(?:bar|wrapper|container|left|right|main|top|bottom|\\d+))?(?<!^(?:page|main)[-_]?(?:header|banner)|^header|^search|^banner)",
    "cookie-?(?:banner|consent|notice|bar|popup|law)\\S*",
    "share(?:[-_]?(?:bar|buttons?|links?|this|tools|icons?))?",
    "social(?:[-_]?(?:bar|buttons?|links?|media|share|sharing|icons?|nav))?",
    "ads?|ad[-_]?(?:container|wrapper|slot|banner|unit|box)|sponsored",
    "skip(?:[-_]?(?:link|nav|links|to-content|content))?|sr-only|visually-?hidden|screen-reader-(?:text|shortcut)",
    "toc|table-of-contents|pagination|pager|respond|comment-form|modal|popup|no-?print|print-?only",
    "edit-?(?:page|link|this-page)|mw-editsection|improve|gutter|lineno|linenos|line-?numbers?|rouge-gutter"
  ].join("|")})$`,
  "i"
)

const asideHint =
  /foot|side|bread|nav|taboola|outbrain|newsletter|trending|recirc|related|recommend|addthis|sharedaddy|disqus|advert|masthead|popular|promo/i

const asideWords = set(
  "footer sidebar sidebars sidenav breadcrumb breadcrumbs navbar navigation subnav topnav taboola outbrain newsletter " +
    "trending recirc related recommended recommendations addthis sharedaddy disqus advertisement advertisements advert masthead promo"
)

/** Where one of these stands beside it, it says something about the content: "has-sidebar", "tag-newsletter", "footnotes". */
const contentWords = set(
  "has with without no not is tag category content contents main article body layout page footnote footnotes notes template theme"
)
