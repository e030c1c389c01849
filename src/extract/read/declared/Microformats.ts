/**
 * Microformats, the second and the first (https://microformats.org/wiki/microformats2-parsing): items whose classes say
 * what they are.
 *
 * Names and types have no prefix: "name" of `p-name`, "card" of `h-card`; an item in an item that is not one of its
 * properties is called "children". Markup in texts is not kept.
 */

import type { Element } from "#page/Dom"
import type { Property, Thing, Value } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { tokens } from "../../page/Names.ts"
import { type Growing, type Page, thing } from "../../page/Page.ts"
import { classicOf, classicRoots } from "./MicroformatsClassic.ts"
import { impliedOf } from "./MicroformatsImplied.ts"
import { dayOf, type Prefix, valueOf } from "./microformatValue.ts"

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
