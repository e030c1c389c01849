/**
 * Ranks pages by the terms that they contain (BM25 over title, description, URL and text).
 *
 * The same pages and terms give the same order, whichever database they came from. Ties are ordered by URL.
 */
import { isDull } from "#base/dullWords"
import { singular, wordsIn } from "#base/Words"
import type { Words } from "./PageText.ts"
import type { Term } from "./SearchQuery.ts"

/** The terms of a text: without accents, plurals and stop words. */
export const termsOf = (text: string): ReadonlyArray<string> =>
  wordsIn(text)
    .map(singular)
    .filter((word) => word.length > 1 && !isDull(word))

interface Ranked<Page> {
  readonly pages: ReadonlyArray<Page>
  /** The weight of each term, by its words: rarer terms weigh more. Passages are rated by it. */
  readonly weights: ReadonlyMap<string, number>
}

/** Orders pages, best first. Pages without any term come last. */
export const rank = <Page extends { readonly url: string }>(
  pages: ReadonlyArray<{ readonly page: Page; readonly words: Words }>,
  terms: ReadonlyArray<Term>
): Ranked<Page> => {
  const counted = pages.map(({ page, words }) => ({ page, ...count(words, terms) }))
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length)
  const weights = new Map(
    terms.map((term) => {
      const name = term.join(" ")
      const having = counted.filter(({ counts }) => counts.has(name)).length
      return [name, Math.log(1 + (counted.length - having + 0.5) / (having + 0.5)) + floor]
    })
  )
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const scoreOf = ({ counts, length }: (typeof counted)[number]): number => {
    let score = 0
    let covered = 0
    for (const [name, n] of counts) {
      const weight = weights.get(name) ?? 0
      covered += weight
      score += (weight * n * 2.2) / (n + 1.2 * (0.25 + (0.75 * length) / Math.max(1, mean)))
    }
    return whole === 0 ? 0 : score * (0.5 + (0.5 * covered) / whole)
  }
  return {
    pages: counted
      .map((one) => ({ page: one.page, score: scoreOf(one) }))
      .sort((a, b) => b.score - a.score || (a.page.url < b.page.url ? -1 : 1))
      .map(({ page }) => page),
    weights
  }
}

/** The weight of a term that every page has. */
const floor = 0.1

const fields = [
  ["title", 4],
  ["description", 2],
  ["address", 2],
  ["text", 1]
] as const

const count = (words: Words, terms: ReadonlyArray<Term>) => {
  const byFirst = Map.groupBy(terms, ([first = ""]) => first)
  const counts = new Map<string, number>()
  let length = 0
  for (const [field, weight] of fields) {
    const all = words[field]
    length += all.length
    for (let at = 0; at < all.length; at++) {
      for (const term of byFirst.get(all[at] ?? "") ?? []) {
        if (term.some((word, offset) => all[at + offset] !== word)) continue
        const name = term.join(" ")
        counts.set(name, (counts.get(name) ?? 0) + weight)
      }
    }
  }
  return { counts, length }
}
