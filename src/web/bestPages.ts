/**
 * Ranks the pages that an index has found, and returns the best, each with its best passage.
 */
import * as Effect from "effect/Effect"
import { wordsOf } from "#base/Words"
import type { Found, Options } from "./PageIndex.ts"
import type { Words } from "./PageText.ts"
import * as Relevance from "./Relevance.ts"
import type { Query } from "./SearchQuery.ts"
import { passage } from "./search/passage.ts"

/** A page that meets all conditions of the query. */
export interface Candidate {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly text: string
  readonly publishedAt: number | null
}

/** How many candidates to compare for this number of results. */
export const compared = (limit: number): number => Math.max(minCandidates, limit * 3)

const minCandidates = 60

/** `candidates`: if the query has no words, their order stays, such as the newest first. */
export const bestPages = Effect.fnUntraced(function* (
  candidates: ReadonlyArray<Candidate>,
  query: Query,
  { limit, newestFirst }: Pick<Options, "limit" | "newestFirst">
) {
  const terms = [...query.words, ...query.phrases, ...query.inTitle]
  const pages: Array<{ readonly page: Candidate; readonly words: Words }> = []
  for (const page of candidates) {
    pages.push({ page, words: wordsIn(page) })
    // Long pages take a while to read: other fibers get their turn.
    if (pages.length % 8 === 0) yield* Effect.yieldNow
  }
  const ranked = Relevance.rank(pages, terms)
  const best = terms.length === 0 ? candidates : ranked.pages
  const ordered = newestFirst ? best.toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0)) : best
  return ordered.slice(0, limit).map(
    ({ description, publishedAt, text, title, url }): Found => ({
      url,
      title,
      description: description === "" ? passage(text, new Map()) : description,
      passage: passage(text, ranked.weights) || description,
      publishedAt
    })
  )
})

const wordsIn = ({ description, text, title, url }: Candidate): Words => ({
  title: wordsOf(title),
  description: wordsOf(description),
  address: wordsOf(url),
  text: wordsOf(text, maxComparedWords)
})
/** The maximum number of words of one page. */
const maxComparedWords = 15_000
