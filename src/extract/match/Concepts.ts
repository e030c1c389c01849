/**
 * What fields mean: what words stand for one another (`Vocabulary`), and what is known of some of these meanings.
 */

import { vocabulary } from "./Vocabulary.ts"
import { withoutMarks } from "./withoutMarks.ts"

export type ConceptKind =
  | "text"
  | "money"
  | "currency"
  | "number"
  | "date"
  | "url"
  | "email"
  | "phone"
  | "status"
  | "duration"

export interface Concept {
  readonly id: string
  readonly broader?: string
  /** Whether what is broader may stand for it. */
  readonly isLoose: boolean
  readonly kind: ConceptKind
}

/** Broader first, so that a phrase in two lines means the first. */
const parsed = vocabulary
  .trim()
  .split("\n")
  .map((line) => {
    const cut = line.indexOf(":")
    const head = line.slice(0, cut)
    const [id = "", broader] = head.replace(/#\w+/, "").trim().split(/ <-? /)
    const isLoose = !head.includes("<-")
    const kind = kinds().find((one) => head.includes(`#${one}`)) ?? "text"
    const concept: Concept = broader === undefined ? { id, kind, isLoose } : { id, kind, broader, isLoose }
    return {
      concept,
      phrases: line
        .slice(cut + 1)
        .split("|")
        .map((phrase) => phrase.trim())
    }
  })

function kinds(): ReadonlyArray<ConceptKind> {
  return ["money", "currency", "number", "date", "url", "email", "phone", "status", "duration"]
}

export const byPhrase: ReadonlyMap<string, Concept> = (() => {
  const found = new Map<string, Concept>()
  for (const { concept, phrases } of parsed)
    for (const phrase of phrases.map(withoutMarks)) if (!found.has(phrase)) found.set(phrase, concept)
  return found
})()

/** What anything may have: of a part it means the part, never the whole. */
export const generic: ReadonlySet<string> = new Set([
  "title",
  "url",
  "description",
  "image",
  "logo",
  "reference",
  "identifier",
  "body",
  "date",
  "language",
  "number",
  "category",
  "status",
  "published",
  "modified",
  "email",
  "phone"
])

/** What is about something else than the thing it stands in. */
export const foreign: ReadonlySet<string> = new Set([
  "review",
  "comment",
  "publisher",
  "answer",
  "question",
  "variant",
  "event"
])

/** Parts that a thing says of itself: a list of them may be read from the thing as one row. */
export const parts: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["offer", new Set(["price", "currency", "availability", "lowprice", "highprice", "condition", "seller", "deadline"])],
  [
    "contact",
    new Set(["email", "phone", "fax", "address", "street", "town", "region", "country", "postcode", "url", "person"])
  ],
  ["address", new Set(["street", "town", "region", "country", "postcode"])],
  ["location", new Set(["street", "town", "region", "country", "postcode", "latitude", "longitude", "address"])],
  ["rating", new Set(["rating", "count", "bestrating", "review"])],
  ["salary", new Set(["salary", "currency", "price", "lowsalary", "highsalary"])],
  ["price", new Set(["price", "currency"])],
  ["dimension", new Set(["height", "width", "depth", "weight"])]
])

/** What a page or a row may be about, so that what it is called names it. */
export const entities: ReadonlySet<string> = new Set(["job", "product", "event", "act", "article"])

/** Whose name or address it is, where a name says so: the name of an author is not the name of the page. */
export const owners: ReadonlySet<string> = new Set([
  "author",
  "person",
  "publisher",
  "seller",
  "brand",
  "organization",
  "location",
  "venue",
  "comment",
  "review",
  "image"
])

/** The hours of one day are not those of another. */
export const weekdays: ReadonlySet<string> = new Set([
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday"
])
