/**
 * Compares two texts word by word: returns unchanged, removed and added pieces, in order.
 *
 * Without gaps, the unchanged and removed pieces are the old text, and the unchanged and added pieces are the new text. Texts
 * with almost nothing in common are compared by lines, or replaced as a whole, so that no comparison takes long.
 */
import { diffLines, diffWordsWithSpace, lineDiff, wordsWithSpaceDiff } from "diff"
import { leastEdits } from "./diff/lineEdits.ts"

export interface Piece {
  /** gap: unchanged words that are left out because they are far from any change. */
  readonly kind: "same" | "removed" | "added" | "gap"
  readonly text: string
}

/** `around`: the number of unchanged characters to keep next to a change; default: all. */
export const words = (old: string, next: string, around = Number.POSITIVE_INFINITY): ReadonlyArray<Piece> =>
  cut(compared(old, next), around)

/** The maximum number of edits that are searched for. */
const maxEdits = { words: 3000, lines: 6000 }

const compared = (old: string, next: string): ReadonlyArray<Piece> => {
  const found = byWords(old, next) ?? byLines(old, next)
  const pieces: ReadonlyArray<Piece> =
    found === undefined
      ? [
          { kind: "removed", text: old },
          { kind: "added", text: next }
        ]
      : found.map(({ added, removed, value }) => ({
          kind: removed ? "removed" : added ? "added" : "same",
          text: value
        }))
  return joined(pieces.filter(({ text }) => text !== ""))
}

const byWords = (old: string, next: string) => {
  const least = leastEdits(wordsWithSpaceDiff.tokenize(old), wordsWithSpaceDiff.tokenize(next))
  return least > maxEdits.words ? undefined : diffWordsWithSpace(old, next, { maxEditLength: maxEdits.words })
}

const byLines = (old: string, next: string) => {
  const least = leastEdits(lineDiff.tokenize(old, {}), lineDiff.tokenize(next, {}))
  return least > maxEdits.lines ? undefined : diffLines(old, next, { maxEditLength: maxEdits.lines })
}

/**
 * Joins adjacent removed words to one piece, and the added words that replace them to another one. An unchanged space between
 * two changes becomes part of both pieces; white space that both pieces end with becomes an unchanged piece.
 */
const joined = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const out: Array<Piece> = []
  let [removed, added, stays] = ["", "", ""]
  const flush = () => {
    const space = removed === "" || added === "" ? "" : sharedEnd(removed, added)
    const end = space.length
    if (removed !== "") out.push({ kind: "removed", text: removed.slice(0, removed.length - end) })
    if (added !== "") out.push({ kind: "added", text: added.slice(0, added.length - end) })
    if (space + stays !== "") out.push({ kind: "same", text: space + stays })
    removed = added = stays = ""
  }
  for (const [at, { kind, text }] of pieces.entries()) {
    if (kind === "removed") removed += text
    else if (kind === "added") added += text
    else if (removed + added !== "" && at < pieces.length - 1 && /^[^\S\n]+$/.test(text)) {
      removed += text
      added += text
    } else {
      stays = text
      flush()
    }
  }
  flush()
  return out.filter(({ text }) => text !== "")
}

/** The white space that both texts end with. */
const sharedEnd = (a: string, b: string): string => {
  const [ends, end] = [a.slice(a.trimEnd().length), b.slice(b.trimEnd().length)]
  let length = 0
  while (length < Math.min(ends.length, end.length) && ends.at(-1 - length) === end.at(-1 - length)) length += 1
  return length === 0 ? "" : ends.slice(-length)
}

const cut = (pieces: ReadonlyArray<Piece>, around: number): ReadonlyArray<Piece> =>
  pieces.flatMap((piece, at): ReadonlyArray<Piece> => {
    if (piece.kind !== "same") return [piece]
    const { text } = piece
    const [before, after] = [at === 0 ? 0 : around, at === pieces.length - 1 ? 0 : around]
    if (text.length <= before + after + slack) return [piece]
    const [head, tail] = [wordsAtStart(text, before), wordsAtEnd(text, after)]
    const gap: Piece = { kind: "gap", text: text.slice(head.length, text.length - tail.length) }
    const unchanged = (side: string): ReadonlyArray<Piece> => (side === "" ? [] : [{ kind: "same", text: side }])
    return [...unchanged(head), gap, ...unchanged(tail)]
  })

/** A shorter text is not replaced by a gap. */
const slack = 20

/** Whole words from the start, without half of a surrogate pair. */
const wordsAtStart = (text: string, length: number): string => {
  const end = text.slice(0, length).search(/\s\S*$/)
  return text.slice(0, end < 0 ? whole(text, length) : end + 1)
}

const wordsAtEnd = (text: string, length: number): string => {
  if (length === 0) return ""
  const from = text.length - length
  const space = text.slice(from).search(/\s/)
  return text.slice(space < 0 ? whole(text, from) : from + space)
}

const whole = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at)
