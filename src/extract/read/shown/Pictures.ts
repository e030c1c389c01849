/**
 * The pictures of a page, as addresses: what a schema means by `images`, where the page declares none.
 *
 * Left out are pictures that lead to another page, or stand in cards that do, as they show what that page is about; those in
 * the head, the foot or a menu, among comments or related things; and icons, logos and portraits of authors.
 */

import { hintBit, hintsOf } from "#page/contentHints"
import type { Element } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import type { Page } from "../../page/Page.ts"
import { showsOther } from "./cardLinks.ts"
import { imageOf } from "./Shown.ts"

/** A page of more pictures is a list of them, which is read as lists are. */
const most = 2000

export const read = (page: Page): ReadonlyArray<Property> => {
  const found = new Map<string, Property>()
  const beside = new Map<Element, boolean>()
  const isOfOther = showsOther(page)
  for (const element of page.elements) {
    if (element.name !== "img" || !element.isVisible || isSmall(element) || page.isApart(element)) continue
    if (page.isInFooter(element) || isBeside(element, beside)) continue
    const shown = imageOf(page, element)
    const address = shown === undefined ? undefined : whole(page, element, shown)
    if (address === undefined || isSign.test(fileOf(address)) || found.has(address) || isOfOther(element)) continue
    if (found.size >= most) return []
    found.set(address, { name: "picture", value: page.attribute("text", address, element) })
  }
  return [...found.values()]
}

/** What a picture links to, where that is a picture too; undefined where it links to another page. */
const whole = (page: Page, element: Element, shown: string): string | undefined => {
  const link = linkAround(element)
  const href = link === undefined ? undefined : page.address(link, "href")
  if (href === undefined || !/^https?:/.test(href)) return shown
  if (isPicture.test(fileOf(href))) return href
  return href.split("#", 1)[0] === page.url.split("#", 1)[0] ? shown : undefined
}

const linkAround = (element: Element): Element | undefined => {
  for (let at = element.parent; at !== undefined; at = at.parent) {
    if (at.name === "a" && at.attributes.has("href")) return at
  }
  return undefined
}

const fileOf = (address: string): string => address.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? ""
const isPicture = /\.(?:jpe?g|png|webp|avif|gif|bmp|tiff?|svg)$/i
const isSign =
  /(?:^|[-_.])(?:icons?|logos?|sprites?|spacer|pixel|blank|placeholder|loader|loading|spinner|avatars?|gravatar|badges?|flags?)(?:[-_.\d]|$)/i

/** Whether its attributes give it the size of a sign, or its class says that it is one. */
const isSmall = ({ attributes }: Element): boolean => {
  const size = (name: string) => Number.parseFloat(attributes.get(name) ?? "")
  return size("width") < leastSize || size("height") < leastSize || isSign.test(attributes.get("class") ?? "")
}
const leastSize = 64

/** Whether it stands in a part that is not what the page is about. */
const isBeside = (element: Element, known: Map<Element, boolean>): boolean => {
  const before = known.get(element)
  if (before !== undefined) return before
  const { attributes, name, parent } = element
  const names = `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`
  const is =
    (parent !== undefined && isBeside(parent, known)) ||
    name === "aside" ||
    (name === "header" && !isOfText(parent)) ||
    (name !== "body" && name !== "main" && names !== " " && (hintsOf(names) & others) !== 0)
  known.set(element, is)
  return is
}

/** The head of an article has its picture, that of the page the logo. */
const isOfText = (element: Element | undefined): boolean =>
  element !== undefined && (element.name === "article" || element.name === "main" || isOfText(element.parent))

const others = ["aside", "footer", "comments", "share", "related", "promotion", "navigation"]
  .map(hintBit)
  .reduce((all, bit) => all | bit)
