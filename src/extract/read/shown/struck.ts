/**
 * What a page strikes through: it says what no longer holds, such as the price before a sale.
 */
import { type Element, elements, textOf, tidy } from "../../../html/Dom.ts"

export const isStruck = ({ attributes, name }: Element): boolean =>
  name === "del" || name === "s" || name === "strike" || lined.test(attributes.get("class") ?? "")

/** By an element around it too. */
export const isInStruck = (element: Element): boolean => {
  let at: Element | undefined = element
  for (let up = 0; up < maxLevels && at !== undefined; up++, at = at.parent) if (isStruck(at)) return true
  return false
}

/** The text of an element without what is struck in it; all of it, if nothing else is. */
export const currentText = (element: Element, most?: number): string => {
  const text = textOf(element, most)
  if (isStruck(element) || text === "") return text
  let rest = text
  for (const part of elements(element, maxParts)) if (isStruck(part)) rest = rest.replace(textOf(part, most), " ")
  const current = rest === text ? text : tidy(rest)
  return /[\p{L}\p{N}]/u.test(current) ? current : text
}

/** What the price before a sale is called. */
export const struckPrice = "list price"

const lined = /(?:^|\s)(?:line-through|text-line-through|strike-?through|text-decoration-line-through)(?:$|\s)/i
const maxLevels = 4
const maxParts = 40
