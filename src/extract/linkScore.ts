/**
 * How much a link promises: by the words that its address and its text share with what is wanted, and by what its text means:
 * "Fees" promises a price, "Contact" a telephone number.
 */

import { isSchema, type Json } from "#contract/JsonSchema"
import { termsOf } from "#web/Relevance"
import * as Question from "./answer/Question.ts"
import type { Wanted } from "./Extractor.ts"
import { generic, parts, weekdays } from "./match/Concepts.ts"
import * as Names from "./match/Names.ts"

export type Score = (href: string, text: string) => number

/**
 * What scores links by what is wanted. 0: nothing in common; each shared word counts once, more where it stands in the text
 * of the link.
 */
export const linkScore = (wanted: Wanted): Score => {
  const names = namesOf(wanted.schema)
  const terms = new Set([...termsOf(wanted.prompt ?? ""), ...termsOf(inWords(names))])
  const concepts = conceptsOf(wanted.prompt ?? "", names)
  return (href, text) => {
    const path = URL.parse(href)?.pathname ?? ""
    const inPath = new Set(termsOf(path))
    const inText = new Set(termsOf(text))
    let score = 0
    for (const term of terms) score += inText.has(term) ? 2 : inPath.has(term) ? 1 : 0
    return score === 0 && promises(text, concepts) ? 1 : score
  }
}

/** The names that the schema has on its upper levels, and what it says of them. */
const namesOf = (schema: Json | undefined): ReadonlyArray<string> => {
  const names: Array<string> = []
  const collect = (part: Json | undefined, depth: number): void => {
    if (!isSchema(part) || depth > 3) return
    for (const [key, value] of Object.entries(part)) {
      if (key === "properties" && isSchema(value)) {
        for (const name of Object.keys(value)) names.push(name)
        for (const child of Object.values(value)) collect(child, depth + 1)
      } else if (key === "items") collect(value, depth + 1)
      else if ((key === "title" || key === "description") && typeof value === "string") names.push(value)
    }
  }
  collect(schema, 0)
  return names
}

const inWords = (names: ReadonlyArray<string>): string =>
  names
    .join(" ")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll("_", " ")

/** What is wanted, by its meaning. What any page says of itself promises nothing. */
const conceptsOf = (prompt: string, names: ReadonlyArray<string>): ReadonlySet<string> => {
  const wanted = Question.of(prompt).terms.map(({ concept }) => concept)
  const named = names.map((name) => Names.conceptOf(Names.parse(name)))
  const found = [...wanted, ...named].flatMap((concept) => {
    if (concept === undefined || (generic.has(concept.id) && !ofContact.has(concept.id))) return []
    return concept.broader === "time" ? [concept.id, "time"] : [concept.id]
  })
  // The hours of a day are among the opening hours.
  return new Set(found.some((id) => weekdays.has(id)) ? [...found, "time"] : found)
}

const ofContact = parts.get("contact") ?? new Set<string>()

/** Whether the text of a link means what is wanted, or what that is a part of. */
const promises = (text: string, concepts: ReadonlySet<string>): boolean => {
  if (concepts.size === 0 || text === "" || text.length > maxText) return false
  return Names.parse(text).some(
    ({ concept }) =>
      concept !== undefined &&
      (concepts.has(concept.id) || (concept.id === "contact" && [...ofContact].some((id) => concepts.has(id))))
  )
}

/** What a link to a page of something is called is short. */
const maxText = 40
