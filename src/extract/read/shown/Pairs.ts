/**
 * Labels beside their values in elements of their own: `<div><span>Weight</span><span>5 kg</span></div>` where it comes
 * several times or the classes say so, or labels and values alternately.
 */

import { type Element, textOf } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import { Budget } from "../../page/Budget.ts"
import type { Page } from "../../page/Page.ts"
import { isLabel } from "./Labels.ts"
import { labelClass } from "./Lines.ts"
import { first, shown } from "./Shown.ts"

export const read = (page: Page, most = 1000): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const room = new Budget(most)
  for (const parent of [page.root, ...page.elements]) {
    if (room.isFull) break
    if (!parent.isVisible || skipped.has(parent.name) || page.isApart(parent)) continue
    const children = elementsIn(parent)
    for (const [term, value] of children.length < 4 ? ofRows(children) : [...ofRows(children), ...inTurns(children)]) {
      const name = textOf(term, 100).replace(/\s*[:：]$/, "")
      const shownValue = isLabel(name) ? shown(page, "label", value) : undefined
      if (shownValue !== undefined && String(shownValue.data).length <= maxValue && room.take()) {
        found.push({ name, value: shownValue })
      }
    }
  }
  return found
}

const maxValue = 1000
const maxChildren = 500
const skipped = new Set(["table", "tbody", "thead", "tfoot", "tr", "dl", "select", "svg", "p", "head"])

type Pair = readonly [term: Element, value: Element]

const elementsIn = (parent: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (const child of parent.children) {
    if (child._tag === "Element" && child.isVisible && found.length < maxChildren) found.push(child)
  }
  return found
}

/** Children that are a label and its value each. */
const ofRows = (rows: ReadonlyArray<Element>): ReadonlyArray<Pair> => {
  const byShape = new Map<string, Array<Pair>>()
  for (const row of rows) {
    const pair = pairOf(row)
    if (pair === undefined) continue
    const shape = `${row.name} ${shapeOf(pair[0])}`
    const known = byShape.get(shape)
    if (known === undefined) byShape.set(shape, [pair])
    else known.push(pair)
  }
  return [...byShape.values()].flatMap((pairs) => {
    const labels = new Set(pairs.map(([term]) => textOf(term, 100)))
    const isRepeated = pairs.length >= 2 && labels.size > pairs.length * 0.8
    return isRepeated ? pairs : pairs.filter(([term]) => isMarked(term))
  })
}

const pairOf = (row: Element): Pair | undefined => {
  if (row.children.length > 9 || skipped.has(row.name)) return undefined
  let term: Element | undefined
  let value: Element | undefined
  for (const child of row.children) {
    if (child._tag === "Text") {
      if (/[\p{L}\p{N}]/u.test(child.text)) return undefined
    } else if (child.name === "br" || !child.isVisible) continue
    else if (term === undefined) term = child
    else if (value === undefined) value = child
    else return undefined
  }
  return term !== undefined && value !== undefined && isTerm(term) ? [term, value] : undefined
}

/** A label, its value, the next label: two classes or names alternately. */
const inTurns = (children: ReadonlyArray<Element>): ReadonlyArray<Pair> => {
  const [a, b] = children
  if (a === undefined || b === undefined || children.length % 2 !== 0 || shapeOf(a) === shapeOf(b)) return []
  const found: Array<Pair> = []
  for (let i = 0; i < children.length; i += 2) {
    const [term, value] = children.slice(i, i + 2)
    if (term === undefined || value === undefined) return []
    if (shapeOf(term) !== shapeOf(a) || shapeOf(value) !== shapeOf(b) || !isTerm(term)) return []
    found.push([term, value])
  }
  return found
}

const shapeOf = ({ name, attributes }: Element): string => `${name}.${attributes.get("class") ?? ""}`

/** Short, no link, no heading, no picture. */
const isTerm = (element: Element): boolean => {
  if (/^(?:a|h[1-6]|img|picture|ul|ol|table|time|button)$/.test(element.name) || element.children.length > 6)
    return false
  if (first(element, ({ name }) => name === "a" || name === "img") !== undefined) return false
  const text = textOf(element, 100)
  return text !== "" && text.length <= 60 && !/^[\d\p{Sc}]/u.test(text)
}

const isMarked = (term: Element): boolean =>
  term.name === "label" ||
  term.name === "strong" ||
  term.name === "b" ||
  labelClass.test(term.attributes.get("class") ?? "")
