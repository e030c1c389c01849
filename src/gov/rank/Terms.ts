/**
 * The terms of a query, each with what it weighs, and where they stand in other texts.
 *
 * The rarer a term is among sections, the more it weighs; a word of a name weighs less than a word of the question, and
 * a synonym less than the word itself. A word of a text matches a term if it begins with the term's stem and is not much
 * longer.
 */
import type { Term } from "../index/GovWords.ts"
import { isDull, words } from "../query/words.ts"

export interface Weighted {
  readonly word: string
  readonly stem: string
  readonly weight: number
  /** Other words for it, as single words or phrases, with their stems. */
  readonly others: ReadonlyArray<{ readonly text: string; readonly stems: ReadonlyArray<string> }>
}

export interface Terms {
  readonly all: ReadonlyArray<Weighted>
  readonly total: number
  /** Of a text, which terms it has. */
  readonly of: (text: string) => Found
  /** The term that a word is, and how well. */
  readonly find: (word: string) => Hit | undefined
}

export interface Hit {
  readonly term: number
  /** 1: it is the term; less: it is another word for it. */
  readonly strength: number
}

export interface Found {
  readonly terms: ReadonlyMap<number, number>
  /** Of the words of the text that are not dull, the share that are terms. */
  readonly precision: number
}

/** How rare a term is among so many sections: 0 for one that all have. */
export const rarity = ({ sections }: Term, of: number): number => {
  const having = Math.min(of, sections)
  return Math.log(1 + (of - having + 0.5) / (having + 0.5))
}

export const make = (all: ReadonlyArray<Weighted>): Terms => {
  const known = new Map<string, Hit | undefined>()
  const search = (word: string): Hit | undefined => {
    const [own] = all
      .map(({ stem }, term) => ({ stem, term }))
      .filter(({ stem }) => isOf(word, stem))
      .toSorted((a, b) => b.stem.length - a.stem.length)
    if (own !== undefined) return { term: own.term, strength: 1 }
    const other = all.findIndex(({ others }) => others.some(({ stems }) => stems.some((stem) => isOf(word, stem))))
    return other < 0 ? undefined : { term: other, strength: otherStrength }
  }
  const find = (word: string): Hit | undefined => {
    if (!known.has(word)) known.set(word, search(word))
    return known.get(word)
  }
  const of = (text: string): Found => {
    const terms = new Map<number, number>()
    let told = 0
    let hits = 0
    for (const word of words(text)) {
      const hit = find(word)
      if (hit !== undefined) terms.set(hit.term, Math.max(hit.strength, terms.get(hit.term) ?? 0))
      if (isDull(word)) continue
      told++
      hits += hit?.strength ?? 0
    }
    return { terms, precision: told === 0 ? 0 : hits / told }
  }
  return { all, total: all.reduce((sum, { weight }) => sum + weight, 0), of, find }
}

/** The share of the query's weight that these terms make. */
export const coverage = ({ all, total }: Terms, found: ReadonlyMap<number, number>): number => {
  let sum = 0
  for (const [term, strength] of found) sum += (all[term]?.weight ?? 0) * strength
  return total === 0 ? 0 : sum / total
}

const otherStrength = 0.6

/** Stems end where suffixes begin; a last i stands for a y too. */
const isOf = (word: string, stem: string): boolean => {
  if (word === stem) return true
  if (stem.length < 3 || /\d/.test(stem) || word.length - stem.length > 6) return false
  return word.startsWith(stem) || (stem.endsWith("i") && word.startsWith(`${stem.slice(0, -1)}y`))
}
