/**
 * What elements say about their own short text: by class (`price`), as a point in time, by relation. Weak: a class is
 * written for looks.
 */
import { type Element, inline, textOf } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import { Budget } from "../../page/Budget.ts"
import { tokens } from "../../page/Names.ts"
import type { Page } from "../../page/Page.ts"
import { currentText, isInStruck, isPriceText, isStruck, struckPrice } from "./priceIn.ts"

export const read = (page: Page, most = 500): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const room = new Budget(most)
  for (const element of page.elements) {
    if (room.isFull) break
    const { name, attributes } = element
    if (!element.isVisible || (attributes.size === 0 && !isStruck(element)) || page.isApart(element)) continue
    if (name === "time") {
      const value = timeOf(page, element)
      if (value !== undefined && room.take()) found.push({ name: "date", value })
    }
    const names = isInStruck(element) ? struckNames(element) : [...classNames(element), ...relations(element)]
    if (names.length === 0 || !isLeaf(element)) continue
    for (const part of linksAlone(element) ?? [element]) {
      const text = currentText(part, maxText + 1)
      if (text === "" || text.length > maxText) continue
      const href = part.name === "a" ? page.address(part, "href") : undefined
      for (const own of names) {
        if (room.take()) found.push({ name: own, value: page.value("block", text, part, undefined, href) })
      }
    }
  }
  return found
}

/** A point in time as its element says it, or as it is written. */
export const timeOf = (page: Page, element: Element) => {
  const written = element.attributes.get("datetime")?.trim()
  if (written !== undefined && written !== "") return page.attribute("label", written, element)
  const text = textOf(element, 100)
  return text === "" ? undefined : page.value("label", text, element)
}

const maxText = 300

/** A sum that is struck through is the price before; other things that are say nothing. */
const struckNames = (element: Element): ReadonlyArray<string> =>
  isStruck(element) && isPriceText(textOf(element, maxText)) ? [struckPrice] : []

/** The links of an element that has several and nothing between them: tags are values of their own, and not one word. */
export const linksAlone = ({ children }: Element): ReadonlyArray<Element> | undefined => {
  const links: Array<Element> = []
  for (const child of children) {
    if (child._tag === "Element" && child.name === "a") links.push(child)
    else if (child._tag === "Element" || child.text.trim() !== "") return undefined
  }
  return links.length > 1 ? links : undefined
}

/** Whether all in it is text in a line. */
export const isLeaf = (element: Element): boolean => {
  if (element.children.length > 12) return false
  return element.children.every(
    (child) =>
      child._tag === "Text" || (inline.has(child.name) && isLeaf(child)) || child.name === "img" || child.name === "svg"
  )
}

export const relations = ({ name, attributes }: Element): ReadonlyArray<string> =>
  name === "a" ? tokens(attributes.get("rel")).filter((token) => relationNames.has(token)) : []

const relationNames = new Set(["author", "tag", "license", "bookmark", "me", "category"])

/*
 * What the classes and data attributes of an element call it: "price" of `product-card__price--sale`.
 *
 * Names are words; generated names (hashes, sizes, utilities of style sheets) and names of layout do not count.
 */

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
