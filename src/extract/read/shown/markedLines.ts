/**
 * The lines in which a page names what it says: its title, its headings, its head and foot, and lines too short to be a
 * sentence. A link alone names another page, and prose uses words for anything.
 */
import { contentOf, tidy } from "#page/Dom"
import { maxText, type Page } from "../../page/Page.ts"
import type { Line } from "./Lines.ts"

export const markedLines = (page: Page, lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const title = page.elements.find(({ name, parent }) => name === "title" && parent?.name !== "svg")
  const found = title === undefined ? [] : [contentOf(title, maxText)]
  for (const line of lines) {
    const text = tidy(line.text)
    const isAround = page.isApart(line.block) || page.isInFooter(line.block)
    if ((isAround || text.split(" ").length <= maxWords) && !isLink(line)) found.push(text)
  }
  return found
}

/** A label and what it says. */
const maxWords = 8

const isLink = ({ pieces }: Line): boolean =>
  pieces.every(({ link, node }) => link !== undefined || !/[\p{L}\p{N}]/u.test(node.text))
