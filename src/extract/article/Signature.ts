/**
 * Finds the author in a line with a name and a date, but without a word such as "by": "Nora Blum · March 4, 2026".
 *
 * A name next to a date can be a category or a town, so the line must also have a portrait or a link to a person's page.
 */
import { type Element, elements } from "#page/Dom"
import { datesIn } from "../read/shown/datesIn.ts"
import { isOfPerson } from "../value/Byline.ts"

/** The author; undefined: the element is not such a line. `parts`: the texts of its elements. */
export const signerOf = (element: Element, parts: ReadonlyArray<string>): string | undefined => {
  if (parts.length > maxParts || parts.join(" ").length > maxText) return undefined
  const inner = elements(element, maxElements)
  const isDated = parts.some((part) => datesIn(part).length > 0) || inner.some(({ name }) => name === "time")
  if (!isDated || inner.some(({ name }) => heading.test(name))) return undefined
  const pieces = parts.flatMap((part) => part.split(/\s+[·•|–—]\s+|\s*[·•|]\s*/)).map((piece) => piece.trim())
  const [name, other] = pieces.filter(isPerson)
  if (name === undefined || pieces.length < 2 || other !== undefined || !inner.some((one) => showsPerson(one, name)))
    return undefined
  return name
}

const heading = /^h[1-6]$/
const maxParts = 9
const maxText = 140
const maxElements = 40

const isPerson = (text: string): boolean =>
  /^\p{Lu}[\p{L}'’.-]+(?:\s\p{Lu}[\p{L}'’.-]*){1,3}$/u.test(text) && isOfPerson(text) && datesIn(text).length === 0

const showsPerson = ({ attributes, name }: Element, person: string): boolean => {
  if (name === "a") return profile.test(attributes.get("href") ?? "")
  if (name !== "img") return false
  const alt = attributes.get("alt") ?? ""
  return alt.includes(person) || portrait.test(`${attributes.get("class") ?? ""} ${attributes.get("src") ?? ""}`)
}

const profile =
  /\/(?:@|(?:team|people|staff|person|profiles?|users?|u|members?|redaktion|equipe)\/)[^/?#]+\/?(?:[?#].*)?$/i
const portrait =
  /(?:^|[\s/_-])(?:rounded-full|circle|avatars?|gravatar|portraits?|headshots?|profile|author)(?:$|[\s/_.-])/i
