/**
 * The foot of a page that no element and no id calls so: what holds its copyright, and is links for the most part.
 *
 * Frameworks make pages of nothing but `div`, whose foot has lists of links with headings: as a list it is like the cards of the
 * page, and it stands under the last heading of the page, as they do.
 */
import { type Element, textOf } from "#page/Dom"
import { isMostlyLinks } from "./navigation.ts"

export const footerOf = (root: Element, elements: ReadonlyArray<Element>): Element | undefined => {
  const signed = elements.findLast((element) => element.seen && isSigned(element))
  const marks = elements.filter(({ name }) => name === "h1" || name === "main" || name === "article")
  let found: Element | undefined
  for (let at = signed; at !== undefined && mayBe(at, root, marks); at = at.parent) {
    if (isMostlyLinks(at, least)) found = at
  }
  return found
}

const isSigned = ({ children }: Element): boolean =>
  children.some((child) => child._tag === "Text" && copyright.test(child.text.slice(0, 500)))

const copyright = /©|\bcopyright\b|all rights reserved|\(c\)\s{0,3}(?:19|20)\d\d/i

/** It is short and at the end, and holds nothing of what marks the page itself; without such marks it is not all of the page. */
const mayBe = (element: Element, { to }: Element, marks: ReadonlyArray<Element>): boolean =>
  element.parent !== undefined &&
  element.name !== "body" &&
  element.to >= to * 0.8 &&
  (marks.length > 0 || element.from >= to * 0.3) &&
  !marks.some((mark) => isIn(mark, element) || isIn(element, mark)) &&
  textOf(element, maxText + 1).length <= maxText

const maxText = 3000
const least = 0.4

const isIn = (element: Element, outer: Element): boolean => element.from >= outer.from && element.to <= outer.to
