/** Links by their text, as addresses: the "Source code" of a project, the "PDF" of a report. */

import { textOf } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import { Budget } from "../../page/Budget.ts"
import type { Page } from "../../page/Page.ts"

export const read = (page: Page, most = 300): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const room = new Budget(most)
  for (const element of page.elements) {
    if (element.name !== "a" || !element.isVisible || page.isApart(element)) continue
    const href = page.address(element, "href")
    if (href === undefined || !/^https?:/.test(href)) continue
    const name = textOf(element, maxName + 1)
    const label =
      name === "" ? (element.attributes.get("aria-label") ?? element.attributes.get("title") ?? "").trim() : name
    const own = label === "" ? hostName(href, page.url) : label
    if (own === undefined || own.length > maxName) continue
    if (!room.take()) break
    found.push({ name: own, value: page.attribute("link", href, element) })
  }
  return found
}

const maxName = 60

/** What stands before the country, as in "co.uk". */
const shared = /^(?:co|com|org|net|ac|gov|or|ne)$/

/** What the host is called that a link without a text leads to, as the signs of social networks: "linkedin". */
export const hostName = (href: string, page: string): string | undefined => {
  const host = URL.parse(href)?.hostname
  if (host === undefined || host === URL.parse(page)?.hostname) return undefined
  const labels = host.split(".").slice(0, -1)
  const last = labels.at(-1)
  return last === undefined || /^\d+$/.test(last) ? undefined : shared.test(last) ? labels.at(-2) : last
}
