/**
 * How well a section answers a query, beside how often it has the words.
 *
 * The heading counts more than the text, texts in force more than earlier ones, law more than guidance and bills, the
 * named place more than others; a heading that equals the query is the answer. All are factors: none removes a section.
 */
import type { Candidate } from "../index/GovStore.ts"
import type { Query } from "../query/Query.ts"
import type { KnownDocument } from "../query/Vocabulary.ts"
import { words } from "../query/words.ts"
import type { Passage } from "./passage.ts"
import * as Terms from "./Terms.ts"

export interface Score {
  /** How well its words answer; more than that once its text is read. */
  readonly words: number
  /** What that counts, for what it is, and whose. */
  readonly standing: number
}

/** Of what is known without its text. `rank` is that of the database as a share of the best one's. */
export const make = (
  candidate: Candidate,
  document: KnownDocument | undefined,
  query: Query,
  terms: Terms.Terms,
  rank: number
): Score => {
  const heading = terms.of(candidate.heading)
  const inHeading = Terms.coverage(terms, heading.terms)
  const context = terms.of(candidate.context)
  const inContext = Terms.coverage(terms, new Map([...context.terms, ...heading.terms]))
  const exact = sameWords(candidate.heading, query) ? 1.5 : 0
  const pairs = 0.5 * together(candidate.heading, query)
  const words = rank + inHeading * (0.6 + 0.9 * heading.precision) + 0.4 * inContext + pairs + exact
  return { words, standing: standing(candidate, document, query) }
}

/** The text is read: what its passage has of the query, and what it has in all. */
export const withText = ({ standing, words }: Score, { coverage, whole }: Passage): Score => ({
  words: words + 0.8 * coverage + 0.4 * whole,
  standing
})

export const total = ({ standing, words }: Score): number => words * standing

/** The share of the words that follow each other in the query and do so here: "fair use" is more than fair and use. */
const together = (text: string, { words: about }: Query): number => {
  if (about.length < 2) return 0
  const own = ` ${words(text).join(" ")} `
  const pairs = about.slice(1).map((word, at) => ` ${about[at]} ${word}`)
  return pairs.filter((pair) => own.includes(pair)).length / pairs.length
}

/** Of what it is, and whose. */
const standing = (candidate: Candidate, document: KnownDocument | undefined, query: Query): number => {
  const { collections, mentions, statuses } = query
  let factor = statuses.has(candidate.status) ? 1.25 : byStatus[candidate.status]
  if (document !== undefined && collections.has(document.collection)) factor *= 1.25
  for (const kind of ["jurisdiction", "collection", "issuer", "document"] as const) {
    const named = mentions.filter((mention) => mention.kind === kind && mention.documents.size > 0)
    if (named.length === 0) continue
    const isOne = named.some(({ documents }) => documents.has(candidate.documentId))
    factor *= isOne ? byMention[kind] : 1
  }
  return factor
}

const byStatus = { "in force": 1, reproduction: 0.85, guidance: 0.8, bill: 0.75, historical: 0.6 }
const byMention = { jurisdiction: 3, collection: 3, issuer: 2.2, document: 2 }

const sameWords = (heading: string, { text }: Query): boolean => {
  const own = words(heading)
  return own.length > 0 && own.join(" ") === words(text).join(" ")
}
