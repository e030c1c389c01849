/**
 * Whether a picture or a rating is that of another page: it stands in one of several cards whose titles lead to pages of the
 * site, as those below "You may also like" do.
 */
import { type Element, elements, textOf } from "#page/Dom"
import type { Page } from "../../page/Page.ts"
import { childrenByKey, elementKey } from "./cousins.ts"

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
