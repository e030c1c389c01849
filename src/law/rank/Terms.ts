/**
 * The terms of a query with what each weighs, and how often a text has them.
 *
 * A term is a word by its stem. Other words for it are counted apart, because they weigh less. Beside single terms it counts
 * pairs: two words that follow each other in the query and do so in the text, common words too, since in words that were
 * copied these say which text it is.
 */
import { wordsIn } from "#base/Words"
import * as Stems from "./Stems.ts"

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
  /** No counts yet. */
  readonly none: () => Sums
  /** Adds what a text has, each time as `factor`. Returns the share of the query that it has in runs. */
  readonly add: (text: Stems.Stems, factor: number, sums: Sums) => number
  /** What a text has of the query: the share of its weight that each term and each pair is. */
  readonly shares: (text: string) => ReadonlyMap<string, number>
}

/** How often texts have each term, other words for each term, and each pair. */
export interface Sums {
  readonly own: Float64Array
  readonly others: Float64Array
  readonly pairs: Float64Array
}

interface Counts extends Sums {
  /** The share of the words of the query that the text has in runs of three and more, as they stand in the query. */
  readonly run: number
}

/** The weight of a word that `having` of `sections` sections contain. */
export const rarity = (having: number, sections: number): number => {
  const some = Math.min(sections, having)
  return Math.log(1 + (sections - some + 0.5) / (some + 0.5))
}

/** A query, made ready to count its terms in many texts. Its words are small numbers, by their stems. */
interface Query {
  /** How many words it has. */
  readonly length: number
  readonly idOf: (hash: number) => number
  readonly termOf: ReadonlyMap<number, number>
  /** The synonyms, by their last words. */
  readonly endingIn: ReadonlyMap<number, ReadonlyArray<{ readonly term: number; readonly ids: ReadonlyArray<number> }>>
  readonly pairOf: ReadonlyMap<number, number>
  /** Where three words that follow each other in the query end in it. */
  readonly runsOf: ReadonlyMap<string, ReadonlyArray<number>>
}

/** `queryWords`: all words of the query, in its order. */
export const of = (all: ReadonlyArray<Term>, queryWords: ReadonlyArray<string>): Terms => {
  const query = queryOf(all, queryWords)
  const others = all.flatMap((term) => term.others.flatMap(wordsIn))
  const sought = Stems.beginningsOf([...queryWords, ...all.map(({ word }) => word), ...others])
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  const none = (): Sums => ({
    own: new Float64Array(all.length),
    others: new Float64Array(all.length),
    pairs: new Float64Array(query.pairOf.size)
  })
  const count = (text: string): Counts => {
    const sums = none()
    const run = add(query, Stems.of(text, sought), 1, sums)
    return { ...sums, run }
  }
  const shares = (text: string): ReadonlyMap<string, number> => {
    const { others, own, pairs } = count(text)
    const found = new Map<string, number>()
    for (const [term, { otherWeight, weight }] of all.entries()) {
      const part = (own[term] ?? 0) > 0 ? weight : (others[term] ?? 0) > 0 ? otherWeight : 0
      if (part > 0) found.set(`term ${term}`, part / total)
    }
    for (const [pair, times] of pairs.entries()) if (times > 0) found.set(`pair ${pair}`, 1 / query.pairOf.size)
    return found
  }
  return {
    all,
    pairs: query.pairOf.size,
    count,
    none,
    add: (text, factor, sums) => add(query, text, factor, sums),
    shares
  }
}

const queryOf = (all: ReadonlyArray<Term>, queryWords: ReadonlyArray<string>): Query => {
  const ids = new Map<number, number>()
  const idOf = (word: string): number => {
    const hash = Stems.hashOf(word)
    const known = ids.get(hash) ?? ids.size
    ids.set(hash, known)
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
  return { length: sequence.length, idOf: finder(ids), termOf, endingIn, pairOf, runsOf }
}

/** Finds the number of a word by its hash; -1: the query does not have it. Most words of a text are ruled out by half of the hash. */
const finder = (ids: ReadonlyMap<number, number>): Query["idOf"] => {
  const some = new Uint8Array(65_536)
  for (const hash of ids.keys()) some[hash & 0xffff] = 1
  return (hash) => (some[hash & 0xffff] === 1 ? (ids.get(hash) ?? -1) : -1)
}

const add = (
  { endingIn, idOf, length, pairOf, runsOf, termOf }: Query,
  text: Stems.Stems,
  factor: number,
  { others, own, pairs }: Sums
): number => {
  let inRun: Set<number> | undefined
  let [first, before] = [-1, -1]
  for (let at = 0; at < text.length; at++) {
    const id = idOf(text[at] ?? 0)
    if (id >= 0) {
      const term = termOf.get(id)
      if (term !== undefined) own[term] = (own[term] ?? 0) + factor
      for (const phrase of endingIn.get(id) ?? []) {
        const begin = at + 1 - phrase.ids.length
        if (begin >= 0 && phrase.ids.every((one, next) => idOf(text[begin + next] ?? 0) === one)) {
          others[phrase.term] = (others[phrase.term] ?? 0) + factor
        }
      }
      const pair = before < 0 ? undefined : pairOf.get(keyOf(before, id))
      if (pair !== undefined) {
        pairs[pair] = (pairs[pair] ?? 0) + factor
        const ends = first < 0 ? [] : (runsOf.get(`${first} ${before} ${id}`) ?? [])
        for (const last of ends)
          inRun = (inRun ?? new Set<number>())
            .add(last)
            .add(last - 1)
            .add(last - 2)
      }
    }
    first = before
    before = id
  }
  return length === 0 || inRun === undefined ? 0 : inRun.size / length
}

const keyOf = (before: number, id: number): number => before * 1_000_003 + id
