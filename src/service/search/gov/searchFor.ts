/**
 * What the words of a query find.
 *
 * The law: of a long query only the rarest words are searched for; names find too, and weigh less. Where the query names a
 * place, a code or an agency, what stands there is searched for itself as well, so that no flood of others hides it.
 */
import * as Effect from "effect/Effect"
import { GovStore } from "./GovStore.ts"
import type { Query } from "./query/Query.ts"
import { alternatives } from "./query/synonyms.ts"
import type { Vocabulary } from "./query/Vocabulary.ts"
import { words } from "./query/words.ts"
import * as Terms from "./rank/Terms.ts"

/** The terms of a query, weighed by how rare they are among so many sections. */
export const termsOf = Effect.fnUntraced(function* ({ cited, nameWords, words: about }: Query, sections: number) {
  const store = yield* GovStore
  const others = new Map(about.map((word) => [word, alternatives(word)]))
  const numbers = about.length > 0 ? [] : cited.flatMap(({ keys }) => keys[0]?.split("/").slice(-1) ?? [])
  const own = [...about, ...(about.length > 0 ? nameWords : [...nameWords, ...numbers.flatMap(words)])]
  const known = yield* store.terms([...new Set([...own, ...[...others.values()].flat().flatMap(words)])])
  const byWord = new Map(known.map((term) => [term.word, term]))
  const stemOf = (word: string): string => byWord.get(word)?.stem ?? word
  const isAbout = new Set(about.length > 0 ? about : own)
  const weighted = own.map((word): Terms.Weighted => {
    const rarity = Terms.rarity(byWord.get(word) ?? { word, stem: word, sections: 0 }, sections)
    const weight = isAbout.has(word) ? rarity : rarity * nameWeight
    const also = (others.get(word) ?? []).map((text) => ({ text, stems: words(text).map(stemOf) }))
    return { word, stem: stemOf(word), weight, others: also }
  })
  const rarest = weighted.toSorted((a, b) => b.weight - a.weight).slice(0, mostWords)
  return Terms.make(rarest)
})

/** By section, how well it has them: 1 the best. */
export const searchFor = Effect.fnUntraced(function* (
  { mentions, phrases }: Query,
  terms: Terms.Terms,
  { documents }: Vocabulary
) {
  const store = yield* GovStore
  const any = phrasesOf(terms)
  if (any.length === 0 && phrases.length === 0) return new Map<number, number>()
  const strict = yield* store.matching(any, phrases, undefined, manyCandidates)
  const wide =
    strict.length > 0 || phrases.length === 0 || any.length === 0
      ? strict
      : yield* store.matching(any, [], undefined, manyCandidates)
  const named = mentions.filter((mention) => mention.documents.size > 0)
  const there =
    named.length === 0 ? [] : [...documents.keys()].filter((id) => named.every((mention) => mention.documents.has(id)))
  const local =
    there.length === 0 || there.length > mostDocuments || any.length === 0
      ? []
      : yield* store.matching(any, [], there, manyNamed)
  const all = new Map([...wide, ...local].map(({ id, rank }) => [id, rank]))
  const best = Math.max(...all.values(), 1e-9)
  return new Map([...all].map(([id, rank]) => [id, Math.max(0, rank / best)]))
})

/** What is searched for: each term, and other words for it. */
export const phrasesOf = ({ all }: Terms.Terms): ReadonlyArray<string> => [
  ...new Set(all.flatMap(({ others, word }) => [word, ...others.map(({ text }) => text)]))
]

const manyCandidates = 200
const manyNamed = 100

/** A name that stands for more is no help in finding. */
const mostDocuments = 500

/** Words of a long query that are searched for. */
const mostWords = 14

const nameWeight = 0.35
