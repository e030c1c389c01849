/**
 * What the classes and data attributes of an element call it: "price" of `product-card__price--sale`.
 *
 * Names are words; generated names (hashes, sizes, utilities of style sheets) and names of layout do not count.
 */
import type { Element } from "#page/Dom"
import { tokens } from "../../page/Names.ts"

/** At most two names, in the order of the classes. */
export const classNames = ({ attributes }: Element): ReadonlyArray<string> => {
  const written = attributes.get("class")
  if (written === undefined || written === "") return none
  const found = known.get(written)
  if (found !== undefined) return found
  const names = [...new Set(tokens(written).slice(0, 8).map(nameOf))].filter((name) => name !== "").slice(0, 2)
  if (known.size > 20_000) known.clear()
  known.set(written, names)
  return names
}

/** What data attributes say, by their names without "data-". */
export const dataOf = ({
  attributes
}: Element): ReadonlyArray<readonly [name: string, value: string, attribute: string]> => {
  const found: Array<readonly [string, string, string]> = []
  for (const [attribute, value] of attributes) {
    if (!attribute.startsWith("data-") || found.length >= 12) continue
    const name = attribute.slice(5)
    const text = value.trim()
    if (text === "" || text.length > 300 || tooling.test(name) || /^[{[]/.test(text)) continue
    found.push([name, text, attribute])
  }
  return found
}

const none: ReadonlyArray<string> = []
const known = new Map<string, ReadonlyArray<string>>()

const nameOf = (token: string): string => {
  if (token.length < 3 || token.length > 60 || utility.test(token)) return ""
  const [, ...elements] = token.split("__")
  const part = elements.filter((element) => !isHash(element)).at(-1) ?? token.split("__")[0] ?? ""
  const words = (part.split("--")[0] ?? "")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !dull.has(word) && !isHash(word))
  return words.length > 4 ? "" : words.join(" ")
}

/** "3xYzQ", "a81bc": letters and digits mixed, as tools make them. */
const isHash = (word: string): boolean => /\d/.test(word) && !/^h[1-6]$/.test(word)

const utility =
  /[:/[\]()@!]|^(?:css|sc|jsx|svelte|styled|emotion|js|is|has|u|col|row|m[trblxy]?|p[trblxy]?|text|font|bg|border|flex|grid|gap|w|h|d|align|justify|items|self|order|rounded|shadow|fa[bsrl]?|icon|glyphicon|btn|button|hidden|visible|sr|clearfix|pull|float|img|image|lazy|swiper|slick|owl|aos|wow|animate|fade|vc|et|elementor|wp|ng|v|mui|chakra|ant|uk|is-|no)(?:-|$)/i

const dull = new Set(
  (
    "item items wrapper wrap container inner outer content block box text field fields row col column left right top bottom " +
    "main side first last odd even small large medium big active inactive selected current list listing cell group section " +
    "area body holder value label data card cards tile info details detail meta layout module component widget element entry " +
    "link links btn button icon inline bold italic normal primary secondary default light dark new media figure p dt u e"
  ).split(" ")
)

/** Written for scripts and tests rather than for readers. */
const tooling =
  /^(?:v-|react|ng-|test|qa|cy|gtm|ga-?|track|analytics|toggle|target|dismiss|bs-|aos|action|controller|src|srcset|sizes|lazy|bg|index|position|slot|module|component|hook|uid|uuid|key$|nonce|turbo|swiper|slide|scroll|animation|event|click|ajax|role|widget|wp|elementor|style|state|theme|font|width|height)/i
