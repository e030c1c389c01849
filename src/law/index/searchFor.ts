/**
 * What the words of a query find.
 *
 * Of a long query only the rarest words are searched for, and runs of words as they stand in it, which find the text that it
 * was copied from; names are searched too, with less weight. If the query names a place, a code or an agency, its texts are
 * also searched separately, so that many other hits do not hide them.
 */
import * as Effect from "effect/Effect"
import { isDullInLaw } from "#base/dullWords"
import { wordsIn } from "#base/Words"
import type { Query } from "../query/Query.ts"
import { alternatives } from "../query/synonyms.ts"
import type { Vocabulary } from "../query/Vocabulary.ts"
import * as Terms from "../rank/Terms.ts"
import * as Citation from "../text/Citation.ts"
import { GovStore } from "./GovStore.ts"
import type { Sought } from "./GovWords.ts"

/** The terms of a query, weighed by how rare they are among so many sections. */
export const termsOf = Effect.fnUntraced(function* (query: Query, sections: number) {
  const store = yield* GovStore
  const terms = askedOf(query)
  const texts = terms.flatMap(({ others, word }) => [word, ...others]).flatMap(wordsIn)
  const having = yield* store.having([...new Set(texts)])
  const rarityOf = (word: string): number => Terms.rarity(having.get(word) ?? 0, sections)
  const weighted = terms.map(({ others, share, word }): Terms.Term => {
    const rarity = rarityOf(word)
    // A synonym that is more common than the word itself counts less.
    const other = Math.min(rarity, Math.max(0, ...others.flatMap(wordsIn).map(rarityOf)))
    return { word, weight: rarity * share, others, otherWeight: other * share * otherShare }
  })
  const rarest = weighted.toSorted((a, b) => b.weight - a.weight).slice(0, maxWords)
  return Terms.of(rarest, wordsIn(query.text).slice(0, maxSaid))
})

interface Asked {
  readonly word: string
  readonly share: number
  readonly others: ReadonlyArray<string>
}

const askedOf = ({ cited, hints, mentions, nameWords, words: about }: Query): ReadonlyArray<Asked> => {
  const own = about.map((word): Asked => ({ word, share: 1, others: alternatives(word) }))
  const names = nameWords.map((word): Asked => ({ word, share: about.length === 0 ? 1 : nameShare, others: [] }))
  // If the index has no text of a named agency, the name is searched for in the texts of others.
  const agencies = mentions.flatMap(({ documents, phrase }) =>
    phrase === undefined || documents.size > 0
      ? []
      : wordsIn(phrase).map((word): Asked => ({ word, share: 0.7, others: [] }))
  )
  // A query that is only a citation also finds the texts that cite the same.
  const citing =
    about.length > 0 ? [] : cited.flatMap(({ keys: [key] }) => (key === undefined ? [] : [Citation.written(key)]))
  const all = [
    ...own,
    ...names,
    ...agencies.filter(({ word }) => !isDullInLaw(word)),
    ...hints.map((word): Asked => ({ word, share: hintShare, others: [] })),
    ...citing.map((word): Asked => ({ word, share: 1, others: [] }))
  ]
  return [...new Map(all.toReversed().map((one) => [one.word, one])).values()].toReversed()
}

/** Sections that may answer, each with a rank by words; 1: the best one. */
export const searchFor = Effect.fnUntraced(function* (
  { mentions, phrases, text }: Query,
  terms: Terms.Terms,
  { documents }: Vocabulary
) {
  const store = yield* GovStore
  const any = soughtOf(text, terms)
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
    there.length === 0 || there.length > maxDocuments || any.length === 0
      ? []
      : yield* store.matching(any, [], there, manyNamed)
  const phraseHits =
    any.length === 0 || (phrases.length > 0 && strict.length > 0) ? [] : yield* store.saidOf(any, manySaid)
  const all = new Map([...wide, ...local].map(({ id, rank }) => [id, rank]))
  const best = Math.max(...all.values(), 1e-9)
  const shares = [...all].map(([id, rank]) => [id, Math.max(0, rank / best)] as const)
  return new Map([...phraseHits.map(({ id }) => [id, 0] as const), ...shares])
})

/** Each term, other words for it, and the query in runs of a few words. */
const soughtOf = (text: string, { all }: Terms.Terms): ReadonlyArray<Sought> => {
  const words = wordsIn(text).slice(0, maxSaid)
  const runs = Array.from({ length: Math.floor(words.length / runLength) }, (_, at) =>
    words.slice(at * runLength, (at + 1) * runLength).join(" ")
  )
  const heaviest = Math.max(0, ...all.map(({ weight }) => weight))
  const sought = [
    ...all.flatMap(({ others, otherWeight, weight, word }) => [
      { text: word, weight },
      ...others.map((text) => ({ text, weight: otherWeight }))
    ]),
    ...runs.map((run) => ({ text: run, weight: heaviest }))
  ]
  return [...new Map(sought.toReversed().map((one) => [one.text, one])).values()].toReversed()
}

const manyCandidates = 200
const manyNamed = 100
const manySaid = 50

/** A name that stands for more does not help to find. */
const maxDocuments = 500

/** Words of a long query that are searched for; and those that are read at all. */
const maxWords = 20
const maxSaid = 100

/** Words of a run that are searched for as they stand. */
const runLength = 4

const nameShare = 0.35
const hintShare = 0.25
/** What another word for a term counts beside it. */
const otherShare = 0.7
