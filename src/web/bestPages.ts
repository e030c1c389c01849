/**
 * Ranks the pages that an index has found, and returns the best, each with its best passage.
 */
import * as Effect from "effect/Effect"
import { wordsOf } from "#base/Words"
import type { IndexedPage, Options } from "./PageIndex.ts"
import type { Words } from "./PageText.ts"
import * as Relevance from "./Relevance.ts"
import type { Query } from "./SearchQuery.ts"

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
    ({ description, publishedAt, text, title, url }): IndexedPage => ({
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

/**
 * The passage of a page that matches a query best: the consecutive sentences with the most terms of the query.
 */

/** `weights`: the weight of each term, by its words. Returns the beginning of the page if it has no term. */
export const passage = (text: string, weights: ReadonlyMap<string, number>): string => {
  const sentences = sentencesOf(text)
  const worths = sentences.map((sentence) => termsIn(sentence, weights))
  let best = { from: 0, to: 1, worth: 0 }
  for (let from = 0; from < sentences.length; from++) {
    if ((worths[from]?.size ?? 0) === 0) continue
    const has = new Set<string>()
    let [length, worth] = [0, 0]
    for (let to = from; to < Math.min(sentences.length, from + maxSentences); to++) {
      length += (sentences[to]?.length ?? 0) + 1
      if (to > from && length > maxLetters) break
      for (const name of worths[to] ?? []) {
        worth += (weights.get(name) ?? 0) * (has.has(name) ? 0.2 : 1)
        has.add(name)
      }
      // Of two passages with the same terms, the shorter one is better.
      if (worth - (to - from) * 0.01 > best.worth) best = { from, to: to + 1, worth: worth - (to - from) * 0.01 }
    }
  }
  let { to } = best
  const written = () => sentences.slice(best.from, to).join(" ")
  // A short passage gets the sentences after it, which explain it. A long sentence is cut.
  while (to < sentences.length && written().length < fewLetters) to += 1
  return cut(written(), weights)
}

const maxLetters = 320
const fewLetters = 160
const maxSentences = 6
const maxInAll = 5000

const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/\n+|(?<=[.!?][)"”’»]?)\s+(?=\S)|(?<=[。！？])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
    .slice(0, maxInAll)

const termsIn = (sentence: string, weights: ReadonlyMap<string, number>): ReadonlySet<string> => {
  const words = ` ${wordsOf(sentence).join(" ")} `
  return new Set([...weights.keys()].filter((name) => words.includes(` ${name} `)))
}

/** Cuts a text that is too long around the first term. */
const cut = (text: string, weights: ReadonlyMap<string, number>): string => {
  if (text.length <= maxLetters) return text
  const words = text.split(/(?<=\s)/)
  const first = words.findIndex((word) => wordsOf(word).some((one) => weights.has(one)))
  let from = Math.max(0, first)
  for (let before = 0; from > 0 && before < maxLetters / 3; from--) before += words[from - 1]?.length ?? 0
  const part = words.slice(from).join("")
  const end = part.length <= maxLetters ? part : `${part.slice(0, maxLetters).replace(/\s+\S*$/, "")} …`
  return from > 0 ? `… ${end}` : end
}
