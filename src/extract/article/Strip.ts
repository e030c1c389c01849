/**
 * The first look at every element, from top to bottom: takes out what is hidden, named like a side bar or empty, and
 * makes paragraphs of what is one without saying so. What is left and holds text is answered, to be scored.
 */
import { isBlank, isPhrasing, trimEnd } from "./Breaks.ts"
import * as Draft from "./Draft.ts"
import * as Hints from "./Hints.ts"
import { isHeadingOf } from "./Likeness.ts"
import * as Measure from "./Measure.ts"

export interface Search {
  readonly title: string
  /** Whether names of what stands beside an article are believed. */
  readonly believes: boolean
  /** Told of the line that names the author, the first time that there is one; true where it is wanted. */
  readonly onByline: (node: Draft.Node) => boolean
}

export const strip = (body: Draft.Node, search: Search): ReadonlyArray<Draft.Node> => {
  const found: Array<Draft.Node> = []
  let isTitleLeft = true
  let node = Draft.following(body, body)
  while (node !== undefined) {
    const names = node.names
    if (isHidden(node) || isBylineOf(node, names, search) || (search.believes && isBeside(node, names))) {
      node = Draft.removeAndFollow(node, body)
      continue
    }
    if (isTitleLeft && (node.name === "h1" || node.name === "h2") && isHeadingOf(node, search.title)) {
      isTitleLeft = false
      node = Draft.removeAndFollow(node, body)
      continue
    }
    if (mayBeEmpty.has(node.name) && isEmpty(node)) {
      node = Draft.removeAndFollow(node, body)
      continue
    }
    if (scored.has(node.name)) found.push(node)
    if (node.name === "div") node = asParagraph(node, found)
    node = Draft.following(node, body)
  }
  return found
}

const isHidden = (node: Draft.Node): boolean => {
  if (node.source?._tag !== "Element" || node.source.attributes.size === 0) return false
  if (node.attribute("hidden") !== undefined) return true
  const style = node.attribute("style")
  if (style !== undefined && hiding.test(style.slice(0, 1000))) return true
  // What stands in for a formula that only a picture shows is hidden from nobody.
  if (node.attribute("aria-hidden") === "true") return !node.names.includes("fallback-image")
  return node.attribute("aria-modal") === "true" && node.attribute("role") === "dialog"
}

const hiding = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

const isBylineOf = (node: Draft.Node, names: string, { onByline }: Search): boolean => {
  const isNamed =
    node.attribute("rel") === "author" ||
    node.attribute("itemprop")?.includes("author") === true ||
    (names !== "" && Hints.isByline(names))
  return isNamed && onByline(node)
}

const isBeside = (node: Draft.Node, names: string): boolean => {
  if (besideRoles.has(node.attribute("role") ?? "")) return true
  if (names === "" || wholes.has(node.name) || !Hints.isUnlikely(names) || Draft.holdsQuote(node)) return false
  return !Draft.isInside(node, "table", 4) && !Draft.isInside(node, "code", 4)
}

const isEmpty = (node: Draft.Node): boolean => {
  const measure = Measure.of(node)
  if (measure.length > 0) return false
  let children = 0
  for (let child = Draft.elementFrom(node.first); child !== undefined; child = Draft.elementFrom(child.next)) children++
  return children === 0 || children === measure.breaks
}

/** Lines of text in a division become paragraphs, and a division that is one paragraph becomes that paragraph. */
const asParagraph = (division: Draft.Node, found: Array<Draft.Node>): Draft.Node => {
  wrapLines(division)
  const only = onlyElement(division)
  if (only?.name === "p" && Measure.linkDensity(division) < 0.25) {
    Draft.replace(division, only)
    found.push(only)
    return only
  }
  if (Measure.of(division).blocks === 0) {
    Draft.rename(division, "p")
    found.push(division)
  }
  return division
}

const wrapLines = (division: Draft.Node): void => {
  let paragraph: Draft.Node | undefined
  let child = division.first
  while (child !== undefined) {
    const next: Draft.Node | undefined = child.next
    if (isPhrasing(child)) {
      if (paragraph !== undefined) Draft.append(paragraph, child)
      else if (!isBlank(child)) {
        paragraph = Draft.element("p")
        Draft.replace(child, paragraph)
        Draft.append(paragraph, child)
      }
    } else if (paragraph !== undefined) {
      trimEnd(paragraph)
      paragraph = undefined
    }
    child = next
  }
}

/** The one element that a node holds, where it holds no text beside. */
const onlyElement = (node: Draft.Node): Draft.Node | undefined => {
  const only = Draft.elementFrom(node.first)
  if (only === undefined || Draft.elementFrom(only.next) !== undefined) return undefined
  for (let child = node.first; child !== undefined; child = child.next) {
    if (child.name === "" && Measure.of(child).length > 0) return undefined
  }
  return only
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))
const mayBeEmpty = set("div section header h1 h2 h3 h4 h5 h6")
const scored = set("section h2 h3 h4 h5 h6 p td pre")
const besideRoles = set("menu menubar complementary navigation alert alertdialog dialog")
/** A link is judged with what it stands in; an article has the names of its subjects. */
const wholes = set("a article main")
