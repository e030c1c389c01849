/**
 * Microdata, as the HTML standard and its note of 2021 read it (https://www.w3.org/TR/microdata/).
 *
 * Declared data is read even if it is hidden; an item is never inside itself. The value of a link is its text, with its
 * target as `href`; if the name means an address, the value is the address. A property outside of all items belongs to
 * the page.
 */

import { contentOf, type Element } from "#page/Dom"
import type { Property, Thing, Value } from "../../Candidates.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { isAddressName, isRelative, shortNames, tokens } from "../../page/Names.ts"
import { type Growing, maxText, type Page, thing } from "../../page/Page.ts"

interface Microdata {
  readonly things: ReadonlyArray<Thing>
  /** Properties outside of any item. */
  readonly loose: ReadonlyArray<Property>
}

export const read = (page: Page): Microdata => {
  const reader = new Reader(page)
  const declared = page.elements.filter(({ attributes }) => attributes.has("itemscope") || attributes.has("itemprop"))
  const things = declared.filter(isTop).map((element) => reader.item(element, "", 0))
  // What nobody refers to was meant as well.
  const loose: Array<Property> = []
  for (const element of declared) {
    if (reader.read.has(element)) continue
    if (element.attributes.has("itemscope")) things.push(reader.item(element, "", 0))
    else reader.property(loose, element, "", 0)
  }
  return { things: things.sort((a, b) => a.source.span[0] - b.source.span[0]), loose }
}

const maxDepth = 32

const isTop = ({ attributes }: Element): boolean => attributes.has("itemscope") && !attributes.has("itemprop")

class Reader {
  /** Elements whose properties belong to an item. */
  readonly read = new Set<Element>()
  private readonly page: Page
  private readonly room = new Budget(maxValues, () => this.page.cut())
  private readonly open = new Set<Element>()

  constructor(page: Page) {
    this.page = page
  }

  item(element: Element, before: string, depth: number): Growing {
    const { attributes } = element
    const types = shortNames(attributes.get("itemtype") ?? "")
    const path = before === "" ? (types[0] ?? "item") : before
    const made = thing(this.page.source("microdata", element, path), types, this.page.address(element, "itemid"))
    this.read.add(element)
    this.open.add(element)
    for (const found of this.propertiesOf(element)) this.property(made.properties, found, path, depth + 1)
    this.open.delete(element)
    return made
  }

  property(into: Array<Property>, element: Element, before: string, depth: number): void {
    this.read.add(element)
    const isItem = element.attributes.has("itemscope")
    if (isItem && (this.open.has(element) || depth > maxDepth)) return
    for (const name of shortNames(element.attributes.get("itemprop") ?? "")) {
      if (!this.room.take()) return
      const path = before === "" ? name : `${before}/${name}`
      into.push({ name, value: isItem ? this.item(element, path, depth) : this.value(element, name, path) })
    }
  }

  /** The elements in an item, and in what it refers to, that are its properties, in the order of the page. */
  private propertiesOf(item: Element): ReadonlyArray<Element> {
    const found: Array<Element> = []
    const seen = new Set<Element>([item])
    const pending: Array<Element> = [item]
    for (const id of tokens(item.attributes.get("itemref"))) {
      const other = this.page.byId(id)
      if (other === undefined) continue
      // An item that is referred to, and is not a property, stands for its properties.
      if (isTop(other) && !this.open.has(other)) for (const child of childrenOf(other)) pending.push(child)
      else pending.push(other)
    }
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next !== item) {
        if (seen.has(next)) continue
        seen.add(next)
        if (next.attributes.has("itemprop")) found.push(next)
        if (next.attributes.has("itemscope") || next.name === "template") continue
      }
      for (const child of childrenOf(next)) pending.push(child)
    }
    return found.sort((a, b) => a.from - b.from)
  }

  private value(element: Element, name: string, path: string): Value {
    const { page } = this
    const { attributes } = element
    const content = attributes.get("content")
    const attribute = addresses.get(element.name)
    if (attribute !== undefined && (content === undefined || attributes.has(attribute))) {
      const address = page.address(element, attribute) ?? page.address(element, "data-src") ?? ""
      if (element.name !== "a" || isAddressName(name)) return page.attribute("microdata", address, element, path)
      const text = contentOf(element, maxText)
      return page.value("microdata", text === "" ? address : text, element, path, address)
    }
    if (content !== undefined) {
      const data = content.trim()
      const href = isAddressName(name) && isRelative(data) ? page.resolve(data) : undefined
      return page.attribute("microdata", data, element, path, href)
    }
    const written =
      element.name === "time"
        ? attributes.get("datetime")
        : measured.has(element.name)
          ? attributes.get("value")
          : undefined
    if (written !== undefined) return page.attribute("microdata", written.trim(), element, path)
    return page.value("microdata", contentOf(element, maxText), element, path)
  }
}

const childrenOf = ({ children }: Element): ReadonlyArray<Element> =>
  children.filter((child) => child._tag === "Element")

/** Elements whose value is where they lead. */
const addresses = new Map([
  ...["audio", "embed", "iframe", "img", "source", "track", "video"].map((name) => [name, "src"] as const),
  ...["a", "area", "link"].map((name) => [name, "href"] as const),
  ["object", "data"]
])

const measured = new Set(["data", "meter"])
