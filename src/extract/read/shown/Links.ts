/** Links by their text, as addresses: the "Source code" of a project, the "PDF" of a report. */

import { textOf } from "../../../html/Dom.ts"
import type { Property } from "../../Candidates.ts"
import { Budget } from "../Budget.ts"
import type { Page } from "../Page.ts"

export const read = (page: Page, most = 300): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const room = new Budget(most)
  for (const element of page.elements) {
    if (element.name !== "a" || !element.seen || page.isApart(element)) continue
    const href = page.address(element, "href")
    if (href === undefined || !/^https?:/.test(href)) continue
    const name = textOf(element, maxName + 1)
    const label =
      name === "" ? (element.attributes.get("aria-label") ?? element.attributes.get("title") ?? "").trim() : name
    if (label === "" || label.length > maxName) continue
    if (!room.take()) break
    found.push({ name: label, value: page.attribute("link", href, element) })
  }
  return found
}

const maxName = 60
