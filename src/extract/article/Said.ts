/** A text that a page says, with where it stands, and how it is read from declared things. */
import type { Element } from "#page/Dom"
import type { Property, Source, Thing, Value } from "../Candidates.ts"

/** A text and where it stands. */
export interface PlacedText {
  readonly text: string
  readonly source: Source
}

export const thingIn = (thing: Thing | undefined, name: string): Thing | undefined => {
  for (const property of thing?.properties ?? []) {
    if (property.name === name && property.value._tag === "Thing") return property.value
  }
  return undefined
}

export const textOf = (thing: Thing | undefined, name: string): PlacedText | undefined =>
  thing === undefined ? undefined : textIn(thing.properties, name)

export const textIn = (properties: ReadonlyArray<Property>, name: string): PlacedText | undefined => {
  for (const property of properties) {
    if (property.name !== name || property.value._tag !== "Value") continue
    const statement = saidOf(property.value)
    if (statement !== undefined) return statement
  }
  return undefined
}

export const saidOf = (value: Value | Thing): PlacedText | undefined => {
  if (value._tag === "Thing" || typeof value.data !== "string") return undefined
  const text = value.data.trim()
  return text === "" ? undefined : { text, source: value.source }
}

/**
 * Whether an element stands in comments, in cards of other posts or in boxes beside: what it says is not of the page.
 */
export const isBeside = (element: Element): boolean => {
  for (let at: Element | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === "body") return false
    if (at.name === "blockquote" || at.name === "form" || (at.name === "footer" && at !== element)) return true
    if (beside.test(at.attributes.get("class") ?? "") || beside.test(at.attributes.get("id") ?? "")) return true
    if (at.name === "article") return false
  }
  return false
}

/** A class or an id by itself: "newsletter-post" is a post, "elementor-widget" any part of a page. */
const beside =
  /(?:^|\s)(?:(?:post|entry|blog|article|user|js|the)[-_])?(?:comments?(?:[-_](?:list|body|area|content|author|wrapper|section|thread|item|meta|metadata|text))?|comment-?list|respond|disqus[\w-]*|related(?:[-_][\w-]+)?|recommended(?:[-_][\w-]+)?|recirc[\w-]*|trending|popular(?:[-_]posts)?|side-?bar(?:[-_][\w-]+)?|widget(?:[-_]area)?|testimonials?|reviews?(?:[-_]list)?|carousel|slider|newsletter(?:[-_](?:form|signup|box))?|promo|more[-_](?:posts|stories|articles|from)|latest(?:[-_][\w-]+)?|you[-_]may[\w-]*|read[-_](?:more|next)|next[-_]posts?|recent[-_]posts?)(?=\s|$)/i
