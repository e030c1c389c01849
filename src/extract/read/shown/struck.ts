/** Text that a page strikes through, because it no longer holds, such as the price before a sale. */
import { type Element, elements, textOf, tidy } from "#page/Dom"

export const isStruck = ({ attributes, name }: Element): boolean =>
  name === "del" || name === "s" || name === "strike" || lined.test(attributes.get("class") ?? "")

/** Whether the element, or an element around it, is struck through. */
export const isInStruck = (element: Element): boolean => {
  let at: Element | undefined = element
  for (let up = 0; up < maxLevels && at !== undefined; up++, at = at.parent) if (isStruck(at)) return true
  return false
}

/** The text of an element without its struck parts; the whole text if there is no other. */
export const currentText = (element: Element, most?: number): string => {
  const text = textOf(element, most)
  if (isStruck(element) || text === "") return text
  let rest = text
  for (const part of elements(element, maxParts)) if (isStruck(part)) rest = rest.replace(textOf(part, most), " ")
  const current = rest === text ? text : tidy(rest)
  return /[\p{L}\p{N}]/u.test(current) ? current : text
}

/** The name of the price before a sale. */
export const struckPrice = "list price"

const lined = /(?:^|\s)(?:line-through|text-line-through|strike-?through|text-decoration-line-through)(?:$|\s)/i
const maxLevels = 4
const maxParts = 40
