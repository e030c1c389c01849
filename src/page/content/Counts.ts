/** Counts of a text: characters, words, punctuation, and how much of it is in links. */
export class Counts {
  /** Characters other than white space. */
  chars = 0
  /** Words. Two characters of a script without spaces between words count as one word. */
  words = 0
  linkChars = 0
  linkWords = 0
  commas = 0
  /** Punctuation that ends a sentence or a clause: full stop, exclamation mark, question mark, colon. */
  stops = 0
  digits = 0
  uppers = 0
  /** Currency signs. */
  money = 0
  blocks = 0
  /** Blocks that are at least a sentence. */
  paragraphs = 0
  private halves = 0

  /** Counts a text. `inWord`: the text before ended inside a word. Returns whether this text does. */
  add(value: string, linked: boolean, inWord: boolean): boolean {
    let within = inWord
    let chars = 0
    let words = 0
    for (let i = 0; i < value.length; i++) {
      const char = value.charCodeAt(i)
      const is = char < 128 ? (ascii[char] ?? OTHER) : kindOf(char)
      if (is === BLANK) {
        within = false
        continue
      }
      chars++
      switch (is) {
        case UPPER:
          this.uppers++
          if (!within) words++
          within = true
          break
        case LETTER:
          if (!within) words++
          within = true
          break
        case DIGIT:
          this.digits++
          if (!within) words++
          within = true
          break
        case GLYPH:
          this.halves++
          if ((this.halves & 1) === 1) words++
          within = false
          break
        case COMMA:
          this.commas++
          within = false
          break
        case STOP:
          this.stops++
          within = false
          break
        case MONEY:
          this.money++
          within = false
          break
        case JOIN:
          break
        default:
          within = false
      }
    }
    this.chars += chars
    this.words += words
    if (linked) {
      this.linkChars += chars
      this.linkWords += words
    }
    return within
  }

  /** Adds the counts of a block or a part. */
  sum(other: Counts): void {
    this.chars += other.chars
    this.words += other.words
    this.linkChars += other.linkChars
    this.linkWords += other.linkWords
    this.commas += other.commas
    this.stops += other.stops
    this.digits += other.digits
    this.uppers += other.uppers
    this.money += other.money
    this.blocks += other.blocks
    this.paragraphs += other.paragraphs
  }

  /** The share of characters in links, from 0 to 1. */
  get linked(): number {
    return this.chars === 0 ? 0 : this.linkChars / this.chars
  }
}

const OTHER = 0
const BLANK = 1
const LETTER = 2
const UPPER = 3
const DIGIT = 4
const COMMA = 5
const STOP = 6
const MONEY = 7
/** A character inside words, such as an apostrophe. */
const JOIN = 8
/** A character of a script without spaces between words. */
const GLYPH = 9

const ascii = new Uint8Array(128)
for (let i = 0; i <= 32; i++) ascii[i] = BLANK
for (let i = 48; i <= 57; i++) ascii[i] = DIGIT
for (let i = 65; i <= 90; i++) ascii[i] = UPPER
for (let i = 97; i <= 122; i++) ascii[i] = LETTER
for (const char of ",;") ascii[char.charCodeAt(0)] = COMMA
for (const char of ".!?:") ascii[char.charCodeAt(0)] = STOP
for (const char of "'_") ascii[char.charCodeAt(0)] = JOIN
ascii[36] = MONEY

const commas = new Set("、，；،؛".split("").map((char) => char.charCodeAt(0)))
const stops = new Set("。！？：．؟।…".split("").map((char) => char.charCodeAt(0)))

const kindOf = (char: number): number => {
  if (char < 0x2e80) {
    if (char === 0xa0 || (char >= 0x2000 && char <= 0x200b) || char === 0x2028) return BLANK
    if (char === 0x2019 || char === 0xad) return JOIN
    if ((char >= 0xa2 && char <= 0xa5) || (char >= 0x20a0 && char <= 0x20cf)) return MONEY
    if (char > 0xbf && char < 0x2000) return commas.has(char) ? COMMA : stops.has(char) ? STOP : LETTER
    return stops.has(char) ? STOP : OTHER
  }
  if (commas.has(char)) return COMMA
  if (stops.has(char)) return STOP
  if (char === 0x3000 || char === 0xfeff) return BLANK
  if (char >= 0x3040 && char <= 0x9fff) return GLYPH
  if (char >= 0xac00 && char <= 0xd7af) return LETTER
  return char >= 0xff00 && char <= 0xffef ? OTHER : LETTER
}
