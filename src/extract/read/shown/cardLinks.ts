/**
 * Whether a picture or a rating is that of another page: it stands in one of several cards whose titles lead to pages of the
 * site, as those below "You may also like" do.
 */
import { type Element, elements, textOf } from "#page/Dom"
import type { Page } from "../../page/Page.ts"

type ShowsOther = (part: Element) => boolean

export const showsOther = (page: Page): ShowsOther => {
  const children = childrenByKey()
  const known = new Map<Element, boolean>()
  const isCard = (element: Element, parent: Element): boolean => {
    const [first, ...others] = children(parent).get(elementKey(element))?.slice(0, maxCards) ?? []
    if (first === undefined || others.length === 0) return false
    const before = known.get(first)
    if (before !== undefined) return before
    const titles = [first, ...others].map((card) => titleOf(page, card))
    const isList =
      !titles.includes(undefined) &&
      new Set(titles.map((title) => title?.text)).size === titles.length &&
      new Set(titles.map((title) => title?.href)).size === titles.length
    known.set(first, isList)
    return isList
  }
  return (part) => {
    let at: Element | undefined = part
    for (let up = 0; up < maxLevels && at?.parent !== undefined; up++) {
      if (isCard(at, at.parent)) return true
      at = at.parent
    }
    return false
  }
}

const maxCards = 6
const maxLevels = 5
const maxParts = 60

/** The link to another page of the site that is all the text of a card, or its heading. */
const titleOf = (page: Page, card: Element): { readonly href: string; readonly text: string } | undefined => {
  const parts = elements(card, maxParts)
  for (const link of parts) {
    const href = leadsElsewhere(page, link) ? page.address(link, "href") : undefined
    const text = href === undefined ? "" : textOf(link, maxText)
    if (href === undefined || text === "") continue
    const isHeading = isIn(link, card) || elements(link, maxParts).some(({ name }) => heading.test(name))
    if (isHeading || text === textOf(card, maxText)) return { href, text }
  }
  return undefined
}

const maxText = 300
const heading = /^h[2-6]$/

const isIn = ({ parent }: Element, card: Element): boolean =>
  parent !== undefined && parent !== card && (heading.test(parent.name) || isIn(parent, card))

/** Whether it is a link to another page of the site. */
export const leadsElsewhere = (page: Page, { attributes, name }: Element): boolean => {
  const href = name === "a" ? attributes.get("href") : undefined
  const there = href === undefined ? null : URL.parse(page.resolve(href) ?? "")
  const here = URL.parse(page.url)
  return there !== null && there.host === here?.host && there.pathname !== here.pathname
}

/*
 * Blocks of one kind that stand in parents of one kind: the cards of a shop in rows of three, the entries of a list under the
 * letters of the alphabet. Each parent has a list of its own, and they are one list too.
 *
 * Two blocks are cousins where the ways to them from one ancestor are the same, by the names and classes of the elements.
 */

/** What an element is recognised by: its name and class. */
export const elementKey = ({ attributes, name }: Element): string => `${name}.${classKey(attributes.get("class"))}`

/** The first class without its numbers: "post-17 sticky" is "post-". */
const classKey = (written: string | undefined): string =>
  (/^\s*(\S{0,60})/.exec(written ?? "")?.[1] ?? "").replaceAll(/\d+/g, "")

/** A list, and the element that it begins with: its first block, or the one of the outermost parents that holds it. */
export interface Rows {
  readonly rows: ReadonlyArray<Element>
  readonly top: Element | undefined
}

/** The lists that several of these are together, none of which is a part of another. */
export const joinedOf = (lists: ReadonlyArray<ReadonlyArray<Element>>): ReadonlyArray<Rows> => {
  const children = childrenByKey()
  const seen = new Map<Element, Set<string>>()
  const taken = new Set<Element>()
  const found: Array<Rows> = []
  for (let level = maxCousinLevels; level >= 1; level--) {
    for (const [first] of lists) {
      const chain = first === undefined ? undefined : chainTo(first, level)
      if (first === undefined || chain === undefined || taken.has(first)) continue
      const { ancestor, keys } = chain
      const tried = seen.get(ancestor) ?? new Set()
      seen.set(ancestor, tried)
      if (tried.has(keys.join(way))) continue
      tried.add(keys.join(way))
      const joined = descendants(ancestor, keys, children)
      if (!isJoined(joined)) continue
      for (const element of joined) taken.add(element)
      found.push({ rows: joined, top: topOf(joined) })
    }
  }
  return found
}

const maxCousinLevels = 3
const way = " > "

/** The ancestor so many levels above the parent of an element, and what leads down to the element from there. */
const chainTo = (element: Element, level: number) => {
  const keys = [elementKey(element)]
  let at: Element | undefined = element.parent
  for (let up = 0; up < level && at !== undefined; up++) {
    keys.unshift(elementKey(at))
    at = at.parent
  }
  return at === undefined ? undefined : { ancestor: at, keys }
}

/** The elements in one that are seen, by what they are recognised by. */
type Children = (parent: Element) => ReadonlyMap<string, ReadonlyArray<Element>>

/** Groups the children of each parent once. */
const childrenByKey = (): Children => {
  const known = new Map<Element, ReadonlyMap<string, ReadonlyArray<Element>>>()
  return (parent) => {
    const before = known.get(parent)
    if (before !== undefined) return before
    const children = new Map<string, Array<Element>>()
    for (const child of parent.children) {
      if (child._tag === "Text" || !child.isVisible) continue
      const key = elementKey(child)
      const same = children.get(key)
      if (same === undefined) children.set(key, [child])
      else same.push(child)
    }
    known.set(parent, children)
    return children
  }
}

const descendants = (ancestor: Element, keys: ReadonlyArray<string>, children: Children): ReadonlyArray<Element> => {
  let level: ReadonlyArray<Element> = [ancestor]
  for (const key of keys) level = level.flatMap((parent) => children(parent).get(key) ?? [])
  return level
}

/** What holds the first of them, in the nearest element that holds them all. */
const topOf = (elements: ReadonlyArray<Element>): Element | undefined => {
  const around = new Set<Element>()
  for (let at = elements.at(-1)?.parent; at !== undefined; at = at.parent) around.add(at)
  let [top] = elements
  while (top?.parent !== undefined && !around.has(top.parent)) top = top.parent
  return top
}

const isJoined = (elements: ReadonlyArray<Element>): boolean => {
  const counts = new Map<Element | undefined, number>()
  for (const { parent } of elements) counts.set(parent, (counts.get(parent) ?? 0) + 1)
  return areParts([...counts.values()])
}

/** Whether so many blocks in each of several parents are one list in parts: most have several, otherwise the parents are the list. */
export const areParts = (counts: ReadonlyArray<number>): boolean =>
  counts.length > 1 && counts.filter((count) => count > 1).length * 2 > counts.length
