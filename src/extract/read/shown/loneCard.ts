/**
 * Finds the only card of a page, such as the one product that a search found. Nothing repeats, so the card is recognised by its
 * title: a heading that links to another page of the site.
 *
 * A page with several such headings outside of its lists has no lone card, because it is not clear which one is meant.
 */
import { type Element, elements, textOf } from "#page/Dom"
import type { Group } from "../../Candidates.ts"
import { Budget } from "../../page/Budget.ts"
import type { Page } from "../../page/Page.ts"
import { blockOf } from "./Block.ts"
import { leadsElsewhere } from "./cardLinks.ts"

/** As a list of one thing. `groups`: the lists of the page. */
export const loneCard = (page: Page, groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const isInRow = rowFinder(groups)
  const [title, other] = page.headings.filter(
    (heading) => heading.name !== "h1" && isTitle(page, heading) && !isInRow(heading)
  )
  if (title === undefined || other !== undefined) return []
  const card = around(page, title)
  if (textOf(card, maxText) === textOf(title, maxText)) return []
  const thing = blockOf(page, card, new Map(), new Budget(maxValues))
  return [{ source: thing.source, things: [thing], ...page.nameAbove(card.from) }]
}

const maxValues = 100
const maxText = 1000
const maxParts = 60

const isTitle = (page: Page, heading: Element): boolean => {
  if (page.isApart(heading) || page.isInFooter(heading)) return false
  const link = linkAround(heading) ?? elements(heading, maxParts).find(isLink)
  return link !== undefined && leadsElsewhere(page, link)
}

const isLink = ({ attributes, name }: Element): boolean => name === "a" && attributes.has("href")

const linkAround = (element: Element): Element | undefined => {
  for (let at = element.parent; at !== undefined; at = at.parent) if (isLink(at)) return at
  return undefined
}

/** Says whether an element is in a row of a list. Elements must be asked for in the order of the page, so that each row is checked once. */
const rowFinder = (groups: ReadonlyArray<Group>): ((element: Element) => boolean) => {
  const rows = groups
    .filter(({ source: { kind } }) => kind === "block" || kind === "table")
    .flatMap(({ things }) => things.map(({ source: { span } }) => span))
    .toSorted(([a], [b]) => a - b)
  let at = 0
  let end = 0
  return ({ from, to }) => {
    for (let row = rows[at]; row !== undefined && row[0] <= from; row = rows[++at]) end = Math.max(end, row[1])
    return end >= to
  }
}

/** The largest element around the title that has no other heading and is smaller than a part of the page. */
const around = (page: Page, title: Element): Element => {
  const others = page.headings.filter((heading) => heading !== title)
  const holdsOther = ({ from, to }: Element) => others.some((heading) => heading.from >= from && heading.to <= to)
  let card = title
  while (card.parent !== undefined && !parts.has(card.parent.name) && !holdsOther(card.parent)) card = card.parent
  return card
}

const parts: ReadonlySet<string> = new Set(["", "html", "body", "main", "section"])
