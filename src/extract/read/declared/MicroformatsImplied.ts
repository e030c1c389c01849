/** What an item of microformats says without naming it: its name, its picture, its address. */
import type { Element } from "#page/Dom"
import { tokens } from "../../page/Names.ts"
import type { Page } from "../../page/Page.ts"
import { wordsOf } from "./microformatValue.ts"

interface Implied {
  readonly name: "name" | "photo" | "url"
  readonly data: string
  readonly element: Element
}

export const impliedOf = (
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
