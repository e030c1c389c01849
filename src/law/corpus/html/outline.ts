/**
 * The sections of an HTML page: each is the text from a heading that begins with a section number to the next such heading.
 *
 * It knows no class names of any site. A heading is h1 to h6, or a paragraph that begins with a bold number; its anchor
 * is the nearest one at it or around it.
 */
import { levelOf, numbersOf } from "../Heading.ts"
import { type Element, elements, isElement, textOf } from "../Xml.ts"
import { unread } from "./rules.ts"

export interface Part {
  /** "text": paragraphs before any heading. */
  readonly kind: "level" | "section" | "text"
  /** "Title", "Chapter"; "" for a section. */
  readonly prefix: string
  readonly number: string
  /** The other numbers of a heading that has several. */
  readonly others: ReadonlyArray<string>
  readonly heading: string
  /** 1 to 6; 7 for a paragraph. */
  readonly depth: number
  readonly anchor: string
  readonly line: number
  readonly body: Array<Element | string>
  readonly history: Array<Element | string>
}

interface Reading {
  readonly parts: Array<Part>
  open: Part | undefined
  /** How deep the heading is under which text is not law, if the next text is under one. */
  history: number | undefined
}

export const outline = (body: Element): ReadonlyArray<Part> => {
  const reading: Reading = { parts: [], open: undefined, history: undefined }
  visit(body, "", reading)
  return reading.parts
}

const visit = (element: Element, anchor: string, reading: Reading): void => {
  const before = reading.open
  let near = anchor
  for (const [at, node] of element.children.entries()) {
    if (!isElement(node)) {
      if (/\S/.test(node)) push(node, reading)
      continue
    }
    if (unread.has(node.name)) continue
    const own = node.attributes.id ?? (node.name === "a" ? node.attributes.name : undefined)
    if (node.name === "a" && own !== undefined && textOf(node) === "") {
      near = own
      continue
    }
    const depth = headingDepth(node)
    if (depth !== undefined) {
      const isLeading = leads(element.children.slice(at + 1))
      heading(node, { depth, isLeading, anchor: own ?? anchorIn(node) ?? near }, reading)
      near = anchor
    } else if (wrappers.has(node.name) || holdsSection(node)) visit(node, own ?? near, reading)
    else if (!boldHeading(node, own ?? near, reading)) push(node, reading)
  }
  // A section that began inside a `<section>` or `<article>` ends with it.
  if (reading.open !== before && (element.name === "section" || element.name === "article")) {
    reading.open = before?.kind === "level" ? before : undefined
    reading.history = undefined
  }
}

const wrappers = new Set(["html", "body", "main", "div", "section", "article", "header", "center", "details"])

/** Whether an element is a list or a table whose items are sections: some codes are published like this. */
const holdsSection = (element: Element): boolean => holders.has(element.name) && holdsAny(element)

const holdsAny = (element: Element): boolean =>
  element.children.some(
    (node) =>
      isElement(node) &&
      (isSectionHeading(node) || ((holders.has(node.name) || wrappers.has(node.name)) && holdsAny(node)))
  )

const holders = new Set(["ul", "ol", "li", "dl", "dt", "dd", "table", "tbody", "tr", "td", "blockquote"])

const isSectionHeading = (element: Element): boolean =>
  headingDepth(element) === undefined
    ? boldNumber(element) !== undefined
    : /^(§|sec)/i.test(textOf(element)) && numbersOf(textOf(element)) !== undefined

const headingDepth = ({ name }: Element): number | undefined =>
  /^h[1-6]$/.test(name) ? Number(name.slice(1)) : undefined

const anchorIn = (element: Element): string | undefined =>
  elements(element)
    .map(({ attributes }) => attributes.id ?? attributes.name)
    .find((id) => id !== undefined)

const push = (node: Element | string, reading: Reading): void => {
  const { history, open } = reading
  if (open === undefined) {
    if (!isElement(node) || node.name !== "p") return
    begin({ kind: "text", prefix: "", number: "", others: [], heading: "" }, 0, "", node, reading)
    reading.open?.body.push(node)
    return
  }
  if (isElement(node) && /^history:?$/i.test(textOf(node))) return
  const list = history === undefined ? open.body : open.history
  list.push(node)
}

/** Where a heading stands. `isLeading`: only sections and their contents are behind it. */
interface Place {
  readonly depth: number
  readonly anchor: string
  readonly isLeading: boolean
}

const heading = (element: Element, { anchor, depth, isLeading }: Place, reading: Reading): void => {
  const text = textOf(element)
  const section = numbersOf(text)
  // A heading below that of a section is a heading inside it: compacts have articles and sections of their own.
  const around = reading.open?.kind === "section" && depth > reading.open.depth ? reading.open : undefined
  if (section !== undefined && !(around !== undefined && isPlain(section.number) && !isPlain(around.number)))
    return begin({ ...section, kind: "section", prefix: "" }, depth, anchor, element, reading)
  const found = around !== undefined && !isLeading ? undefined : levelOf(text, (prefix) => lastOf(prefix, reading))
  if (found !== undefined) return begin({ ...found, kind: "level", others: [] }, depth, anchor, element, reading)
  if (beside.test(text)) reading.history = Math.min(depth, reading.history ?? depth)
  else if (depth <= (reading.history ?? 0)) reading.history = undefined
  push(element, reading)
}

/** A number with one part. */
const isPlain = (number: string): boolean => /^\d+[a-z]*$/i.test(number)

/** Whether what follows up to the next heading lists sections, or the next heading is that of a section. */
const leads = (next: ReadonlyArray<Element | string>): boolean => {
  const some = next.filter((node) => (isElement(node) ? textOf(node) !== "" : /\S/.test(node)))
  const at = some.findIndex((node) => isElement(node) && headingDepth(node) !== undefined)
  const texts = at === 0 ? some.slice(0, 1) : at < 0 ? some : some.slice(0, at)
  return texts.every((node) => {
    const found = numbersOf(textOf(node))
    return found !== undefined && !isPlain(found.number)
  })
}

/** The number of the last level of this kind. */
const lastOf = (prefix: string, { parts }: Reading): string | undefined =>
  parts.findLast((part) => part.kind === "level" && part.prefix.toLowerCase() === prefix)?.number

/** Headings of text that is not law. */
const beside =
  /^(history|legislative history|amendments?|annotations?|notes? (to|of) decisions?|cross[- ]references?|(editor|revision|drafter)\S* notes?|research references)\b/i

/** `<p><b>§ 1-2-3 Noise.</b> No person shall …</p>` */
const boldHeading = (element: Element, anchor: string, reading: Reading): boolean => {
  if (!paragraphs.has(element.name)) return false
  if (/^history:?$/i.test(textOf(element))) {
    reading.history = reading.open === undefined ? undefined : paragraphDepth
    return false
  }
  const found = boldNumber(element)
  if (found === undefined) return false
  begin(
    { ...found.section, kind: "section", prefix: "" },
    paragraphDepth,
    element.attributes.id ?? anchor,
    element,
    reading
  )
  const rest = element.children.slice(found.at + 1)
  if (rest.some((node) => isElement(node) || /\S/.test(node))) push({ ...element, children: rest }, reading)
  return true
}

const paragraphs = new Set(["p", "li", "dd", "td"])

/** A paragraph is deeper than any heading. */
const paragraphDepth = 7

/** The section number in bold at the start of a paragraph, and where the bold text ends. */
const boldNumber = (element: Element) => {
  if (!paragraphs.has(element.name)) return undefined
  const at = element.children.findIndex((node) => isElement(node) || /\S/.test(node))
  const first = element.children[at]
  if (first === undefined || !isElement(first) || (first.name !== "b" && first.name !== "strong")) return undefined
  const text = textOf(first)
  const section = /^(§|sec)/i.test(text) ? numbersOf(text) : undefined
  return section === undefined ? undefined : { at, section }
}

const begin = (
  named: Pick<Part, "kind" | "prefix" | "number" | "others" | "heading">,
  depth: number,
  anchor: string,
  { line }: Element,
  reading: Reading
): void => {
  const part: Part = { ...named, depth, anchor, line, body: [], history: [] }
  reading.parts.push(part)
  reading.open = part
  reading.history = undefined
}
