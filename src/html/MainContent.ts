/**
 * Which parts of a page are its content: a rule that works on elements as they open.
 *
 * Every element lies in a region, a set of three facts. What is kept is decided once, at the end, from how much text
 * each region holds: so the real text is never lost, whatever a page calls its parts, and nothing is read twice.
 */
import type { Attributes } from "./Attributes.ts"
import { BLOCK, type Kind } from "./Elements.ts"

/** In `<main>` or what stands for it. */
const MAIN = 1
/** In an article. */
const ARTICLE = 2
/** In navigation, banners, footers, side bars, share bars, advertisements. */
export const ASIDE = 4
const regionCount = 8

export class MainContent {
  private readonly weights = new Float64Array(regionCount)
  /** What was found about ids and classes, which pages repeat: of blocks, and of what stands in a line. */
  private readonly blocks = new Map<string, boolean>()
  private readonly marks = new Map<string, boolean>()

  /** The region of an element inside the region `outer`. */
  regionOf({ name, flags }: Kind, attributes: Attributes, outer: number): number {
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
    const isBlock = (flags & BLOCK) !== 0
    const id = attributes.get("id")
    const classes = attributes.get("class")
    if (name === "article" || name === "main") return region
    const isAside =
      (id !== undefined && this.isAside(id, isBlock)) || (classes !== undefined && this.isAside(classes, isBlock))
    return isAside ? region | ASIDE : region
  }

  /** Adds text to a region. That of links is what navigation is made of: it counts only where there is no other. */
  weigh(region: number, length: number, linked: boolean): void {
    this.weights[region] = (this.weights[region] ?? 0) + (linked ? length * linkWeight : length)
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
      if (weight >= minText && weight >= body * minShare) return (region) => (region & part) !== 0 && region < ASIDE
    }
    if (body >= everything * minOfAll) return (region) => region < ASIDE
    return () => true
  }

  private isAside(names: string, isBlock: boolean): boolean {
    if (names.length > maxNames) return false
    const verdicts = isBlock ? this.blocks : this.marks
    const known = verdicts.get(names)
    if (known !== undefined) return known
    const verdict = namesAside(names, isBlock)
    verdicts.set(names, verdict)
    return verdict
  }
}

/** A share of the text below which a part is not what the page is about. */
const minShare = 0.5
const minOfAll = 0.35
const minText = 200
const linkWeight = 0.001
const maxNames = 300

const tokenEnds = /\s+/
const wordEnds = /[-_]+|(?<=[a-z])(?=[A-Z])/

/** Whether an id or classes name something beside the content: by a whole name, or by a word of one. */
const namesAside = (names: string, isBlock: boolean): boolean => {
  const all = names.split(tokenEnds)
  if (all.some((name) => asideMarks.test(name))) return true
  if (!isBlock) return false
  if (all.some((name) => asideNames.test(name))) return true
  if (!asideHint.test(names)) return false
  const words = all.flatMap((name) => name.split(wordEnds)).map((word) => word.toLowerCase())
  return words.some((word) => asideWords.has(word)) && !words.some((word) => contentWords.has(word))
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const asideRoles = set("navigation banner contentinfo complementary search menu menubar dialog alertdialog toolbar")

const whole = (names: ReadonlyArray<string>): RegExp => new RegExp(`^(?:${names.join("|")})$`, "i")

/** What is never text, also inside a line. */
const asideMarks = whole([
  "skip(?:[-_]?(?:link|nav|links|to-content|content))?|sr-only|visually-?hidden|screen-reader-(?:text|shortcut)",
  "share(?:[-_]?(?:bar|buttons?|links?|this|tools|icons?))?|edit-?(?:page|link|this-page)|mw-editsection",
  "gutter|lineno|linenos|line-?numbers?|rouge-gutter"
])

const asideNames = whole([
  "(?:(?:site|page|main|global|primary|secondary|top|left|right|mobile)[-_]*)?(?:nav|menu)(?:[-_]*(?:bar|wrapper|container|left|right|main|top|bottom|\\d+))?",
  "(?:site|global|top|mobile)[-_]*(?:header|banner|search)(?:[-_]*(?:bar|wrapper|container|top|bottom))?",
  "cookie-?(?:banner|consent|notice|bar|popup|law)\\S*",
  "social(?:[-_]?(?:bar|buttons?|links?|media|share|sharing|icons?|nav))?",
  "ads?|ad[-_]?(?:container|wrapper|slot|banner|unit|box)|sponsored|improve",
  "toc|table-of-contents|pagination|pager|respond|comment-form|modal|popup"
])

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
