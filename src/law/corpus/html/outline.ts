/**
 * The sections of an HTML page: each is the text from a heading that begins with a section number to the next such heading.
 *
 * It knows no class names of any site. A heading is h1 to h6, or a paragraph that begins with a bold number; its anchor
 * is the nearest one at it or around it.
 */
import { type Element, elements, isElement, textOf } from "../Xml.ts"
import { unread } from "./rules.ts"
import { sectionNumbers } from "./sectionNumbers.ts"

export interface Part {
  readonly kind: "level" | "section"
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
  inHistory: boolean
}

export const outline = (body: Element): ReadonlyArray<Part> => {
  const reading: Reading = { parts: [], open: undefined, inHistory: false }
  visit(body, "", reading)
  return reading.parts
}

const visit = (element: Element, anchor: string, reading: Reading): void => {
  const before = reading.open
  let near = anchor
  for (const node of element.children) {
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
      heading(node, depth, own ?? anchorIn(node) ?? near, reading)
      near = anchor
    } else if (wrappers.has(node.name) || holdsSection(node)) visit(node, own ?? near, reading)
    else if (!boldHeading(node, own ?? near, reading)) push(node, reading)
  }
  // A section that began inside a `<section>` or `<article>` ends with it.
  if (reading.open !== before && (element.name === "section" || element.name === "article")) {
    reading.open = before?.kind === "level" ? before : undefined
    reading.inHistory = false
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
    : /^(§|sec)/i.test(textOf(element)) && sectionNumbers(textOf(element)) !== undefined

const headingDepth = ({ name }: Element): number | undefined =>
  /^h[1-6]$/.test(name) ? Number(name.slice(1)) : undefined

const anchorIn = (element: Element): string | undefined =>
  elements(element)
    .map(({ attributes }) => attributes.id ?? attributes.name)
    .find((id) => id !== undefined)

const push = (node: Element | string, { open, inHistory }: Reading): void => {
  if (open === undefined) return
  if (isElement(node) && /^history:?$/i.test(textOf(node))) return
  const list = inHistory ? open.history : open.body
  list.push(node)
}

const heading = (element: Element, depth: number, anchor: string, reading: Reading): void => {
  const text = textOf(element)
  const section = sectionNumbers(text)
  if (section !== undefined) return begin({ ...section, kind: "section", prefix: "" }, depth, anchor, element, reading)
  const [, prefix = "", number = "", rest = ""] = level.exec(text) ?? []
  if (prefix !== "") {
    return begin({ kind: "level", prefix, number, others: [], heading: rest }, depth, anchor, element, reading)
  }
  // This is a heading inside a section: of its history, or of a part of its text.
  reading.inHistory = beside.test(text)
  push(element, reading)
}

/** Headings of text that is not law. */
const beside =
  /^(history|legislative history|amendments?|annotations?|notes? (to|of) decisions?|cross[- ]references?|(editor|revision|drafter)\S* notes?|research references)\b/i

/** `<p><b>§ 1-2-3 Noise.</b> No person shall …</p>` */
const boldHeading = (element: Element, anchor: string, reading: Reading): boolean => {
  if (!paragraphs.has(element.name)) return false
  if (/^history:?$/i.test(textOf(element))) {
    reading.inHistory = reading.open !== undefined
    return false
  }
  const found = boldNumber(element)
  if (found === undefined) return false
  begin({ ...found.section, kind: "section", prefix: "" }, 7, element.attributes.id ?? anchor, element, reading)
  const rest = element.children.slice(found.at + 1)
  if (rest.some((node) => isElement(node) || /\S/.test(node))) push({ ...element, children: rest }, reading)
  return true
}

const paragraphs = new Set(["p", "li", "dd", "td"])

/** The section number in bold at the start of a paragraph, and where the bold text ends. */
const boldNumber = (element: Element) => {
  if (!paragraphs.has(element.name)) return undefined
  const at = element.children.findIndex((node) => isElement(node) || /\S/.test(node))
  const first = element.children[at]
  if (first === undefined || !isElement(first) || (first.name !== "b" && first.name !== "strong")) return undefined
  const text = textOf(first)
  const section = /^(§|sec)/i.test(text) ? sectionNumbers(text) : undefined
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
  reading.inHistory = false
}

const level =
  /^(title|subtitle|division|chapter|subchapter|article|part|subpart)\s+([\dIVXLC](?:[.-]?\w)*)\s*[:.—–-]*\s*(.*)$/i
