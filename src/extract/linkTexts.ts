/**
 * What the links of a page say, by where they lead: the address as `Scraped.links` has it, the longest text of all links
 * to it.
 *
 * Only the beginning of a text counts, and only a limited number of links per page; a page decides what its links say,
 * never how long reading them takes.
 */
import { Addresses } from "#page/Address"
import { elements, parse, textOf } from "#page/Dom"

export const linkTexts = (html: string, url: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const addresses = new Addresses(url)
  for (const element of elements(parse(html), maxElements)) {
    const href = element.attributes.get("href")
    if (href === undefined) continue
    if (element.name === "base") addresses.rebase(href)
    if (element.name !== "a") continue
    const address = addresses.resolve(href.trim())
    if (address === undefined) continue
    const own = textOf(element, maxText)
    const text = own === "" ? (element.attributes.get("title") ?? "").slice(0, maxText) : own
    const plain = address.replace(/#.*$/, "")
    if (text.length > (found.get(plain)?.length ?? -1)) found.set(plain, text)
  }
  return found
}

const maxElements = 50_000
const maxText = 200
