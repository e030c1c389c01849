/**
 * The passage of a text that answers, out of the marks of what was found.
 *
 * A passage has the text's own words: whole lines if they are short, otherwise whole sentences, and a sentence that is
 * too long is cut at a blank with "…". A text without marks gives its beginning.
 */
import { markEnd, markStart } from "../index/GovWords.ts"
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
  const pieces = piecesOf(marked, terms)
  const cited = paragraph === "" ? -1 : startOf(pieces, paragraph)
  const { coverage, from, to } = cited < 0 ? bestOf(pieces, terms) : within(pieces, terms, cited)
  const whole = Terms.coverage(terms, together(pieces))
  return { text: shown(pieces, from, to), coverage, whole }
}

/** A line, or of a long one a sentence. */
interface Piece {
  readonly text: string
  readonly terms: ReadonlyMap<number, number>
  /** What parts it from the next one. */
  readonly after: "\n" | " "
}

const piecesOf = (marked: string, terms: Terms.Terms): ReadonlyArray<Piece> =>
  marked.split("\n").flatMap((line) => {
    const parts = line.length <= most / 2 ? [line] : line.split(/(?<=[.;:][”"’]?) (?=\S)/)
    return parts.flatMap((part, at): ReadonlyArray<Piece> => {
      const text = plain(part)
      const after = at === parts.length - 1 ? "\n" : " "
      return text.trim() === "" ? [] : [{ text, terms: termsOf(part, terms), after }]
    })
  })

const termsOf = (piece: string, terms: Terms.Terms): ReadonlyMap<number, number> => {
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

const together = (pieces: ReadonlyArray<Piece>): Map<number, number> => {
  const found = new Map<number, number>()
  for (const { terms } of pieces) add(found, terms)
  return found
}

const add = (found: Map<number, number>, more: ReadonlyMap<number, number>): void => {
  for (const [term, strength] of more) found.set(term, Math.max(strength, found.get(term) ?? 0))
}

interface Span {
  readonly from: number
  readonly to: number
  readonly score: number
  readonly coverage: number
}

const bestOf = (pieces: ReadonlyArray<Piece>, terms: Terms.Terms): Span => {
  let best: Span = { from: 0, to: 0, score: -1, coverage: 0 }
  for (const [from, piece] of pieces.entries()) {
    const span = piece.terms.size === 0 ? best : within(pieces, terms, from)
    if (span.score > best.score) best = span
  }
  return best
}

/** The best of those that begin there. Of passages that say as much, the shorter is the better one. */
const within = (pieces: ReadonlyArray<Piece>, terms: Terms.Terms, from: number): Span => {
  let best: Span = { from, to: from, score: -1, coverage: 0 }
  const found = new Map<number, number>()
  let length = 0
  for (let to = from; to < pieces.length; to++) {
    const piece = pieces[to]
    length += (piece?.text.length ?? 0) + 1
    if (to > from && length > most) break
    add(found, piece?.terms ?? new Map())
    const coverage = Terms.coverage(terms, found)
    const score = coverage - length / 10_000
    if (score > best.score) best = { from, to, score, coverage }
  }
  return best
}

/** Where "(b)(2)" begins: the line of (b), then below it that of (2). */
const startOf = (pieces: ReadonlyArray<Piece>, paragraph: string): number => {
  let at = -1
  for (const [step] of paragraph.matchAll(/\([^)]+\)/g)) {
    const next = pieces.findIndex(
      ({ text }, index) => index >= Math.max(0, at) && text.trimStart().toLowerCase().startsWith(step)
    )
    if (next < 0) break
    at = next
  }
  return at
}

/** What follows a short passage belongs to it as far as it fits. */
const shown = (pieces: ReadonlyArray<Piece>, from: number, to: number): string => {
  let text = pieces
    .slice(from, to + 1)
    .map((piece, at) => piece.text + (from + at === to ? "" : piece.after))
    .join("")
  for (let next = to + 1; next < pieces.length; next++) {
    const more = `${pieces[next - 1]?.after ?? ""}${pieces[next]?.text ?? ""}`
    if (text.length + more.length > most / 2) break
    text += more
  }
  const whole = text.trim()
  if (whole.length <= most) return whole
  const cut = whole.slice(0, most)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), most / 2))} …`
}

const plain = (piece: string): string => piece.replaceAll(markStart, "").replaceAll(markEnd, "")
