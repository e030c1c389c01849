/**
 * The page as its readers share it: the tree, its elements in order, addresses made absolute, and the way to each
 * element.
 *
 * Readers make values through `value` and `source`, so each value has its place and none is longer than `maxText`.
 */

import { firstNot } from "#base/firstNot"
import { Addresses } from "#page/Address"
import { type Element, elements, parse, textOf } from "#page/Dom"
import type { Kind, Property, Source, Thing, Value } from "../Candidates.ts"
import { footerOf } from "./footerOf.ts"
import { isFooter, isNavigation } from "./navigation.ts"
import { takePermalinks } from "./takePermalinks.ts"

/** A longer text is cut: nobody asks for more of one value. */
export const maxText = 20_000

const maxName = 200

export class Page {
  readonly html: string
  readonly url: string
  readonly root: Element
  readonly elements: ReadonlyArray<Element>
  /** Where the permalinks lead that stood in an element: "#install". They are not part of the tree. */
  readonly permalinks: ReadonlyMap<Element, string>
  /** Whether it says more than was read of it (`Budget.ts`). */
  isCut = false
  /** Tells that it does. */
  readonly cut = (): void => {
    this.isCut = true
  }
  private readonly addresses: Addresses
  private readonly paths = new Map<Element, string>()
  private readonly apart = new Map<Element, boolean>()
  private readonly footed = new Map<Element, boolean>()
  private foot: { readonly element: Element | undefined } | undefined
  private ids: Map<string, Element> | undefined
  private above: ReadonlyArray<Element> | undefined

  constructor(html: string, url: string) {
    this.html = html
    this.url = url
    this.root = parse(html)
    this.permalinks = takePermalinks(this.root, url)
    this.elements = elements(this.root)
    this.addresses = new Addresses(url)
    for (const { name, attributes } of this.elements) {
      if (name === "base" && attributes.has("href")) this.addresses.rebase(attributes.get("href") ?? "")
    }
  }

  /** The absolute address; undefined where it is none. */
  resolve(href: string): string | undefined {
    return this.addresses.resolve(href.trim())
  }

  /** The address in an attribute, absolute; as written where it cannot be, undefined where there is none. */
  address(element: Element, attribute: string): string | undefined {
    const written = element.attributes.get(attribute)
    return written === undefined ? undefined : (this.resolve(written) ?? written.trim())
  }

  byId(id: string): Element | undefined {
    if (this.ids === undefined) {
      this.ids = new Map()
      for (const element of this.elements) {
        const own = element.attributes.get("id")
        if (own !== undefined && !this.ids.has(own)) this.ids.set(own, element)
      }
    }
    return this.ids.get(id)
  }

  /** Whether it leads through the site rather than being what the page is about. */
  isApart(element: Element): boolean {
    return inherited(element, this.apart, isNavigation)
  }

  isInFooter(element: Element): boolean {
    this.foot ??= { element: footerOf(this.root, this.elements) }
    const { element: own } = this.foot
    return inherited(element, this.footed, (one) => one === own || isFooter(one))
  }

  /** The headings that are seen, in order. */
  get headings(): ReadonlyArray<Element> {
    this.above ??= this.elements.filter(({ name, seen }) => seen && /^h[1-6]$/.test(name))
    return this.above
  }

  /** The last heading that ends before a place. */
  headingAbove(from: number): Element | undefined {
    return this.headings[firstNot(this.headings, ({ to }) => to <= from) - 1]
  }

  /** What a list of things is called: the text of the heading above it. */
  nameAbove(from: number): { readonly name?: string } {
    const heading = this.headingAbove(from)
    const name = heading === undefined ? "" : textOf(heading, maxName)
    return name === "" ? {} : { name }
  }

  /** What lists are called together that each have a heading of their own: the heading above that of the first one. */
  nameOfParts(from: number): { readonly name?: string } {
    const own = this.headingAbove(from)
    return own === undefined ? {} : this.nameAbove(own.from)
  }

  /** "#specs > tr[3] > td[2]": from the nearest element with an id, or from the body. */
  pathOf(element: Element): string {
    const known = this.paths.get(element)
    if (known !== undefined) return known
    const { parent } = element
    if (parent === undefined) return ""
    const counts = new Map<string, number>()
    const before = isStart(parent) ? "" : `${this.pathOf(parent)} > `
    for (const child of parent.children) {
      if (child._tag === "Text") continue
      const count = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, count)
      const id = child.attributes.get("id")
      const step = count === 1 ? child.name : `${child.name}[${count}]`
      this.paths.set(child, id === undefined || id === "" || id.length > 100 ? before + step : `#${id}`)
    }
    return this.paths.get(element) ?? element.name
  }

  /** Joins consecutive elements to one, at the place of the first. */
  together(elements: readonly [Element, ...ReadonlyArray<Element>]): Element {
    const [first] = elements
    const to = elements.at(-1)?.to ?? first.to
    const made: Element = { ...first, name: "div", attributes: new Map(), children: elements, inner: first.from, to }
    this.paths.set(made, this.pathOf(first))
    return made
  }

  source(kind: Kind, element: Element, path = this.pathOf(element)): Source {
    return { kind, path, span: [element.from, element.to] }
  }

  /** A value that stands in an element. */
  value(kind: Kind, data: Value["data"], element: Element, path?: string, href?: string): Value {
    return valueOf(data, this.source(kind, element, path), href)
  }

  /** A value that stands in the start tag of an element. */
  attribute(kind: Kind, data: string, element: Element, path = this.pathOf(element), href?: string): Value {
    return valueOf(data, { kind, path, span: [element.from, element.inner] }, href)
  }
}

/** A thing while it is being read. */
export interface Growing extends Thing {
  readonly properties: Array<Property>
}

export const thing = (source: Source, types: ReadonlyArray<string> = [], id?: string): Growing =>
  id === undefined || id === ""
    ? { _tag: "Thing", types, source, properties: [] }
    : { _tag: "Thing", types, id, source, properties: [] }

export const valueOf = (data: Value["data"], source: Source, href?: string): Value => {
  const cut = typeof data === "string" ? bare(data.length > maxText ? data.slice(0, maxText) : data) : data
  return href === undefined ? { _tag: "Value", data: cut, source } : { _tag: "Value", data: cut, source, href }
}

/** A text without the blanks, and the marks for the direction of writing, at its ends. */
export const bare = (text: string): string => {
  const plain = text.trim()
  return directed.test(plain) ? plain.replaceAll(atEnds, "") : plain
}

const directed = /^[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]$/
const atEnds = /^[\s\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+|[\s\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/g

/** Whether a claim is true of an element or of what it stands in. */
const inherited = (element: Element, known: Map<Element, boolean>, claim: (element: Element) => boolean): boolean => {
  const before = known.get(element)
  if (before !== undefined) return before
  const { parent } = element
  const is = (parent !== undefined && inherited(parent, known, claim)) || claim(element)
  known.set(element, is)
  return is
}

const isStart = ({ name }: Element): boolean => name === "" || name === "html" || name === "body"
