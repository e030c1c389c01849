/**
 * The ids, classes and roles of parts beside the content. On pages with few words only these names decide (`chooseBlocks.ts`); on
 * other pages they are one fact among many.
 */
import { namesMark } from "../tree/Marks.ts"

const maxNames = 300

const tokenEnds = /\s+/
const wordEnds = /[-_]+|(?<=[a-z])(?=[A-Z])/

/** Whether an id or classes name something beside the content: by a whole name, or by a word in a name. */
export const namesAside = (names: string): boolean => {
  if (names.length > maxNames) return false
  const all = names.split(tokenEnds)
  if (namesMark(names) || all.some((name) => asideNames.test(name))) return true
  if (!asideHint.test(names)) return false
  const words = all.flatMap((name) => name.split(wordEnds)).map((word) => word.toLowerCase())
  return words.some((word) => asideWords.has(word)) && !words.some((word) => contentWords.has(word))
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))

/** Elements beside the content. */
export const asideElements = set("nav aside footer")

/** Roles of parts beside the content. */
export const asideRoles = set(
  "navigation banner contentinfo complementary search menu menubar dialog alertdialog toolbar"
)

const whole = (names: ReadonlyArray<string>): RegExp => new RegExp(`^(?:${names.join("|")})$`, "i")

const asideNames = whole([
  "(?:(?:site|page|main|global|primary|secondary|top|left|right|mobile)[-_]*)?(?:nav|menu)(?:[-_]*(?:bar|wrapper|container|header|footer|left|right|main|top|bottom|\\d+))?",
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

/** With one of these words, a name is about the content: "has-sidebar", "tag-newsletter", "footnotes". */
const contentWords = set(
  "has with without no not is tag category content contents main article body layout page footnote footnotes notes template theme"
)
