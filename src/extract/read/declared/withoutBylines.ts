/**
 * The things of a page without the cards of its bylines. `author vcard`, as blogs write it, says who wrote the page, not
 * what the page is about.
 */
import type { Thing } from "../../Candidates.ts"
import { tokens } from "../../page/Names.ts"
import type { Page } from "../../page/Page.ts"

export const withoutBylines = (page: Page, things: ReadonlyArray<Thing>): ReadonlyArray<Thing> => {
  if (!things.some(isCard)) return things
  const bylines = new Set(
    page.elements.filter(({ attributes }) => isByline(tokens(attributes.get("class")))).map(({ from }) => from)
  )
  const rest = things.filter((thing) => !isCard(thing) || !bylines.has(thing.source.span[0]))
  // A page that is nothing but such a card is about its person.
  return rest.length === 0 && page.headings.length === 0 ? things : rest
}

const isCard = ({ types }: Thing): boolean => types.length === 1 && types[0] === "card"

const isByline = (classes: ReadonlyArray<string>): boolean =>
  classes.includes("author") && (classes.includes("vcard") || classes.includes("h-card"))
