/**
 * Microformats, the second and the first (https://microformats.org/wiki/microformats2-parsing): items whose classes say
 * what they are.
 *
 * Names and types have no prefix: "name" of `p-name`, "card" of `h-card`; an item in an item that is not one of its
 * properties is called "children". Markup in texts is not kept.
 */
import { type Element, tidy } from "#page/Dom"
import type { Property, Thing, Value } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { tokens } from "../../page/Names.ts"
import { type Growing, maxText, type Page, thing } from "../../page/Page.ts"

export const read = (page: Page): ReadonlyArray<Thing> => {
  const reader = new Reader(page)
  reader.top(page.root)
  return reader.things
}

const maxDepth = 32

/** What the classes of an element make of it. */
interface Marks {
  /** Types of the item that it is. */
  readonly roots: ReadonlyArray<string>
  readonly isClassic: boolean
}

interface Named {
  readonly prefix: Prefix
  readonly name: string
}

/** An item that is being read. */
interface Open {
  readonly made: Growing
  readonly types: ReadonlyArray<string>
  readonly isClassic: boolean
  readonly path: string
  readonly depth: number
  readonly prefixes: Set<Prefix>
  hasItems: boolean
  day: string | undefined
}

class Reader {
  readonly things: Array<Thing> = []
  private readonly page: Page
  private readonly room = new Budget(maxValues, () => this.page.cut())
  private readonly included = new Set<Element>()

  constructor(page: Page) {
    this.page = page
  }

  top(parent: Element): void {
    for (const child of parent.children) {
      if (child._tag === "Text" || child.name === "template") continue
      const marks = marksOf(child)
      if (marks.roots.length === 0) this.top(child)
      else this.things.push(this.item(child, marks, "", 0))
    }
  }

  private item(element: Element, { roots, isClassic }: Marks, before: string, depth: number): Thing {
    const path = before === "" ? (roots[0] ?? "item") : before
    const made = thing(this.page.source("microformats", element, path), roots, element.attributes.get("id"))
    const open: Open = {
      made,
      types: roots,
      isClassic,
      path,
      depth,
      prefixes: new Set(),
      hasItems: false,
      day: undefined
    }
    this.children(element, open)
    if (isClassic) {
      const { attributes } = element
      for (const id of tokens(attributes.get("itemref"))) this.include(id, open)
      for (const id of element.name === "td" ? tokens(attributes.get("headers")) : []) this.include(id, open)
    }
    if (!isClassic) this.imply(element, open)
    return made
  }

  private children(parent: Element, open: Open): void {
    for (const child of parent.children)
      if (child._tag === "Element" && child.name !== "template") this.child(child, open)
  }

  private child(element: Element, open: Open): void {
    if (this.room.isFull) return
    const { attributes } = element
    const isMarked = attributes.has("class") || attributes.has("rel")
    if (!isMarked) return this.children(element, open)
    if (open.isClassic) {
      const target = includedBy(element)
      if (target !== undefined) return this.include(target, open)
    }
    const properties = open.isClassic ? classicProperties(element, open.types) : propertiesOf(element)
    const marks = marksOf(element, open.isClassic ? open.types : [])
    if (marks.roots.length === 0) {
      for (const property of properties) this.add(open, property, element)
      return this.children(element, open)
    }
    if (open.depth > maxDepth || !this.room.take()) return
    open.hasItems = true
    const names = properties.length === 0 ? ["children"] : properties.map(({ name }) => name)
    for (const name of names) {
      open.made.properties.push({ name, value: this.item(element, marks, `${open.path}/${name}`, open.depth + 1) })
    }
    for (const { prefix } of properties) open.prefixes.add(prefix)
  }

  private include(id: string, open: Open): void {
    const element = this.page.byId(id.replace(/^#/, ""))
    if (element === undefined || this.included.has(element)) return
    this.included.add(element)
    this.child(element, open)
    this.included.delete(element)
  }

  private add(open: Open, { prefix, name }: Named, element: Element): void {
    if (!this.room.take()) return
    const { data, isAttribute, href } = valueOf(this.page, element, prefix, open.day)
    if (prefix === "dt") open.day = dayOf(data) ?? open.day
    open.prefixes.add(prefix)
    const path = `${open.path}/${name}`
    const value: Value = isAttribute
      ? this.page.attribute("microformats", data, element, path)
      : this.page.value("microformats", data, element, path, href)
    const property: Property = { name, value }
    open.made.properties.push(property)
  }

  private imply(element: Element, open: Open): void {
    const { made, path } = open
    const has = (name: string): boolean => made.properties.some((property) => property.name === name)
    const implied = impliedOf(this.page, element, {
      name: !has("name") && !open.prefixes.has("p") && !open.prefixes.has("e") && !open.hasItems,
      photo: !has("photo") && !open.prefixes.has("u") && !open.hasItems,
      url: !has("url") && !open.prefixes.has("u") && !open.hasItems
    })
    for (const { name, data, element: own } of implied) {
      if (this.room.take())
        made.properties.push({ name, value: this.page.value("microformats", data, own, `${path}/${name}`) })
    }
  }
}

const marksOf = ({ attributes }: Element, within: ReadonlyArray<string> = []): Marks => {
  const written = attributes.get("class")
  if (written === undefined) return none
  const classes = tokens(written)
  const roots = classes.filter((name) => root.test(name)).map((name) => name.slice(2))
  if (roots.length > 0) return { roots: [...new Set(roots)].sort(), isClassic: false }
  const classic = classes.flatMap((name) => classicRoots.get(name) ?? [])
  if (classic.length === 0) {
    for (const type of within) for (const name of classes) classic.push(...tokens(classicOf.get(type)?.roots.get(name)))
  }
  return classic.length === 0 ? none : { roots: [...new Set(classic)].sort(), isClassic: true }
}

const none: Marks = { roots: [], isClassic: false }

const root = /^h-(?:[a-z0-9]+-)?[a-z]+(?:-[a-z]+)*$/
const property = /^(p|u|dt|e)-((?:[a-z0-9]+-)?[a-z]+(?:-[a-z]+)*)$/

const propertiesOf = ({ attributes }: Element): ReadonlyArray<Named> => tokens(attributes.get("class")).flatMap(parsed)

const classicProperties = ({ attributes }: Element, types: ReadonlyArray<string>): ReadonlyArray<Named> => {
  const found = new Set<string>()
  for (const type of types) {
    const known = classicOf.get(type)
    for (const name of tokens(attributes.get("class"))) {
      const meaning = known?.classes.get(name)
      if (meaning !== undefined) found.add(meaning)
    }
    for (const name of tokens(attributes.get("rel"))) {
      const meaning = known?.relations.get(name)
      if (meaning !== undefined) found.add(meaning)
    }
  }
  return [...found].flatMap(parsed)
}

const parsed = (written: string): ReadonlyArray<Named> => {
  const [, prefix, name] = property.exec(written) ?? []
  return name !== undefined && (prefix === "p" || prefix === "u" || prefix === "dt" || prefix === "e")
    ? [{ prefix, name }]
    : []
}

/** The include pattern: a link or an object stands for an element elsewhere. */
const includedBy = ({ name, attributes }: Element): string | undefined => {
  if (!tokens(attributes.get("class")).includes("include")) return undefined
  const target = attributes.get(name === "object" ? "data" : "href")
  return target?.startsWith("#") ? target : undefined
}

/** The classes of the first microformats, as the second ones say the same. */
export const classicRoots: ReadonlyMap<string, string> = new Map([
  ["vcard", "card"],
  ["hfeed", "feed"],
  ["hentry", "entry"],
  ["hnews", "news"],
  ["vevent", "event"],
  ["hreview", "review"],
  ["hreview-aggregate", "review-aggregate"],
  ["hproduct", "product"],
  ["hrecipe", "recipe"],
  ["hresume", "resume"],
  ["adr", "adr"],
  ["geo", "geo"]
])

/** What a class or a relation is in an item of a type: "u-url"; with a root where it is an item whatever else it says. */
interface Classic {
  readonly classes: ReadonlyMap<string, string>
  readonly relations: ReadonlyMap<string, string>
  readonly roots: ReadonlyMap<string, string>
}

const mapOf = (written: string): ReadonlyMap<string, string> =>
  new Map(
    written
      .split(" ")
      .filter((pair) => pair !== "")
      .map((pair) => {
        const [name = "", meaning] = pair.split("=")
        return [name, meaning === undefined ? `p-${name}` : meaning.includes("-") ? meaning : `${meaning}-${name}`]
      })
  )

const classic = (classes: string, relations = "", roots = ""): Classic => ({
  classes: mapOf(classes),
  relations: mapOf(relations),
  roots: new Map(
    roots
      .split(" ")
      .map((pair) => pair.split("="))
      .map(([name = "", root = ""]) => [name, root])
  )
})

const address = "post-office-box extended-address street-address locality region postal-code country-name label"

const entry =
  "entry-title=p-name entry-summary=p-summary entry-content=e-content published=dt updated=dt author category"

export const classicOf: ReadonlyMap<string, Classic> = new Map([
  [
    "card",
    classic(
      "fn=p-name honorific-prefix given-name additional-name family-name honorific-suffix nickname email=u logo=u photo=u url=u uid=u " +
        `category adr geo latitude longitude tel note mailer class sort-string bday=dt key=u org organization-name organization-unit title=p-job-title role tz rev=dt sound=u agent ${address}`,
      "tag=p-category"
    )
  ],
  ["feed", classic("author url=u photo=u category", "tag=p-category", "author=card")],
  ["entry", classic(entry, "bookmark=u-url tag=p-category", "author=card")],
  [
    "news",
    classic(
      `entry=p-entry geo dateline source-org item-license=u principles=u ${entry}`,
      "item-license=u-item-license principles=u-principles bookmark=u-url tag=p-category",
      "author=card source-org=card dateline=card"
    )
  ],
  [
    "event",
    classic(
      "summary=p-name dtstart=dt-start dtend=dt-end duration=dt description url=u category location geo attendee contact organizer uid=u",
      "tag=p-category"
    )
  ],
  [
    "review",
    classic(
      "summary=p-name item reviewer=p-author dtreviewed=dt-published rating best worst description=e-content url=u",
      "tag=p-category bookmark=u-url",
      "reviewer=card item=item"
    )
  ],
  [
    "review-aggregate",
    classic(
      "summary=p-name item rating average best worst count votes url=u",
      "tag=p-category bookmark=u-url",
      "item=item"
    )
  ],
  [
    "product",
    classic("fn=p-name photo=u brand category description identifier=u url=u review price listing", "tag=p-category")
  ],
  ["item", classic("fn=p-name photo=u url=u")],
  [
    "recipe",
    classic(
      "fn=p-name ingredient yield instructions=e duration=dt photo=u summary author nutrition published=dt category",
      "tag=p-category",
      "author=card"
    )
  ],
  [
    "resume",
    classic(
      "summary contact education experience skill affiliation publication",
      "",
      "contact=card affiliation=card education=event experience=event"
    )
  ],
  ["adr", classic(address)],
  ["geo", classic("latitude longitude")]
])

interface Implied {
  readonly name: "name" | "photo" | "url"
  readonly data: string
  readonly element: Element
}

/** What an item of microformats says without naming it: its name, its picture, its address. */
const impliedOf = (
  page: Page,
  item: Element,
  wanted: { readonly name: boolean; readonly photo: boolean; readonly url: boolean }
): ReadonlyArray<Implied> => {
  const found: Array<Implied> = []
  if (wanted.name) found.push(nameOf(page, item))
  if (wanted.photo) found.push(...addressOf(page, item, "photo", pictures))
  if (wanted.url) found.push(...addressOf(page, item, "url", links))
  return found
}

const pictures = new Map([
  ["img", "src"],
  ["object", "data"]
])
const links = new Map([
  ["a", "href"],
  ["area", "href"]
])
const named = new Map([
  ["img", "alt"],
  ["area", "alt"],
  ["abbr", "title"]
])

const nameOf = (page: Page, item: Element): Implied => {
  const child = onlyChild(item)
  const inner = child === undefined || isItem(child) ? undefined : onlyChild(child)
  for (const element of [item, child, inner]) {
    if (element === undefined || (element !== item && isItem(element))) continue
    const text = element.attributes.get(named.get(element.name) ?? "")
    if (text !== undefined && (text !== "" || element === item)) return { name: "name", data: text.trim(), element }
  }
  return { name: "name", data: wordsOf(page, item), element: item }
}

const addressOf = (
  page: Page,
  item: Element,
  name: "photo" | "url",
  attributes: ReadonlyMap<string, string>
): ReadonlyArray<Implied> => {
  const only = onlyChild(item)
  const places = [
    item,
    ...onlyOfType(item, attributes),
    ...(only === undefined || isItem(only) ? [] : onlyOfType(only, attributes))
  ]
  for (const element of places) {
    const attribute = attributes.get(element.name)
    const data = attribute === undefined ? undefined : page.address(element, attribute)
    if (data !== undefined && (element === item || !isItem(element))) return [{ name, data, element }]
  }
  return []
}

/** The children that are the only ones of their name. */
const onlyOfType = (parent: Element, names: ReadonlyMap<string, string>): ReadonlyArray<Element> => {
  const children = parent.children.filter((child) => child._tag === "Element")
  return [...names.keys()].flatMap((name) => {
    const same = children.filter((child) => child.name === name)
    return same.length === 1 ? same : []
  })
}

const onlyChild = (parent: Element): Element | undefined => {
  const children = parent.children.filter((child) => child._tag === "Element")
  return children.length === 1 ? children[0] : undefined
}

const isItem = ({ attributes }: Element): boolean =>
  tokens(attributes.get("class")).some((name) => /^h-[a-z]/.test(name))

type Prefix = "p" | "u" | "dt" | "e"

interface Read {
  readonly data: string
  /** Whether it stands in the start tag. */
  readonly isAttribute: boolean
  /** Where the text leads, where it is the text of a link. */
  readonly href?: string
}

/**
 * The value of a property of microformats (https://microformats.org/wiki/microformats2-parsing), and of the parts that
 * it is written in where the value class says so (https://microformats.org/wiki/value-class-pattern).
 *
 * `day` is the date of an earlier property, for a time without one.
 */
const valueOf = (page: Page, element: Element, prefix: Prefix, day: string | undefined): Read => {
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
const wordsOf = (page: Page, element: Element, withAddress = true): string => {
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
const dayOf = (moment: string): string | undefined => /^\d{4}-\d{2}-\d{2}|^\d{4}-\d{3}/.exec(moment)?.[0]
