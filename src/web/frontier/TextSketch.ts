/**
 * A sketch of a page's text, by which chance is told from language: pages of any language repeat the pairs of adjacent
 * words of each other far more often than pairs of words that stand apart; in random words, both are equally frequent,
 * however few or frequent the words are.
 *
 * Of both kinds the pairs with the least hashes are taken, the same for the same pair on every page (bottom-k sampling).
 * Words with digits are left out: tables of values are no text. One pass over the characters, without a list of words.
 */

/** The pairs of a sketch, as numbers of 24 bits. */
interface Pairs {
  readonly adjacent: ReadonlyArray<number>
  readonly apart: ReadonlyArray<number>
}

/** The sketch of a Markdown text; undefined: it says too little to be judged. */
export const sketchOf = (markdown: string): string | undefined => {
  const adjacent = new LeastHashes()
  const apart = new LeastHashes()
  const recent = new Uint32Array(distance)
  let words = 0
  let word = 0
  let hasDigit = false
  const end = () => {
    if (word !== 0 && !hasDigit) {
      if (words > 0) adjacent.take(pairOf(recent[(words - 1) % distance] ?? 0, word))
      if (words >= distance) apart.take(pairOf(recent[words % distance] ?? 0, word))
      recent[words % distance] = word
      words += 1
    }
    word = 0
    hasDigit = false
  }
  for (let at = 0; at < markdown.length; at++) {
    const code = markdown.charCodeAt(at)
    if (isAlone(code)) {
      end()
      word = code
      end()
    } else if (isOfWord(code)) {
      word = Math.imul(word ^ (code < 128 ? code | 32 : code), 0x01000193) >>> 0 || 1
      hasDigit ||= code >= 48 && code <= 57
    } else {
      end()
      // The target of a link is not its text.
      if (code === bracket && markdown.charCodeAt(at + 1) === parenthesis) at = endOfTarget(markdown, at + 2)
    }
  }
  end()
  return words < fewWords ? undefined : `${adjacent.packed()}.${apart.packed()}`
}

/** A template and a sketch in one text; undefined: neither. */
export const withSketch = (template: string | undefined, sketch: string | undefined): string | undefined =>
  sketch === undefined ? template : `${template ?? ""} ${sketch}`

export const templateIn = (shown: string | null): string | undefined => {
  const template = shown?.split(" ", 1)[0]
  return template === "" ? undefined : template
}

export const sketchIn = (shown: string | null): string | undefined => shown?.split(" ")[1]

export const pairsOf = (sketch: string): Pairs => {
  const [adjacent = "", apart = ""] = sketch.split(".")
  return { adjacent: numbersOf(adjacent), apart: numbersOf(apart) }
}

const numbersOf = (packed: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(packed, "base64")
  return Array.from({ length: Math.floor(bytes.length / 3) }, (_, index) => bytes.readUIntBE(index * 3, 3))
}

/** The least different hashes, in order. */
class LeastHashes {
  private readonly least: Array<number> = []

  take(hash: number): void {
    const { least } = this
    if (least.length === mostPairs && hash >= (least.at(-1) ?? 0)) return
    let at = least.length
    while (at > 0 && (least[at - 1] ?? 0) > hash) at -= 1
    if (least[at - 1] === hash) return
    least.splice(at, 0, hash)
    if (least.length > mostPairs) least.pop()
  }

  packed(): string {
    const bytes = Buffer.alloc(this.least.length * 3)
    // The lower bits: the least hashes share their upper ones.
    for (const [index, hash] of this.least.entries()) bytes.writeUIntBE(hash & 0xffffff, index * 3, 3)
    return bytes.toString("base64")
  }
}

/** The hash of two words in order (the end is that of MurmurHash3). */
const pairOf = (first: number, second: number): number => {
  let hash = Math.imul(first, 0x9e3779b1) ^ second
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const endOfTarget = (markdown: string, from: number): number => {
  let at = from
  while (at < markdown.length && !isEndOfTarget(markdown.charCodeAt(at))) at += 1
  return at
}

/** A closing parenthesis or a space. */
const isEndOfTarget = (code: number): boolean => code === 41 || code === 32 || code === 10

/** Letters, digits, and everything beyond ASCII that is no punctuation. */
const isOfWord = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  (code >= 0xaa && (code < 0x2000 || code > 0x206f) && (code < 0x3000 || code > 0x303f) && code < 0xff00)

/** Scripts without spaces between words: each character counts as a word. Thai to Tibetan, Khmer, kana, and Chinese. */
const isAlone = (code: number): boolean =>
  (code >= 0x0e00 && code <= 0x0fff) || (code >= 0x1780 && code <= 0x17ff) || (code >= 0x3040 && code <= 0x9fff)

/** The number of pairs of each kind in a sketch: 256 characters as text for both. */
const mostPairs = 32

/** How far apart the words of the pairs are that only chance repeats. */
const distance = 5

/** A page with fewer words says too little. */
const fewWords = 25

const bracket = 93
const parenthesis = 40
