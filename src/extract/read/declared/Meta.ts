/**
 * What a page says of itself in its head: title, language, meta (OpenGraph, Twitter and Dublin Core among them), links
 * with a relation.
 *
 * Names stay as written, "og:title"; entries for browsers and verification services are left out.
 */

import { contentOf, type Element, tidy } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import { Budget } from "../../page/Budget.ts"
import { tokens } from "../../page/Names.ts"
import { maxText, type Page } from "../../page/Page.ts"

export const read = (page: Page): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const room = new Budget(maxEntries)
  let hasTitle = false
  for (const element of page.elements) {
    if (room.isFull) break
    const { name, attributes } = element
    if (name === "html") {
      const language = attributes.get("lang") ?? attributes.get("xml:lang")
      if (language !== undefined && language !== "" && room.take()) {
        found.push({ name: "language", value: page.attribute("meta", language, element, "html[lang]") })
      }
    } else if (name === "title" && !hasTitle && element.parent?.name !== "svg") {
      const text = contentOf(element, maxText)
      hasTitle = text !== ""
      if (hasTitle && room.take()) found.push({ name, value: page.value("meta", text, element, name) })
    } else if (name === "meta") meta(page, element, found, room)
    else if (name === "link") link(page, element, found, room)
  }
  return found
}

const maxEntries = 500
const maxName = 100

const meta = (page: Page, element: Element, into: Array<Property>, room: Budget): void => {
  const { attributes } = element
  const written = attributes.get("content")
  if (written === undefined || isOfThing(element)) return
  const content = tidy(written, maxText)
  if (content === "") return
  const own = attributes.get("property") ?? attributes.get("name")
  const pragma = attributes.get("http-equiv")?.toLowerCase() === "content-language" ? "content-language" : undefined
  for (const name of own === undefined ? tokens(pragma) : attributes.has("property") ? tokens(own) : [own.trim()]) {
    if (name === "" || name.length > maxName || dull.test(name) || !room.take()) continue
    const isGraph = graph.test(name)
    const data = isGraph && address.test(name) ? (page.resolve(content) ?? content) : content
    into.push({ name, value: page.attribute(isGraph ? "opengraph" : "meta", data, element, name) })
  }
}

const link = (page: Page, element: Element, into: Array<Property>, room: Budget): void => {
  const { attributes } = element
  const href = page.address(element, "href")
  if (href === undefined || isOfThing(element)) return
  for (const name of tokens(attributes.get("rel"))) {
    if (name.length > maxName || settings.test(name) || !room.take()) continue
    into.push({ name, value: page.attribute("link", href, element, `link[${name}]`) })
  }
}

/** Items of microdata and things of RDFa have metas of their own. */
const isOfThing = ({ name, attributes, parent }: Element): boolean => {
  if (attributes.has("itemprop") || (name === "link" && attributes.has("property"))) return true
  for (let at = parent; at !== undefined; at = at.parent) {
    if (at.name === "head" || at.name === "body") return false
    if (at.attributes.has("typeof")) return true
  }
  return false
}

/** OpenGraph, the vocabularies that belong to it, and Twitter's. */
const graph = /^(?:og|article|book|profile|music|video|product|fb|place|restaurant|business|twitter|al|vk|pinterest):/i

const address = /^(?:og|twitter):(?:url|(?:image|video|audio|player)(?::(?:src|url|secure_url|stream))?)$/i

/** Says nothing about the page: keys of verification services and settings of browsers. */
const dull =
  /^(?:viewport|csrf|_?token|.*-verification$|msvalidate|msapplication|apple-(?:mobile|touch)|format-detection|theme-color|color-scheme|referrer$|handheldfriendly|mobileoptimized|x-ua)/i

const settings =
  /^(?:stylesheet|shortcut|(?:mask-|fluid-)?icon|.*preload|preconnect|dns-prefetch|prefetch|prerender|manifest|apple-touch-.*|pingback|edituri|wlwmanifest|schema\..*|https:\/\/api\.w\.org\/|nofollow|noopener|noreferrer|external)$/i
