/**
 * How well sections answer words: BM25F over their fields, for the terms of a query and for its pairs.
 *
 * What a field has of a term counts by the weight of the field and by how long the field is; the sum saturates, so that a
 * word that stands there twenty times does not count as twenty words. A pair is as rare as it is among the sections that are
 * compared: no database counts pairs. Each database gives the same sections the same relevance.
 */
import type { Kept, Stems } from "./Stems.ts"
import type { Terms } from "./Terms.ts"

/** The words of a section: its heading, the names of everything around it (`context`), its text. */
export interface Fields extends Kept {
  /** The sentences in which other sections cite it. */
  readonly cited: Stems
  /** Nothing, unless the query may be copied from notes. */
  readonly notes: Stems
}

/** How long these fields are, in words. */
export type Lengths = Readonly<Record<keyof Fields, number>>

interface Relevance {
  readonly score: number
  /** The share of the words of the query that its heading or its body has in runs. */
  readonly run: number
  /** The same of its notes. */
  readonly runInNotes: number
}

const weights: Lengths = { heading: 6, context: 2, cited: 0.5, body: 1, notes: 0.1 }
const names = ["heading", "context", "cited", "body", "notes"] as const

/** `average`: how long these fields are in all sections. */
export const of = (sections: ReadonlyArray<Fields>, terms: Terms, average: Lengths): ReadonlyArray<Relevance> => {
  const counted = sections.map((fields) => countOf(fields, terms, average))
  const pairWeights = Array.from({ length: terms.pairs }, (_, pair) => {
    const having = counted.filter(({ pairs }) => (pairs[pair] ?? 0) > 0).length
    return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5))
  })
  return counted.map(({ others, own, pairs, run, runInNotes }) => {
    let score = 0
    for (const [term, { otherWeight, weight }] of terms.all.entries()) {
      const alone = saturated(own[term] ?? 0)
      score += weight * alone + otherWeight * (saturated((own[term] ?? 0) + (others[term] ?? 0)) - alone)
    }
    for (const [pair, weight] of pairWeights.entries()) score += pairShare * weight * saturated(pairs[pair] ?? 0)
    return { score, run, runInNotes }
  })
}

const countOf = (fields: Fields, terms: Terms, average: Lengths) => {
  const sums = terms.none()
  let [run, runInNotes] = [0, 0]
  for (const name of names) {
    const text = fields[name]
    if (text.length === 0) continue
    const factor = weights[name] / (1 - slope + (slope * text.length) / Math.max(1, average[name]))
    const own = terms.add(text, factor, sums)
    if (name === "heading" || name === "body") run = Math.max(run, own)
    if (name === "notes") runInNotes = own
  }
  return { ...sums, run, runInNotes }
}

/** What a pair counts beside a term as rare: the words of it are counted already. */
const pairShare = 0.3

/** The usual constants of BM25. */
const saturation = 1.2
const slope = 0.75

const saturated = (count: number): number => (count * (saturation + 1)) / (count + saturation)
