/**
 * The terms of a query with what each weighs, and how often a text has them.
 *
 * A term is a word by its stem. Other words for it are counted apart, because they weigh less. Beside single terms it counts
 * pairs: two words that follow each other in the query and do so in the text, common words too, since in words that were
 * copied these say which text it is.
 */
import { stem } from "#base/stem"
import { eachWord, folded, wordsIn } from "#base/Words"

export interface Term {
  readonly word: string
  /** The rarity of the word among all sections, multiplied by its share in the question. */
  readonly weight: number
  /** Synonyms: a word each, or several consecutive words. */
  readonly others: ReadonlyArray<string>
  /** How many sections contain the word or a synonym, if it is known. */
  readonly sections?: number
  /** The weight of a synonym, which is lower than that of the word itself. */
  readonly otherWeight: number
}

export interface Terms {
  readonly all: ReadonlyArray<Term>
  /** How many pairs the query has. */
  readonly pairs: number
  readonly count: (text: string) => Counts
  /** What a text has of the query: the share of its weight that each term and each pair is. */
  readonly shares: (text: string) => ReadonlyMap<string, number>
}

/** How often a text has each term, other words for each term, and each pair. */
interface Counts {
  readonly own: Float64Array
  readonly others: Float64Array
  readonly pairs: Float64Array
  /** The share of the words of the query that the text has in runs of three and more, as they stand in the query. */
  readonly run: number
}

/** The weight of a word that `having` of `sections` sections contain. */
export const rarity = (having: number, sections: number): number => {
  const some = Math.min(sections, having)
  return Math.log(1 + (sections - some + 0.5) / (some + 0.5))
}

/** A query, made ready to count its terms in many texts. Words are numbers. */
interface Query {
  readonly terms: number
  /** How many words it has. */
  readonly length: number
  readonly termOf: ReadonlyMap<number, number>
  /** The synonyms, by their last words. */
  readonly endingIn: ReadonlyMap<number, ReadonlyArray<{ readonly term: number; readonly ids: ReadonlyArray<number> }>>
  readonly pairOf: ReadonlyMap<number, number>
  /** Where three words that follow each other in the query end in it. */
  readonly runsOf: ReadonlyMap<string, ReadonlyArray<number>>
  /** The numbers of the words of a text; -1: a word that the query has not. */
  readonly wordsOf: (text: string) => ReadonlyArray<number>
}

/** `queryWords`: all words of the query, in its order. */
export const of = (all: ReadonlyArray<Term>, queryWords: ReadonlyArray<string>): Terms => {
  const query = queryOf(all, queryWords)
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  const shares = (text: string): ReadonlyMap<string, number> => {
    const { others, own, pairs } = count(query, text)
    const found = new Map<string, number>()
    for (const [term, { otherWeight, weight }] of all.entries()) {
      const part = (own[term] ?? 0) > 0 ? weight : (others[term] ?? 0) > 0 ? otherWeight : 0
      if (part > 0) found.set(`term ${term}`, part / total)
    }
    for (const [pair, times] of pairs.entries()) if (times > 0) found.set(`pair ${pair}`, 1 / query.pairOf.size)
    return found
  }
  return { all, pairs: query.pairOf.size, count: (text) => count(query, text), shares }
}

const queryOf = (all: ReadonlyArray<Term>, queryWords: ReadonlyArray<string>): Query => {
  const ids = new Map<string, number>()
  const idOf = (word: string): number => {
    const own = stem(word)
    const known = ids.get(own) ?? ids.size
    ids.set(own, known)
    return known
  }
  const sequence = queryWords.map(idOf)
  const termOf = new Map(all.map(({ word }, term) => [idOf(word), term]))
  const phrases = all.flatMap(({ others }, term) => others.map((text) => ({ term, ids: wordsIn(text).map(idOf) })))
  const endingIn = Map.groupBy(phrases, (phrase) => phrase.ids.at(-1) ?? -1)
  const pairOf = new Map<number, number>()
  const runsOf = new Map<string, Array<number>>()
  for (const [at, id] of sequence.entries()) {
    const [before = -1, first = -1] = [sequence[at - 1], sequence[at - 2]]
    if (before >= 0 && !pairOf.has(keyOf(before, id))) pairOf.set(keyOf(before, id), pairOf.size)
    if (first >= 0) runsOf.set(`${first} ${before} ${id}`, [...(runsOf.get(`${first} ${before} ${id}`) ?? []), at])
  }
  return { terms: all.length, length: sequence.length, termOf, endingIn, pairOf, runsOf, wordsOf: wordReader(ids) }
}

/** Finds the numbers of the words of a text by their stems. */
const wordReader = (ids: ReadonlyMap<string, number>): Query["wordsOf"] => {
  // A stem keeps the first two letters of its word, but for a last y: these two letters rule out most words of a text.
  const beginnings = new Uint8Array(65_536)
  for (const own of ids.keys()) {
    for (const form of [own, own.replace(/i$/, "y")]) beginnings[beginningOf(form, 0, form.length)] = 1
  }
  const found = new Map<string, number>()
  const find = (word: string): number => {
    const known = found.get(word)
    if (known !== undefined) return known
    const id = ids.get(stem(word)) ?? -1
    found.set(word, id)
    return id
  }
  return (text) => {
    const plain = folded(text)
    const passed: Array<number> = []
    eachWord(plain, (from, to) => {
      passed.push(beginnings[beginningOf(plain, from, to)] === 1 ? find(plain.slice(from, to)) : -1)
    })
    return passed
  }
}

const count = ({ endingIn, length, pairOf, runsOf, termOf, terms, wordsOf }: Query, text: string): Counts => {
  const own = new Float64Array(terms)
  const others = new Float64Array(terms)
  const pairs = new Float64Array(pairOf.size)
  const inRun = new Set<number>()
  const passed = wordsOf(text)
  for (let at = 0; at < passed.length; at++) {
    const id = passed[at] ?? -1
    if (id < 0) continue
    const term = termOf.get(id)
    if (term !== undefined) own[term] = (own[term] ?? 0) + 1
    for (const phrase of endingIn.get(id) ?? []) {
      const begin = at + 1 - phrase.ids.length
      if (phrase.ids.every((one, next) => passed[begin + next] === one)) {
        others[phrase.term] = (others[phrase.term] ?? 0) + 1
      }
    }
    const before = passed[at - 1] ?? -1
    const first = passed[at - 2] ?? -1
    const pair = before < 0 ? undefined : pairOf.get(keyOf(before, id))
    if (pair === undefined) continue
    pairs[pair] = (pairs[pair] ?? 0) + 1
    if (first < 0) continue
    for (const last of runsOf.get(`${first} ${before} ${id}`) ?? [])
      inRun
        .add(last)
        .add(last - 1)
        .add(last - 2)
  }
  return { own, others, pairs, run: length === 0 ? 0 : inRun.size / length }
}

/** The first two letters, as a number; some others have the same. */
const beginningOf = (text: string, from: number, to: number): number =>
  (text.charCodeAt(from) * 257 + (to - from > 1 ? text.charCodeAt(from + 1) : 0)) & 0xffff

const keyOf = (before: number, id: number): number => before * 1_000_003 + id
