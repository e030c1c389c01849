/**
 * The words of a text as numbers: for each word in its order, a hash of its stem. A query counts its words in many texts, and
 * numbers are counted without reading the texts again. The index keeps them for each section, in four parts.
 *
 * Two stems have the same hash once in some billion pairs; a section then counts a word that it does not have.
 */
import { stem } from "#base/stem"
import { eachWord, folded } from "#base/Words"

export type Stems = Uint32Array

/** `sought`: words that begin otherwise are 0. To hash a word costs more than all else that is done with it. */
export const of = (text: string, sought?: Beginnings): Stems => {
  const plain = folded(text)
  const hashes: Array<number> = []
  eachWord(plain, (from, to) => {
    const isSought = sought === undefined || sought.has(beginningOf(plain, from, to))
    hashes.push(isSought ? hashOf(plain.slice(from, to)) : 0)
  })
  return Uint32Array.from(hashes)
}

export interface Beginnings {
  readonly has: (beginning: number) => boolean
}

/** How words begin that have the stem of one of these. */
export const beginningsOf = (words: ReadonlyArray<string>): Beginnings => {
  const some = new Uint8Array(65_536)
  for (const word of words) some[beginningOf(word, 0, word.length)] = 1
  return { has: (beginning) => some[beginning] === 1 }
}

/** Of two letters: no ending that a stem loses begins before the third. Its `y` may become `i`. */
const beginningOf = (text: string, from: number, to: number): number => {
  const second = to - from > 1 ? text.charCodeAt(from + 1) : 0
  return (text.charCodeAt(from) * 251 + (second === y ? i : second)) & 0xffff
}
const [y, i] = [121, 105]

/** The hash of the stem of a folded word. */
export const hashOf = (word: string): number => {
  const known = hashes.get(word)
  if (known !== undefined) return known
  const own = stem(word)
  // FNV-1a.
  let hash = 0x811c9dc5
  for (let at = 0; at < own.length; at++) hash = Math.imul(hash ^ own.charCodeAt(at), 0x01000193)
  if (hashes.size >= mostHashes) hashes.clear()
  hashes.set(word, hash >>> 0)
  return hash >>> 0
}

const hashes = new Map<string, number>()
const mostHashes = 200_000

/** The fields of a section whose words are kept, in the order in which they are kept. Notes are kept apart: few queries need them. */
const kept = ["heading", "context", "body"] as const
export type Kept = Readonly<Record<(typeof kept)[number], Stems>>

/** The lengths of the fields, and behind them the words of all fields. */
export const packed = (texts: Readonly<Record<keyof Kept, string>>): Uint8Array => {
  const fields = kept.map((name) => of(texts[name]))
  const parts = [Uint32Array.from(fields, ({ length }) => length), ...fields]
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return bytesOf(all)
}

export const unpacked = (bytes: Uint8Array): Kept => {
  const all = ofBytes(bytes)
  let at: number = kept.length
  const next = (field: number): Stems => all.subarray(at, (at += all[field] ?? 0))
  return { heading: next(0), context: next(1), body: next(2) }
}

export const bytesOf = (stems: Stems): Uint8Array => new Uint8Array(stems.buffer, stems.byteOffset, stems.byteLength)

export const ofBytes = (bytes: Uint8Array): Stems => {
  // A buffer's own `slice` would be a view of it.
  const own = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes)
  return new Uint32Array(own.buffer, own.byteOffset, own.byteLength >> 2)
}

/** The bytes of the lengths. */
export const headBytes = kept.length * 4

/**
 * The words that stand out in a text: more often than one word of a text of ordinary length, counted as BM25 counts. They are in
 * an index of their own, so that a common word also finds few sections.
 */
export const often = (text: string): string => {
  const plain = folded(text)
  const counts = new Map<number, { word: string; count: number }>()
  let length = 0
  eachWord(plain, (from, to) => {
    const word = plain.slice(from, to)
    const hash = hashOf(word)
    const known = counts.get(hash)
    if (known === undefined) counts.set(hash, { word, count: 1 })
    else known.count++
    length++
  })
  const least = outstanding * (0.25 + (0.75 * length) / ordinaryLength)
  return [...counts.values()].flatMap(({ count, word }) => (count >= least ? [word] : [])).join(" ")
}

const outstanding = 1.5
/** Words of a section. */
const ordinaryLength = 450
