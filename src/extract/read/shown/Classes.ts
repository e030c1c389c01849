/**
 * What elements say about their own short text: by class (`price`), as a point in time, by relation. Weak: a class is
 * written for looks.
 */

import { type Element, inline, textOf } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import { Budget } from "../../page/Budget.ts"
import { tokens } from "../../page/Names.ts"
import type { Page } from "../../page/Page.ts"
import { classNames } from "./ClassNames.ts"
import { isPriceText } from "./priceIn.ts"
import { currentText, isInStruck, isStruck, struckPrice } from "./struck.ts"

export const read = (page: Page, most = 500): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const room = new Budget(most)
  for (const element of page.elements) {
    if (room.isFull) break
    const { name, attributes } = element
    if (!element.seen || (attributes.size === 0 && !isStruck(element)) || page.isApart(element)) continue
    if (name === "time") {
      const value = timeOf(page, element)
      if (value !== undefined && room.take()) found.push({ name: "date", value })
    }
    const names = isInStruck(element) ? struckNames(element) : [...classNames(element), ...relations(element)]
    if (names.length === 0 || !isLeaf(element)) continue
    for (const part of linksAlone(element) ?? [element]) {
      const text = currentText(part, maxText + 1)
      if (text === "" || text.length > maxText) continue
      const href = part.name === "a" ? page.address(part, "href") : undefined
      for (const own of names) {
        if (room.take()) found.push({ name: own, value: page.value("block", text, part, undefined, href) })
      }
    }
  }
  return found
}

/** A point in time as its element says it, or as it is written. */
export const timeOf = (page: Page, element: Element) => {
  const written = element.attributes.get("datetime")?.trim()
  if (written !== undefined && written !== "") return page.attribute("label", written, element)
  const text = textOf(element, 100)
  return text === "" ? undefined : page.value("label", text, element)
}

const maxText = 300

/** A sum that is struck through is the price before; other things that are say nothing. */
const struckNames = (element: Element): ReadonlyArray<string> =>
  isStruck(element) && isPriceText(textOf(element, maxText)) ? [struckPrice] : []

/** The links of an element that has several and nothing between them: tags are values of their own, and not one word. */
export const linksAlone = ({ children }: Element): ReadonlyArray<Element> | undefined => {
  const links: Array<Element> = []
  for (const child of children) {
    if (child._tag === "Element" && child.name === "a") links.push(child)
    else if (child._tag === "Element" || child.text.trim() !== "") return undefined
  }
  return links.length > 1 ? links : undefined
}

/** Whether all in it is text in a line. */
export const isLeaf = (element: Element): boolean => {
  if (element.children.length > 12) return false
  return element.children.every(
    (child) =>
      child._tag === "Text" || (inline.has(child.name) && isLeaf(child)) || child.name === "img" || child.name === "svg"
  )
}

export const relations = ({ name, attributes }: Element): ReadonlyArray<string> =>
  name === "a" ? tokens(attributes.get("rel")).filter((token) => relationNames.has(token)) : []

const relationNames = new Set(["author", "tag", "license", "bookmark", "me", "category"])
