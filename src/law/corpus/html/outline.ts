/**
 * The sections of an HTML page: each is the text from a heading that begins with a section number to the next such heading.
 *
 * It knows no class names of any site. A heading is h1 to h6, or a paragraph that begins with a bold number; its anchor
 * is the nearest one at it or around it.
 */
import { type Element, elements, isElement, textOf } from "../Xml.ts"
import { unread } from "./rules.ts"

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

interface SectionNumbers {
  readonly number: string
  /** The other numbers of a list, and those of a range up to its end. */
  readonly others: ReadonlyArray<string>
  readonly heading: string
}

/*
 * The numbers at the start of a heading: one, as in "§ 2451. Purpose", a list, as in "9-5-12, 9-5-13. Repealed.", or a range, as
 * in "Secs. 02.10.060 — 02.10.090. Penalties". The first one names the section; the others find it too.
 */

/**
 * Undefined: the text does not begin with a section number. A number without "§" or "Section" before it must have several
 * parts, such as 6.08.010 or 1-2-3. Letters belong to the number, as in 2470aa.
 */
const sectionNumbers = (text: string): SectionNumbers | undefined => {
  const sign = /^(?:§[§\s]*|sec(?:tion)?s?\.?\s+)?/i.exec(text)?.[0] ?? ""
  const isPlural = /§\s*§|s\.?\s+$/i.test(sign)
  const first = numberAt(text, sign.length)
  if (first === undefined) return signed(text)
  if (sign === "" && !/[.:-]/.test(first.number)) return undefined
  const others: Array<string> = []
  let end = first.end
  const inner = rangeWithin(text.slice(sign.length, end), isPlural)
  const number = inner?.from ?? first.number
  if (inner !== undefined) others.push(...reached(inner.from, inner.to))
  for (let last = inner?.to ?? number; ; ) {
    const next = nextNumber(text, end)
    // A plain number may be the first word of the heading, unless the sign says that several numbers follow.
    if (next === undefined || !(isPlural || isAlike(number, next.number))) break
    others.push(...(next.isRange ? reached(last, next.number) : [next.number]))
    last = next.number
    end = next.end
  }
  const listed = headingAfter(text.slice(end))
  if (listed !== undefined) return { number, others, heading: listed }
  const heading = headingAfter(text.slice(first.end))
  return heading === undefined ? signed(text) : { number: first.number, others: [], heading }
}

/** What follows a number; undefined: the number does not end there. */
const headingAfter = (rest: string): string | undefined => {
  const found = /^\.?(?:[\s\u00a0:.—–-]+(.*))?$/s.exec(rest)
  return found === null ? undefined : (found[1] ?? "")
}

const numberAt = (text: string, at: number) => {
  const found = one.exec(text.slice(at, at + longest))?.[0]
  return found === undefined ? undefined : { number: found.replaceAll("–", "-"), end: at + found.length }
}

const one = /^\d+[a-z]{0,4}(?:[.:–-](?:\d+[a-z]{0,4}|[a-z]{1,2}(?![a-z])))*/i
/** More characters than a number has. */
const longest = 80

/** What joins two numbers of a list or a range, with the sign of the next one. */
const join = /^\s*(?:[,;]\s*(?:and\b|&)?|and\b|&|to\b|through\b|[—–-])\s*(?:§+\s*)?/i

const nextNumber = (text: string, at: number) => {
  const [joined] = join.exec(text.slice(at, at + longest)) ?? []
  const next = joined === undefined ? undefined : numberAt(text, at + joined.length)
  return next === undefined || joined === undefined ? undefined : { ...next, isRange: !/[,;&]|and/i.test(joined) }
}

/** Whether two numbers are of one code: they have several parts, and the first one in common. */
const isAlike = (one: string, other: string): boolean => {
  const [first, ...rest] = other.split(separator)
  return rest.length > 0 && first === one.split(separator)[0] && /[.:-]/.test(one)
}

const separator = /[.:-]/

/**
 * A range that is written like one number: "9-6-4–9-6-8", "§§ 2458-2460". Its halves have the same parts but for the last.
 * Two or four parts are a range only if the sign or a dash says so: 9-6 and 10-2-10-3 may be numbers.
 */
const rangeWithin = (
  written: string,
  isPlural: boolean
): { readonly from: string; readonly to: string } | undefined => {
  const parts = written.split(/([.:–-])/)
  const middle = (parts.length - 1) / 2
  const dash = parts[middle]
  if (!Number.isInteger(middle) || (dash !== "-" && dash !== "–")) return undefined
  const [from, to] = [parts.slice(0, middle), parts.slice(middle + 1)].map((half) => half.join("").replaceAll("–", "-"))
  const isSaid = isPlural || (dash === "–" && written.includes("-")) || middle > 3
  return from !== undefined && to !== undefined && isSaid && between(from, to) !== undefined ? { from, to } : undefined
}

/** The numbers behind the first one of a range; only its end, if the numbers between cannot be counted. */
const reached = (from: string, to: string): ReadonlyArray<string> => between(from, to) ?? [to]

const between = (from: string, to: string): ReadonlyArray<string> | undefined => {
  const [, before, first = ""] = /^(.*?)(\d+)$/.exec(from) ?? []
  const [, same, last = ""] = /^(.*?)(\d+)$/.exec(to) ?? []
  const count = Number(last) - Number(first)
  if (before === undefined || before !== same || count <= 0 || count > mostNumbers) return undefined
  return Array.from({ length: count }, (_, at) => before + String(Number(first) + at + 1).padStart(first.length, "0"))
}

/** More sections than a range of repealed ones has. */
const mostNumbers = 1000

/** After "§", unusual numbers such as 14(a) or 15½ are section numbers, too. */
const signed = (text: string): SectionNumbers | undefined => {
  const [, number = "", heading = ""] =
    /^§[§\s]*(?![§\s])([^\s.,:;\d]*\d[^\s,;]*?)[.,:;]?(?:\s+[—–:-]?\s*(.*))?$/.exec(text) ?? []
  return number === "" ? undefined : { number, others: [], heading }
}
