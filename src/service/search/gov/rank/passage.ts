/**
 * The passage of a text that answers, out of the marks of what was found.
 *
 * The law: a passage is the text's own words, whole lines where they are short, whole sentences where they are not, and cut
 * at a blank with "…" where a sentence is too long. A text without marks gives its beginning.
 */
import { markEnd, markStart } from "../GovWords.ts"
import * as Terms from "./Terms.ts"

export interface Passage {
  readonly text: string
  /** The share of the query that the passage has, 0 to 1. */
  readonly coverage: number
  /** That of the whole text. */
  readonly whole: number
}

/** Characters. */
const most = 600

export const passage = (marked: string, terms: Terms.Terms, paragraph = ""): Passage => {
  const pieces = piecesOf(marked)
  const hits = pieces.map((piece) => hitsOf(piece, terms))
  const whole = Terms.coverage(terms, union(hits))
  const cited = paragraph === "" ? -1 : startOf(pieces, paragraph)
  let best = { from: Math.max(0, cited), to: Math.max(0, cited), score: -1, coverage: 0 }
  for (let from = cited < 0 ? 0 : cited; from < pieces.length; from++) {
    if (cited < 0 && (hits[from]?.size ?? 0) === 0) continue
    const found = new Map<number, number>()
    let length = 0
    for (let to = from; to < pieces.length; to++) {
      length += lengthOf(pieces[to] ?? "") + 1
      if (to > from && length > most) break
      for (const [term, strength] of hits[to] ?? []) found.set(term, Math.max(strength, found.get(term) ?? 0))
      const coverage = Terms.coverage(terms, found)
      // Of passages that say as much, the shorter is the better one, until it is too short to be understood.
      const score = coverage - Math.max(0, length - 200) / 10_000
      if (score > best.score) best = { from, to, score, coverage }
    }
    if (cited >= 0) break
  }
  return { text: shown(pieces, best.from, best.to), coverage: best.coverage, whole }
}

/** Lines, and of long ones their sentences. */
const piecesOf = (marked: string): ReadonlyArray<string> =>
  marked
    .split("\n")
    .flatMap((line) => (line.length <= most / 2 ? [line] : line.split(/(?<=[.;:][”"’]?) (?=\S)/)))
    .filter((piece) => piece.trim() !== "")

const hitsOf = (piece: string, terms: Terms.Terms): ReadonlyMap<number, number> => {
  const found = new Map<number, number>()
  for (let at = piece.indexOf(markStart); at >= 0; at = piece.indexOf(markStart, at + 1)) {
    const end = piece.indexOf(markEnd, at)
    const marked = piece.slice(at + 1, end < 0 ? undefined : end).toLowerCase()
    for (const word of marked.split(/[^\p{L}\p{N}]+/u)) {
      const hit = word === "" ? undefined : terms.find(word)
      if (hit !== undefined) found.set(hit.term, Math.max(hit.strength, found.get(hit.term) ?? 0))
    }
  }
  return found
}

const union = (all: ReadonlyArray<ReadonlyMap<number, number>>): ReadonlyMap<number, number> => {
  const found = new Map<number, number>()
  for (const some of all) {
    for (const [term, strength] of some) found.set(term, Math.max(strength, found.get(term) ?? 0))
  }
  return found
}

/** Where "(b)(2)" begins: the line of (b), then below it that of (2). */
const startOf = (pieces: ReadonlyArray<string>, paragraph: string): number => {
  let at = -1
  for (const [step] of paragraph.matchAll(/\([^)]+\)/g)) {
    const next = pieces.findIndex(
      (piece, index) => index >= Math.max(0, at) && plain(piece).trimStart().toLowerCase().startsWith(step)
    )
    if (next < 0) break
    at = next
  }
  return at
}

/** What follows a short passage belongs to it as far as it fits. */
const shown = (pieces: ReadonlyArray<string>, from: number, to: number): string => {
  let end = to
  let length = pieces.slice(from, to + 1).reduce((sum, piece) => sum + lengthOf(piece) + 1, 0)
  while (end + 1 < pieces.length && length + lengthOf(pieces[end + 1] ?? "") < most / 2) {
    end++
    length += lengthOf(pieces[end] ?? "") + 1
  }
  const text = plain(pieces.slice(from, end + 1).join("\n")).trim()
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), most / 2))} …`
}

const plain = (piece: string): string => piece.replaceAll(markStart, "").replaceAll(markEnd, "")

const lengthOf = (piece: string): number => plain(piece).length
