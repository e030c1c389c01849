/**
 * Text as the words that an index counts: folded, so that one word written in two ways is one.
 *
 * The index and the queries use the same function, on every database. A word has letters and digits only, without a
 * blank, so it can stand in any query language. Scripts whose words have no blanks between them, or
 * have endings joined to them, are read letter by letter.
 */

/** Words of a text, in order, at most `most` of them. */
export const wordsOf = (text: string, most = Number.POSITIVE_INFINITY): ReadonlyArray<string> => {
  const plain = text.toLowerCase()
  const words = isAscii(plain) ? plain.match(/[a-z0-9]+/g) : marked(plain)
  return (words ?? []).slice(0, most).map(singular)
}

/** Words of any script as they are written: in lower case, without accents. */
export const wordsIn = (text: string): ReadonlyArray<string> => {
  const plain = folded(text)
  const words: Array<string> = []
  eachWord(plain, (from, to) => words.push(plain.slice(from, to)))
  return words
}

/** In lower case, without accents and in plain letters. */
export const folded = (text: string): string => {
  const lower = text.toLowerCase()
  return hasMarks.test(lower)
    ? plainLetters(
        lower
          .normalize("NFKD")
          .replace(/\p{M}+/gu, "")
          .toLowerCase()
      )
    : lower
}

/**
 * Letters that Unicode does not take apart: "Zażółć", "ığdır", which is IĞDIR in capitals, "Straße", which is STRASSE, and the
 * sigma at the end of a word.
 */
const plainLetters = (text: string): string => text.replaceAll(/[ıłđøħßæœς]/g, (letter) => plainOf[letter] ?? letter)
const plainOf: Readonly<Record<string, string>> = {
  ı: "i",
  ł: "l",
  đ: "d",
  ø: "o",
  ħ: "h",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ς: "σ"
}

/** Tells where each word of a folded text begins and ends. Texts are read whole for every query, so it makes no strings. */
export const eachWord = (plain: string, tell: (from: number, to: number) => void): void => {
  let from = -1
  for (let at = 0; at < plain.length; at++) {
    if (isWordCode(plain.charCodeAt(at))) {
      if (from < 0) from = at
    } else if (from >= 0) {
      tell(from, at)
      from = -1
    }
  }
  if (from >= 0) tell(from, plain.length)
}

/** Halves of a pair count as letters: what they make is in no other script's words. */
const isWordCode = (code: number): boolean => {
  const known = codes[code]
  if (known !== undefined && known !== 0) return known === 1
  const isOne = /[\p{L}\p{N}\p{Cs}]/u.test(String.fromCharCode(code))
  codes[code] = isOne ? 1 : 2
  return isOne
}

/** By code: 1 a letter or a digit, 2 neither, 0 not looked at yet. */
const codes = new Uint8Array(65_536)

/** Letters and signs that may have another form; not the punctuation of Latin texts. */
const hasMarks = /[\u00aa\u00b2\u00b3\u00b9\u00ba\u00bc-\u00be\u00c0-\u200f\u203f-\uffff]/

/** Whether a word is one letter of a script whose texts are read letter by letter. */
export const isDense = (word: string): boolean => dense.test(word)

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese; and Korean, which sets blanks and joins endings to its words. */
const denseScripts = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => `\\p{Script=${script}}`)
  .join("")
  .concat("ー")
const dense = new RegExp(`^[${denseScripts}]`, "u")
const anyDense = new RegExp(`[${denseScripts}]`, "u")
const parts = new RegExp(`[${denseScripts}]\\p{M}*|[^${denseScripts}]+`, "gu")

/** Words of any script, without the accents of Latin, Greek and Cyrillic ones and the vowels of Hebrew and Arabic. */
const marked = (text: string): ReadonlyArray<string> | null => {
  const folded = plainLetters(
    text
      .normalize("NFKD")
      .replace(/[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u0655\u0670\u0640]+/g, "")
      .normalize("NFC")
  )
  const words = folded.match(/[\p{L}\p{N}\p{M}]+/gu)
  return words === null || !anyDense.test(folded) ? words : words.flatMap((word) => word.match(parts) ?? [])
}

/** No language has longer words that anybody types. */
const maxLetters = 64

const isAscii = (text: string): boolean => !/[^\p{ASCII}]/u.test(text)

/** Without the s of a plural. */
export const singular = (word: string): string => {
  const short = word.length > maxLetters ? word.slice(0, maxLetters) : word
  return short.length > 3 && short.endsWith("s") && !short.endsWith("ss") ? short.slice(0, -1) : short
}

/** With its first letter as a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
