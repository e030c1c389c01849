/** The value that an element shows: its text, with where it leads; without text what its picture is. */
import type { Element } from "#page/Dom"
import type { Kind, Value } from "../../Candidates.ts"
import { maxText, type Page } from "../../page/Page.ts"
import { currentText } from "./priceIn.ts"

export const shown = (page: Page, kind: Kind, element: Element): Value | undefined => {
  const link = linkIn(element)
  const text = currentText(element, maxText)
  if (text !== "") return page.value(kind, text, element, undefined, hrefOf(page, link))
  const picture = pictureIn(element)
  const alt = picture?.attributes.get("alt")?.trim()
  const data = alt === undefined || alt === "" ? picture && imageOf(page, picture) : alt
  const href = hrefOf(page, link)
  if (data === undefined && href === undefined) return undefined
  return page.value(kind, data ?? href ?? "", element, undefined, href)
}

/** The address of a picture, also where it is loaded late. */
export const imageOf = (page: Page, image: Element): string | undefined => {
  const { attributes } = image
  for (const name of ["data-src", "data-lazy-src", "data-original", "src"]) {
    const written = attributes.get(name)?.trim()
    if (written !== undefined && written !== "" && !written.startsWith("data:")) return page.resolve(written) ?? written
  }
  const [first = ""] = (attributes.get("srcset") ?? "").trim().split(/\s/, 1)
  return first === "" ? undefined : (page.resolve(first) ?? first)
}

const hrefOf = (page: Page, link: Element | undefined): string | undefined =>
  link === undefined ? undefined : page.address(link, "href")

const linkIn = (element: Element): Element | undefined =>
  first(element, ({ name, attributes }) => name === "a" && attributes.has("href"))

const pictureIn = (element: Element): Element | undefined => first(element, ({ name }) => name === "img")

/** The element itself, or the first in it that fits. */
export const first = (element: Element, fits: (element: Element) => boolean): Element | undefined => {
  if (fits(element)) return element
  for (const child of element.children) {
    const found = child._tag === "Element" ? first(child, fits) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
