/** Definition lists, also with a `div` around each entry: every term and what is said of it. */

import { type Element, textOf } from "#page/Dom"
import type { Group, Property, Thing } from "../../Candidates.ts"
import * as Names from "../../match/Names.ts"
import { Budget, maxValues } from "../../page/Budget.ts"
import { type Growing, type Page, thing } from "../../page/Page.ts"
import { shown } from "./Shown.ts"

interface Definitions {
  readonly properties: ReadonlyArray<Property>
  /** Lists that speak of the same, and the terms of a list as things. */
  readonly groups: ReadonlyArray<Group>
}

export const read = (page: Page): Definitions => {
  const room = new Budget(maxValues, page.cut)
  const lists: Array<{ readonly element: Element; readonly properties: ReadonlyArray<Property> }> = []
  const groups: Array<Group> = []
  for (const element of page.elements) {
    if (element.name !== "dl" || !element.isVisible || room.isFull) continue
    const entries = entriesOf(element)
    const properties = entries.flatMap((entry) => propertiesOf(page, entry, room))
    if (properties.length === 0) continue
    lists.push({ element, properties })
    if (entries.length >= 3) {
      groups.push({
        source: page.source("definition", element),
        things: termsOf(properties),
        ...page.nameAbove(element.from)
      })
    }
  }
  const counts = new Map<string, number>()
  for (const { properties } of lists) {
    for (const name of new Set(properties.map((property) => property.name)))
      counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  // A list for each letter is one glossary.
  const glossary = lists.filter(({ properties }) => properties.every(({ name }) => counts.get(name) === 1))
  if (glossary.length > 1) {
    const [letter] = glossary
    const things = termsOf(glossary.flatMap(({ properties }) => properties))
    const [one] = things
    if (letter !== undefined && one !== undefined)
      groups.unshift({ source: one.source, things, ...page.nameOfParts(letter.element.from) })
  }
  const alike = lists.filter(({ properties }) => properties.some(({ name }) => (counts.get(name) ?? 0) > 1))
  const [first] = alike
  if (first !== undefined) {
    const last = alike[alike.length - 1] ?? first
    const things = alike.map(({ element, properties }): Thing => named(page, element, properties))
    groups.unshift({
      source: { kind: "definition", path: page.pathOf(first.element), span: [first.element.from, last.element.to] },
      things
    })
  }
  const all = lists.flatMap(({ properties }) => properties)
  return { properties: lists.flatMap(({ properties }) => ofPage(properties, all)), groups }
}

/**
 * Terms that are explained in sentences are options, parameters or words: what these are called and do is not said of the page.
 * `all`: those of all lists, since each may have a list of its own.
 */
const ofPage = (properties: ReadonlyArray<Property>, all: ReadonlyArray<Property>): ReadonlyArray<Property> => {
  const isMany = (properties.length < 3 ? all : properties).length >= 3
  if (!isMany || !areExplained(properties) || (properties.length < 3 && !areExplained(all))) return properties
  return properties.filter(({ name }) => {
    if (isOption.test(name)) return false
    const term = Names.parse(name)
    return !Names.has(term, "title") && !Names.has(term, "description")
  })
}

/** "-V" or "--version" of a command: what it does is not said of the page. */
const isOption = /^--?[a-z]/i

const areExplained = (properties: ReadonlyArray<Property>): boolean =>
  properties.filter(isExplained).length * 2 > properties.length

const isExplained = ({ value }: Property): boolean =>
  value._tag === "Value" && typeof value.data === "string" && /(?:\S+\s+){4}.*[.!?。]/su.test(value.data)

const maxName = 200

interface Entry {
  readonly terms: ReadonlyArray<Element>
  readonly values: ReadonlyArray<Element>
}

const entriesOf = (list: Element): ReadonlyArray<Entry> => {
  const entries: Array<{ terms: Array<Element>; values: Array<Element> }> = []
  const visit = (parent: Element, depth: number): void => {
    for (const child of parent.children) {
      if (child._tag === "Text") continue
      const last = entries[entries.length - 1]
      if (child.name === "dt") {
        if (last !== undefined && last.values.length === 0) last.terms.push(child)
        else entries.push({ terms: [child], values: [] })
      } else if (child.name === "dd") last?.values.push(child)
      else if (child.name === "div" && depth < 2) visit(child, depth + 1)
    }
  }
  visit(list, 0)
  return entries
}

const propertiesOf = (page: Page, { terms, values }: Entry, room: Budget): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  for (const term of terms) {
    const name = textOf(term, maxName).replace(/\s*[:：]$/, "")
    if (name === "") continue
    for (const element of values) {
      const value = shown(page, "definition", element)
      if (value !== undefined && room.take()) found.push({ name, value })
    }
  }
  return found
}

const named = (page: Page, element: Element, properties: ReadonlyArray<Property>): Thing => {
  const made: Growing = thing(page.source("definition", element))
  const heading = page.headingAbove(element.from)
  const value = heading === undefined ? undefined : shown(page, "heading", heading)
  if (value !== undefined) made.properties.push({ name: "heading", value })
  for (const property of properties) made.properties.push(property)
  return made
}

/** A glossary: the terms are the names of things. */
const termsOf = (properties: ReadonlyArray<Property>): ReadonlyArray<Thing> =>
  properties.map(
    ({ name, value }): Thing => ({
      _tag: "Thing",
      types: [],
      source: value.source,
      properties: [
        { name: "name", value: { _tag: "Value", data: name, source: value.source } },
        { name: "description", value }
      ]
    })
  )
