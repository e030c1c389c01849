/**
 * The value of a property of microformats (https://microformats.org/wiki/microformats2-parsing), and of the parts that
 * it is written in where the value class says so (https://microformats.org/wiki/value-class-pattern).
 */
import { type Element, tidy } from "#page/Dom"
import { tokens } from "../../page/Names.ts"
import { maxText, type Page } from "../../page/Page.ts"

export type Prefix = "p" | "u" | "dt" | "e"

interface Read {
  readonly data: string
  /** Whether it stands in the start tag. */
  readonly isAttribute: boolean
  /** Where the text leads, where it is the text of a link. */
  readonly href?: string
}

/** `day` is the date of an earlier property, for a time without one. */
export const valueOf = (page: Page, element: Element, prefix: Prefix, day: string | undefined): Read => {
  const attribute = attributeOf(page, element, prefix)
  const leads = prefix === "u" && attribute !== undefined && addressed.has(element.name)
  const parts = prefix === "e" || leads ? [] : partsOf(page, element, prefix)
  if (parts.length > 0) {
    const data = prefix === "dt" ? moment(parts, day) : parts.join("")
    if (data !== undefined) return { data: prefix === "u" ? (page.resolve(data) ?? data) : data, isAttribute: false }
  }
  if (attribute !== undefined) return { data: attribute, isAttribute: true }
  const text = wordsOf(page, element)
  if (prefix === "u") return { data: page.resolve(text) ?? text, isAttribute: false }
  if (prefix === "dt") return { data: moment([text], day) ?? text, isAttribute: false }
  const href = element.name === "a" ? page.address(element, "href") : undefined
  return href === undefined ? { data: text, isAttribute: false } : { data: text, isAttribute: false, href }
}

/** The text of an element, pictures by what they say they are. */
export const wordsOf = (page: Page, element: Element, withAddress = true): string => {
  let text = ""
  const visit = (parent: Element): void => {
    for (const node of parent.children) {
      if (text.length > maxText) return
      if (node._tag === "Text") text += node.text
      else if (node.name === "img") {
        const alt = node.attributes.get("alt")
        text += alt !== undefined ? ` ${alt} ` : withAddress ? ` ${page.address(node, "src") ?? ""} ` : " "
      } else if (node.name === "br") text += "\n"
      else if (!silent.has(node.name)) visit(node)
    }
  }
  visit(element)
  return tidy(text, maxText)
}

const silent = new Set(["script", "style", "template"])

const attributeOf = (page: Page, element: Element, prefix: Prefix): string | undefined => {
  const { name, attributes } = element
  if (prefix === "e") return undefined
  if (prefix === "u") {
    const own = addressed.get(name)?.find((attribute) => attributes.has(attribute))
    if (own !== undefined) return page.address(element, own)
  }
  const own =
    name === "abbr" || (name === "link" && prefix === "p")
      ? "title"
      : name === "data" || name === "input"
        ? "value"
        : prefix === "p" && (name === "img" || name === "area")
          ? "alt"
          : prefix === "dt" && (name === "time" || name === "ins" || name === "del")
            ? "datetime"
            : prefix === "p" && (name === "br" || name === "hr")
              ? ""
              : undefined
  if (own === undefined) return undefined
  const written = own === "" ? "" : attributes.get(own)
  return prefix === "u" && written !== undefined ? (page.resolve(written) ?? written) : written?.trim()
}

/** The attributes that an element leads with, the first that is there. */
const addressed = new Map<string, ReadonlyArray<string>>([
  ["a", ["href"]],
  ["area", ["href"]],
  ["link", ["href"]],
  ["img", ["src"]],
  ["audio", ["src"]],
  ["source", ["src"]],
  ["iframe", ["src"]],
  ["video", ["src", "poster"]],
  ["object", ["data"]]
])

/** The texts of what has the class "value" or "value-title" in an element, as far as no item is in between. */
const partsOf = (page: Page, element: Element, prefix: Prefix): ReadonlyArray<string> => {
  const parts: Array<string> = []
  const visit = (parent: Element, depth: number): void => {
    for (const child of parent.children) {
      if (child._tag === "Text" || child.name === "template" || depth > 8) continue
      const classes = tokens(child.attributes.get("class"))
      if (classes.includes("value-title")) parts.push(child.attributes.get("title") ?? "")
      else if (classes.includes("value")) parts.push(partOf(page, child, prefix))
      else if (!classes.some((name) => /^(?:h|p|u|dt|e)-/.test(name))) visit(child, depth + 1)
    }
  }
  visit(element, 0)
  return parts
}

const partOf = (page: Page, element: Element, prefix: Prefix): string => {
  const { name, attributes } = element
  const own =
    name === "img" || name === "area"
      ? "alt"
      : name === "data"
        ? "value"
        : name === "abbr"
          ? "title"
          : prefix === "dt" && (name === "time" || name === "ins" || name === "del")
            ? "datetime"
            : ""
  return attributes.get(own)?.trim() ?? wordsOf(page, element)
}

/** A date, a time of day and a zone that are written apart, as one. */
const moment = (parts: ReadonlyArray<string>, before: string | undefined): string | undefined => {
  let day: string | undefined
  let time: string | undefined
  let zone: string | undefined
  for (const part of parts) {
    const text = part.trim()
    if (full.test(text)) return text
    const clock = clockOf(text)
    if (clock !== undefined) {
      time ??= clock.time
      zone ??= clock.zone
    } else if (date.test(text)) day ??= text
    else if (offset.test(text)) zone ??= text
  }
  if (day === undefined && time === undefined) return undefined
  const whole = [day ?? before, time].filter((part) => part !== undefined).join(" ")
  return time === undefined || zone === undefined ? whole : `${whole}${zone.replace(":", "").toUpperCase()}`
}

const clockOf = (text: string): { readonly time: string; readonly zone: string | undefined } | undefined => {
  const found = clock.exec(text)
  if (found === null) return undefined
  const [, hours = "", minutes, seconds, half, zone] = found
  if (half === undefined && minutes === undefined) return undefined
  const isLate = half?.toLowerCase() === "p"
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isLate ? 12 : 0)
  return {
    time: `${String(hour).padStart(2, "0")}:${minutes ?? "00"}${seconds === undefined ? "" : `:${seconds}`}`,
    zone
  }
}

const full = /^\d{4}-\d{2,3}(?:-\d{2})?[ Tt]\d{1,2}:\d{2}/
const date = /^\d{4}-\d{2}-\d{2}$|^\d{4}-\d{3}$|^\d{4}-\d{2}$/
const clock =
  /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s{0,3}(?:([AaPp])\.?[Mm]\.?)?\s{0,3}([Zz]|[+-]\d{1,2}(?::?\d{2})?)?$/
const offset = /^(?:Z|[+-]\d{1,2}(?::?\d{2})?)$/

/** The date of a moment, for a time without one. */
export const dayOf = (moment: string): string | undefined => /^\d{4}-\d{2}-\d{2}|^\d{4}-\d{3}/.exec(moment)?.[0]
