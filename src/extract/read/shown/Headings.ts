/**
 * Headings: what they say, what stands under each, and the parts of a page that have headings of one level as a list.
 */
import { contentOf, type Element, type Text, textOf, tidy } from "#page/Dom"
import type { Group, Property, Thing, Value } from "../../Candidates.ts"
import * as Names from "../../match/Names.ts"
import { Budget, maxRows, maxValues } from "../../page/Budget.ts"
import { maxText, type Page, thing, valueOf } from "../../page/Page.ts"
import { areParts, elementKey, showsOther } from "./cardLinks.ts"
import { shown } from "./Shown.ts"

interface Headings {
  readonly properties: ReadonlyArray<Property>
  readonly groups: ReadonlyArray<Group>
}

export const read = (page: Page): Headings => {
  const room = new Budget(maxValues, page.cut)
  const properties: Array<Property> = []
  const levels = new Map<Element, Map<string, Array<Thing>>>()
  const holders = holdersOf(page.headings)
  const title = titleOf(page)
  const isOfOther = showsOther(page)
  if (page.headings.length > maxRows) page.cut()
  for (const heading of page.headings.slice(0, maxRows)) {
    if (page.isApart(heading)) continue
    const value = shown(page, "heading", heading)
    if (value === undefined || !room.take()) continue
    properties.push({ name: heading.name === "h1" && (title ?? heading) === heading ? "heading" : "subheading", value })
    if (heading.name === "h1" || page.isInFooter(heading)) continue
    const under = textsUnder(page, heading, holders)
    const name = textOf(heading, maxName + 1).replace(ownNumber, "")
    // What stands below the title of a card is said of the page that it leads to.
    if (name.length <= maxName && !isOfOther(heading))
      for (const text of under) if (room.take()) properties.push({ name, value: nameIn(name, text) })
    const part = partOf(page, heading, value, under)
    if (heading.parent === undefined || under.length === 0) continue
    const ofParent = levels.get(heading.parent) ?? new Map<string, Array<Thing>>()
    levels.set(heading.parent, ofParent)
    push(ofParent, heading.name, part)
  }
  return { properties, groups: groupsOf(page, levels) }
}

/** A manual has "git-stash - Stash the changes away" below "Name": what it is called, and what that is. */
const nameIn = (heading: string, text: Value): Value => {
  const [, name] = /^(\S.{0,60}?)\s+[-\u2013\u2014]\s+\S/u.exec(String(text.data)) ?? []
  const isName = Names.conceptOf(Names.parse(heading))?.id === "title"
  return name === undefined || !isName ? text : { ...text, data: name, source: { ...text.source, kind: "label" } }
}

/** What a heading says, with the texts under it, and a link to it where it has one. */
const partOf = (page: Page, heading: Element, value: Value, under: ReadonlyArray<Value>): Thing => {
  const own = page.source("heading", heading)
  const to = under.reduce((most, { source }) => Math.max(most, source.span[1]), own.span[1])
  const part = thing({ ...own, span: [own.span[0], to] })
  part.properties.push({ name: "heading", value })
  for (const text of under) part.properties.push({ name: "text", value: text })
  const target = heading.attributes.has("id") ? `#${heading.attributes.get("id")}` : page.permalinks.get(heading)
  if (target !== undefined && target.length > 1) {
    const url = page.url.replace(/#.*$/, "") + target
    part.properties.push({ name: "url", value: page.attribute("link", url, heading) })
  }
  return part
}

/** The parts under the headings of one level in one parent. */
interface Level {
  readonly parent: Element
  readonly things: ReadonlyArray<Thing>
}

/** The parts of each level are a list, and those of all parents of one kind too: the questions of a page may stand in a section for each subject. */
const groupsOf = (
  page: Page,
  levels: ReadonlyMap<Element, ReadonlyMap<string, ReadonlyArray<Thing>>>
): Array<Group> => {
  const groups: Array<Group> = []
  const kinds = new Map<string, Array<Level>>()
  for (const [parent, ofParent] of levels) {
    for (const [level, things] of ofParent) {
      const [first] = things
      if (first !== undefined && things.length > 1) groups.push(groupOf(things, page.nameAbove(first.source.span[0])))
      push(kinds, `${level} ${elementKey(parent)}`, { parent, things })
    }
  }
  for (const same of kinds.values()) {
    const [first] = same
    if (first === undefined || !areParts(same.map(({ things }) => things.length))) continue
    const things = same.flatMap(({ things }) => things).sort((a, b) => a.source.span[0] - b.source.span[0])
    groups.push(groupOf(things, page.nameAbove(first.parent.from)))
  }
  return groups
}

const push = <A>(lists: Map<string, Array<A>>, key: string, one: A): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [one])
  else list.push(one)
}

const groupOf = (things: ReadonlyArray<Thing>, name: { readonly name?: string }): Group => {
  const [first] = things
  const [from] = first?.source.span ?? [0]
  const [, to] = things.at(-1)?.source.span ?? [0, 0]
  return { source: { kind: "heading", path: first?.source.path ?? "", span: [from, to] }, things, ...name }
}

const maxName = 80

/** "F.35.7. Authors", "2.1 Usage": the number of a part is no word of its name. */
const ownNumber = /^(?:\p{Lu}|\d{1,3})(?:\.\d{1,3}){1,5}\.?\s+(?=\p{L})/u

/**
 * Of several headings of the first level the one that the page's title says, where it says one: the others are the name of
 * the site, or of parts. Of two that it says apart, "Lamps - The shop", the name of the site stands above that of the page.
 */
const titleOf = (page: Page): Element | undefined => {
  const first = page.headings.filter(({ name }) => name === "h1")
  const element = page.elements.find(({ name, parent }) => name === "title" && parent?.name !== "svg")
  if (first.length < 2 || element === undefined) return undefined
  const title = keyOf(contentOf(element, maxText))
  const keyed = first.map((heading) => ({ heading, key: keyOf(textOf(heading, maxText)) }))
  const named = keyed.filter(({ key }) => key.length > 3 && title.includes(key))
  const whole = named.filter(
    ({ key }) => !named.some((other) => other.key.length > key.length && other.key.includes(key))
  )
  const best = whole.at(-1)
  return best !== undefined && whole.filter(({ key }) => key === best.key).length === 1 ? best.heading : undefined
}

const keyOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** "Tel.: 02 98 00 00 01" below an address is a fact of its own, and no part of it. */
const isContact = (line: string): boolean => {
  const label = /^([^:：]{2,30})[:：]\s*\S.{3,60}$/su.exec(line)?.[1]
  const kind = label === undefined ? undefined : Names.conceptOf(Names.parse(label))?.kind
  return kind === "phone" || kind === "email"
}

/** What stands between a heading and the next: the items of a list each, all other text as one. */
const textsUnder = (page: Page, heading: Element, holders: ReadonlySet<Element>): ReadonlyArray<Value> => {
  const path = page.pathOf(heading)
  const found: Array<Value> = []
  let text = ""
  let isListed = false
  let from = 0
  let to = 0
  for (const node of behind(heading, holders)) {
    if (node._tag === "Element") {
      if (!node.isVisible) continue
      if (node.name === "ul" || node.name === "ol") {
        isListed = true
        for (const item of node.children) {
          if (item._tag === "Text" || item.name !== "li") continue
          const value = shown(page, "heading", item)
          if (value !== undefined) found.push(value)
        }
        continue
      }
      if (node.name === "table" || node.name === "dl") continue
    }
    // What stands behind a list is about something else, more often than not.
    if (isListed) continue
    const more = node._tag === "Text" ? tidy(node.text) : textOf(node, maxText)
    if (more === "" || text.length > maxText || (text !== "" && isContact(more))) continue
    if (text === "") from = node.from
    text = text === "" ? more : `${text} ${more}`
    to = node.to
  }
  if (text !== "") found.unshift(valueOf(text, { kind: "heading", path, span: [from, to] }))
  return found
}

/** The siblings up to the next heading; of the heading's parent where the heading stands alone in it. */
const behind = (heading: Element, holders: ReadonlySet<Element>): ReadonlyArray<Element | Text> => {
  let at = heading
  for (let up = 0; up < 3; up++) {
    const { parent } = at
    if (parent === undefined) return []
    const found: Array<Element | Text> = []
    const start = parent.children.indexOf(at)
    for (let i = start + 1; i < parent.children.length; i++) {
      const node = parent.children[i]
      if (node === undefined || (node._tag === "Element" && holders.has(node))) break
      if (node._tag === "Element" || /\S/.test(node.text)) found.push(node)
    }
    if (found.length > 0) return found
    if (
      start !== parent.children.length - 1 &&
      parent.children.slice(start + 1).some((node) => node._tag === "Element")
    )
      return []
    at = parent
  }
  return []
}

/** The headings and what they stand in. */
const holdersOf = (headings: ReadonlyArray<Element>): ReadonlySet<Element> => {
  const found = new Set<Element>()
  for (const heading of headings) {
    for (let at: Element | undefined = heading; at !== undefined && !found.has(at); at = at.parent) found.add(at)
  }
  return found
}
