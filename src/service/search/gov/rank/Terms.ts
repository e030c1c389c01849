/**
 * The terms of a query, each with what it weighs, and where they stand in other texts.
 *
 * The law: a term weighs by how few sections have it; a word of a name weighs less than one of what is asked, and another
 * word for it less than itself. A word of a text is a term where it begins with the term's stem and is not much longer.
 */
import type { Term } from "../GovWords.ts"
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
  /** Numbers of the terms that a text has, each with how well: 1 itself, less another word for it. */
  readonly of: (text: string) => Found
  /** The term that a word is, and how well. */
  readonly find: (word: string) => Hit | undefined
}

export interface Hit {
  readonly term: number
  readonly strength: number
}

export interface Found {
  readonly terms: ReadonlyMap<number, number>
  /** Of the words of the text that are not dull, the share that are terms. */
  readonly precision: number
}

/** How rare a term is among so many sections: 0 for one that all have. */
export const rarity = ({ sections }: Term, of: number): number =>
  Math.log(1 + (of - Math.min(of, sections) + 0.5) / (Math.min(of, sections) + 0.5))

export const make = (all: ReadonlyArray<Weighted>): Terms => {
  const known = new Map<string, Hit | undefined>()
  const search = (word: string): Hit | undefined => {
    let best: (Hit & { readonly length: number }) | undefined
    for (const [term, { others, stem }] of all.entries()) {
      if (isOf(word, stem) && (best === undefined || best.strength < 1 || stem.length > best.length)) {
        best = { term, strength: 1, length: stem.length }
      }
      if (best !== undefined && best.strength === 1) continue
      if (best === undefined && others.some(({ stems }) => stems.some((other) => isOf(word, other)))) {
        best = { term, strength: otherStrength, length: 0 }
      }
    }
    return best
  }
  const find = (word: string): Hit | undefined => {
    if (known.has(word)) return known.get(word)
    const found = search(word)
    known.set(word, found)
    return found
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
      if (hit !== undefined) hits += hit.strength
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

/** Stems end where suffixes begin, but for a last i or e that stands for y or for nothing. */
const isOf = (word: string, stem: string): boolean => {
  if (word === stem) return true
  const core = stem.length > 3 ? stem.replace(/[ie]$/, "") : stem
  return core.length > 2 && word.startsWith(core) && word.length - stem.length <= 6
}
