/**
 * Counts of a text: characters, words, punctuation, and how much of it is in links.
 *
 * Guarantee: texts of the same length in any script have about the same counts. A character counts as the Latin letters that say as
 * much, and scripts without spaces between words have a word for every five of these.
 */
export class Counts {
  /** Characters other than white space, in Latin letters. */
  chars = 0
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
  /** The letters of scripts without spaces. */
  private unspaced = 0

  /** Counts a text. `inWord`: the text before ended inside a word. Returns whether this text does. */
  add(value: string, linked: boolean, inWord: boolean): boolean {
    let within = inWord
    let chars = 0
    let words = 0
    let phrases = false
    for (let i = 0; i < value.length; i++) {
      const char = value.charCodeAt(i)
      const is = kinds[char] || learn(char)
      // Most characters of most texts are letters and blanks.
      if (is === LETTER) {
        chars++
        if (!within) words++
        within = true
        continue
      }
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
        case SYLLABLE:
          chars += lettersOf(is) - 1
          if (!within) words++
          within = true
          break
        case DIGIT:
          this.digits++
          if (!within) words++
          within = true
          break
        case THAI:
          // Thai and Lao have no other mark between sentences than a blank.
          if (phrases && isBlank(value.charCodeAt(i - 1))) this.stops++
          phrases = true
          words += this.glyph(is)
          within = false
          break
        case IDEOGRAPH:
        case KANA:
        case GLYPH:
          chars += lettersOf(is) - 1
          words += this.glyph(is)
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

  /** Counts a character of a script without spaces. Returns 1 where a word is complete to its half, otherwise 0. */
  private glyph(kind: number): number {
    const before = Math.round(this.unspaced / wordLength)
    this.unspaced += lettersOf(kind)
    return Math.round(this.unspaced / wordLength) - before
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

const BLANK = 1
const LETTER = 2
const UPPER = 3
const DIGIT = 4
const COMMA = 5
const STOP = 6
const MONEY = 7
/** A character inside words, such as an apostrophe. */
const JOIN = 8
/** Scripts without spaces: Chinese characters, Japanese syllables, Thai and Lao, and others. */
const IDEOGRAPH = 9
const KANA = 10
const THAI = 11
const GLYPH = 12
/** A Korean syllable. */
const SYLLABLE = 13
const OTHER = 14

/** How many Latin letters say as much as a character. From manuals in several languages. */
const lettersOf = (kind: number): number => (kind === IDEOGRAPH ? 3 : kind === KANA ? 1.5 : kind === SYLLABLE ? 2.3 : 1)

/** The mean length of an English word. */
const wordLength = 5

const patterns: ReadonlyArray<readonly [is: RegExp, kind: number]> = [
  [/[\s\p{Cc}]/u, BLANK],
  [/['_\u2019\p{Cf}]/u, JOIN],
  [/[,;،؛՝፣፤၊、，；､᠂]/u, COMMA],
  [/[.!?:…։؟۔।॥။។៕།።፧᠃。！？：．｡]/u, STOP],
  [/\p{Sc}/u, MONEY],
  [/\p{Nd}/u, DIGIT],
  [/\p{Lu}/u, UPPER],
  [/\p{sc=Han}/u, IDEOGRAPH],
  [/[\p{sc=Hira}\p{sc=Kana}ー]/u, KANA],
  [/\p{sc=Hang}/u, SYLLABLE],
  [/[\p{sc=Thai}\p{sc=Laoo}]/u, THAI],
  [/[\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u, GLYPH],
  [/[\p{L}\p{M}\p{N}]/u, LETTER]
]

/** The kinds of characters that were seen so far. */
const kinds = new Uint8Array(65_536)

const learn = (code: number): number => {
  const char = String.fromCharCode(code)
  const kind = patterns.find(([is]) => is.test(char))?.[1] ?? OTHER
  kinds[code] = kind
  return kind
}

const isBlank = (char: number): boolean => (kinds[char] || learn(char)) === BLANK

/** Whether a text that ends with a character ends a sentence. A paragraph in a script without full stops does. */
export const endsSentence = (last: number, isParagraph: boolean): boolean => {
  const kind = kinds[last] || learn(last)
  return kind === STOP ? !endsColon(last) : kind === THAI && isParagraph
}

export const endsColon = (last: number): boolean => last === 0x3a || last === 0xff1a
