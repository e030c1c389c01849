/**
 * The passage of a text that answers.
 *
 * A passage has the text's own words: whole lines if they are short, otherwise whole sentences, and a sentence that is
 * too long is cut at a blank with "…". A text that has nothing of the query gives its beginning.
 */
import type { Terms } from "./Terms.ts"

/** Characters. */
const most = 600

export const passage = (text: string, terms: Terms, paragraph = ""): string => {
  const pieces = piecesOf(text, terms)
  const cited = paragraph === "" ? -1 : startOf(pieces, paragraph)
  const { from, to } = cited < 0 ? bestOf(pieces) : within(pieces, cited)
  return shown(pieces, from, to)
}

/** A line, or a sentence of a long line. */
interface Piece {
  readonly text: string
  /** The terms and pairs of the query in it, with their weights. */
  readonly has: ReadonlyMap<string, number>
  /** The separator before the next piece. */
  readonly after: "\n" | " "
}

const piecesOf = (text: string, terms: Terms): ReadonlyArray<Piece> =>
  text.split("\n").flatMap((line) => {
    const parts = line.length <= most / 2 ? [line] : line.split(/(?<=[.;:][”"’]?) (?=\S)/)
    return parts.flatMap((part, at): ReadonlyArray<Piece> => {
      const after = at === parts.length - 1 ? "\n" : " "
      return part.trim() === "" ? [] : [{ text: part, has: terms.shares(part), after }]
    })
  })

interface Span {
  readonly from: number
  readonly to: number
  readonly score: number
}

const bestOf = (pieces: ReadonlyArray<Piece>): Span => {
  let best: Span = { from: 0, to: 0, score: -1 }
  for (const [from, piece] of pieces.entries()) {
    const span = piece.has.size === 0 ? best : within(pieces, from)
    if (span.score > best.score) best = span
  }
  return best
}

/** The best of those that begin there. Of passages that say as much, the shorter is the better one. */
const within = (pieces: ReadonlyArray<Piece>, from: number): Span => {
  let best: Span = { from, to: from, score: -1 }
  const found = new Map<string, number>()
  let gain = 0
  let length = 0
  for (let to = from; to < pieces.length; to++) {
    const piece = pieces[to]
    length += (piece?.text.length ?? 0) + 1
    if (to > from && length > most) break
    for (const [what, share] of piece?.has ?? []) {
      gain += Math.max(0, share - (found.get(what) ?? 0))
      found.set(what, Math.max(share, found.get(what) ?? 0))
    }
    const score = gain - length / 10_000
    if (score > best.score) best = { from, to, score }
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
