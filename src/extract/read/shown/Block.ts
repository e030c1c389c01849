/**
 * One block of those that repeat, as a thing: its headings, links, pictures, times, what its classes and data attributes
 * name, labels, prices, and the texts that have no name by their place.
 *
 * A place has the same number in all blocks of a group, so "text 2" is the same part of each.
 */
import { type Element, textOf } from "#page/Dom"
import type { Property, Thing, Value } from "../../Candidates.ts"
import type { Budget } from "../../page/Budget.ts"
import { type Growing, type Page, thing, valueOf } from "../../page/Page.ts"
import { isLead } from "../../value/Byline.ts"
import { classNames, dataOf, isLeaf, linksAlone, relations, timeOf } from "./Classes.ts"
import * as Labels from "./Labels.ts"
import { linesOf } from "./Lines.ts"
import { hostName } from "./Links.ts"
import { currentText, isPrice, isPriceText, isStruck, struckPrice } from "./priceIn.ts"
import { first, imageOf } from "./Shown.ts"

/** The places of texts in the blocks of one group, numbered as they come. */
export type Places = Map<string, number>

export const blockOf = (page: Page, element: Element, places: Places, room: Budget): Thing => {
  const reader = new Reader(page, element, places, room)
  reader.visit(element, "")
  return reader.finish()
}

const maxProperties = 80
const maxVisited = 400
const maxText = 3000

class Reader {
  private readonly made: Growing
  private readonly page: Page
  private readonly element: Element
  private readonly places: Places
  private readonly room: Budget
  private visited = 0
  private hasAddress = false
  private hasWebsite = false
  /** The place of the address among the properties, while it is that of a link that shows nothing. */
  private silentLink: number | undefined
  /** Where the paragraphs without a name stand among the properties. */
  private readonly prose: Array<number> = []

  constructor(page: Page, element: Element, places: Places, room: Budget) {
    this.page = page
    this.element = element
    this.places = places
    this.room = room
    this.made = thing(page.source("block", element))
  }

  /** `isTitled`: in a heading, whose parts have no place of their own. */
  visit(element: Element, place: string, isTitled = false): void {
    if (++this.visited > maxVisited || !element.isVisible || this.room.isFull) return
    const { page } = this
    const { name } = element
    if (isStruck(element) && element !== this.element)
      return isPriceText(textOf(element, maxText)) ? this.text([struckPrice], element) : undefined
    for (const [label, value, attribute] of dataOf(element)) {
      this.add(label, page.attribute("block", value, element, `${page.pathOf(element)}[${attribute}]`))
    }
    if (name === "img") this.picture(element)
    else if (name === "time") this.add("date", timeOf(page, element))
    // The class of the block itself says what all blocks are.
    const names = element === this.element ? [] : [...classNames(element), ...relations(element)]
    const isLink = name === "a" && element.attributes.has("href")
    if (isLink) this.link(element, names)
    else if (headings.has(name) || (name === "dt" && this.element.name === "dl"))
      this.text(["heading", ...names], element)
    else if (name !== "img" && name !== "time" && isLeaf(element)) {
      const text = currentText(element, maxText)
      if (text === "") this.mark(element)
      else if (names.length > 0) for (const part of linksAlone(element) ?? [element]) this.text(names, part)
      else if (ownText(element) && !isTitled) {
        if (name === "p" && text.length >= prose) this.prose.push(this.made.properties.length)
        this.text([this.placed(place)], element, withoutTime(element, text))
      }
      if (!names.includes("price") && isPrice(element, text)) this.text(["price"], element, text)
    } else if (name !== "time" && ownText(element) && !(isTitled && names.length === 0))
      this.text(names.length > 0 ? names : [this.placed(place)], element)
    // The term of a definition is read as a whole.
    if (name === "dt" && this.element.name === "dl") return
    const counts = new Map<string, number>()
    let before = ""
    for (const child of element.children) {
      if (child._tag === "Text") {
        before = child.text
        continue
      }
      if (child.name === "a" && isLead(before)) this.text(["author"], child)
      before = ""
      const count = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, count)
      this.visit(child, `${place}/${child.name}${count}`, isTitled || headings.has(name))
    }
  }

  finish(): Thing {
    for (const property of Labels.read(this.page, linesOf(this.element, 100), 30))
      this.add(property.name, property.value)
    if (!this.hasAddress) this.anchor()
    this.joinProse()
    return this.made
  }

  /** A part of the page that can be linked to has an address. */
  private anchor(): void {
    const { element, page } = this
    const marked = element.attributes.has("id")
      ? element
      : (first(element, isNamedHeading) ?? first(element, (one) => page.permalinks.has(one)))
    const id = marked?.attributes.get("id")?.trim() ?? ""
    const target = id === "" ? (page.permalinks.get(marked ?? element) ?? "") : `#${id}`
    if (marked === undefined || target === "" || target.length > 200) return
    this.add("url", page.attribute("link", page.url.replace(/#.*$/, "") + target, marked))
  }

  /** Paragraphs that follow one another are one text. */
  private joinProse(): void {
    const { properties } = this.made
    const [at, ...others] = this.prose
    const values = this.prose.flatMap((i) => (properties[i]?.value._tag === "Value" ? [properties[i].value] : []))
    const [one] = values
    const last = values.at(-1)
    const own = properties[at ?? -1]
    if (one === undefined || last === undefined || own === undefined || others.length === 0) return
    const source = { ...one.source, span: [one.source.span[0], last.source.span[1]] as const }
    const text = values.map(({ data }) => data).join("\n")
    const joined = new Set(others)
    const rest = properties.filter((_, i) => !joined.has(i))
    properties.splice(0, properties.length, ...rest)
    properties[properties.indexOf(own)] = { name: own.name, value: valueOf(text, source) }
  }

  private placed(place: string): string {
    const known = this.places.get(place) ?? this.places.size + 1
    this.places.set(place, known)
    return known === 1 ? "text" : `text ${known}`
  }

  private link(element: Element, names: ReadonlyArray<string>): void {
    const { page } = this
    const href = page.address(element, "href")
    if (href === undefined) return
    const title = (element.attributes.get("title") ?? element.attributes.get("aria-label") ?? "").trim()
    const shown = textOf(element, maxText)
    const text = shown === "" || isCutOf(shown, title) ? title : shown
    // A text that is cut for its looks has a title that is not.
    if (title.length > shown.length && shown !== "") {
      this.add("title", page.attribute("block", title, element))
      if (isCutOf(shown, title)) this.uncut(shown, page.attribute("block", title, element))
    }
    this.addressOf(element, href, text)
    if (!this.hasWebsite && isElsewhere(href, page.url)) {
      this.hasWebsite = true
      this.add("website", page.attribute("link", href, element))
    }
    const host = text === "" ? hostName(href, page.url) : undefined
    if (host !== undefined) this.add(`${host} url`, page.attribute("link", href, element))
    if (text !== "")
      for (const name of ["link", ...names]) this.add(name, page.value("link", text, element, undefined, href))
  }

  /** The address of the first link. If that shows nothing, as an arrow to vote with, a link with the title is the item's. */
  private addressOf(element: Element, href: string, text: string): void {
    if (href.startsWith("javascript:")) return
    const { properties } = this.made
    const value = this.page.attribute("link", href, element)
    if (!this.hasAddress) {
      this.hasAddress = true
      if (text === "" && first(element, ({ name }) => name === "img") === undefined) this.silentLink = properties.length
      this.add("url", value)
    } else if (this.silentLink !== undefined && text !== "" && isInTitle(element)) {
      properties[this.silentLink] = { name: "url", value }
      this.silentLink = undefined
    }
  }

  /** What was read of a text before it was known whole. */
  private uncut(cut: string, whole: Value): void {
    const { properties } = this.made
    for (const [at, { name, value }] of properties.entries()) {
      if (value._tag === "Value" && value.data === cut) properties[at] = { name, value: { ...value, data: whole.data } }
    }
  }

  private picture(element: Element): void {
    const address = imageOf(this.page, element)
    if (address !== undefined) this.add("image", this.page.attribute("block", address, element))
    const alt = element.attributes.get("alt")?.trim()
    if (alt !== undefined && alt !== "") this.add("alt", this.page.attribute("block", alt, element))
  }

  private text(names: ReadonlyArray<string>, element: Element, text = currentText(element, maxText)): void {
    if (text === "") return
    const link = element.children.find((child) => child._tag === "Element" && child.name === "a")
    const href = link?._tag === "Element" ? this.page.address(link, "href") : undefined
    for (const name of names) this.add(name, this.page.value("block", text, element, undefined, href))
  }

  /** A sign without text that says its state by a second class: `star-rating Three`; or by its title. */
  private mark(element: Element): void {
    const { attributes } = element
    const title = attributes.get("aria-label") ?? attributes.get("title")
    const [name, state] = (attributes.get("class") ?? "").split(/\s+/, 2)
    if (title !== undefined && title.trim() !== "") {
      this.add(classNames(element)[0] ?? "title", this.page.attribute("block", title.trim(), element))
    } else if (name !== undefined && state !== undefined && stateful.test(name) && /^[\w-]{1,30}$/.test(state)) {
      this.add(name, this.page.attribute("block", state, element))
    }
  }

  private add(name: string, value: Property["value"] | undefined): void {
    const { properties } = this.made
    if (value === undefined || properties.length >= maxProperties || !this.room.take()) return
    properties.push({ name, value })
  }
}

/** Shorter paragraphs are facts rather than prose. */
const prose = 30

/** Whether an address is on another host than the page. */
const isElsewhere = (href: string, page: string): boolean => {
  if (!/^https?:/.test(href)) return false
  const host = URL.parse(href)?.host
  return host !== undefined && host !== URL.parse(page)?.host
}

/** "2026-02-25 The gauge measured": a day that stands before the text has a name of its own. */
const withoutTime = (element: Element, text: string): string => {
  const begin = element.children.find((child) => child._tag === "Element" || /\S/.test(child.text))
  if (begin?._tag !== "Element" || begin.name !== "time") return text
  const day = textOf(begin, 100)
  const rest = text.startsWith(day) ? text.slice(day.length).replace(/^[\s,|·•:–—-]+/, "") : text
  return rest === "" ? text : rest
}

/** Classes that have a state beside them. */
const stateful = /rating|stars?|status|state|level|availability|stock/i

const ownText = (element: Element): boolean =>
  element.children.some((child) => child._tag === "Text" && /[\p{L}\p{N}]/u.test(child.text))

/**
 * The title of a block: in a heading, or in an element whose class says so.
 */

/** Classes of a title. */
const titles: ReadonlySet<string> = new Set(["title", "name", "headline"])

/** Whether an element is in the title of its block. */
const isInTitle = ({ parent }: Element): boolean => {
  let at = parent
  for (let up = 0; up < 4 && at !== undefined; up++, at = at.parent) {
    if (headings.has(at.name) || classNames(at).some((name) => titles.has(name))) return true
  }
  return false
}

const headings: ReadonlySet<string> = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "summary", "button"])

const isNamedHeading = ({ attributes, name }: Element): boolean => /^(?:h[1-6]|dt)$/.test(name) && attributes.has("id")

/** Whether a text is the cut form of a whole one: "A Light ..." of "A Light in the Attic". */
const isCutOf = (text: string, whole: string): boolean => {
  const begin = text.replace(/\s*(?:\.{2,}|…)$/, "")
  return begin !== text && begin !== "" && whole.startsWith(begin)
}
