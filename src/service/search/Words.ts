/**
 * Text as the words that an index counts: folded, so that one word written in two ways is one.
 *
 * The law: the index and the questions asked of it go through the same function, on every database; a word is letters
 * and digits only, without a blank, so that it can stand in any query language. Scripts that set no blanks are read
 * letter by letter.
 */

/** Words of a text, in order, at most `most` of them. */
export const wordsOf = (text: string, most = Number.POSITIVE_INFINITY): ReadonlyArray<string> => {
  const words: Array<string> = []
  for (const [word] of folded(text).matchAll(pattern)) {
    if (words.length >= most) break
    words.push(singular(word.length > mostLetters ? word.slice(0, mostLetters) : word))
  }
  return words
}

/** What people type between the words that they mean. */
export const isDull = (word: string): boolean => dull.has(word)

/** Whether a word is one letter of a script that sets no blanks. */
export const isDense = (word: string): boolean => dense.test(word)

const dull = new Set(
  "the a an and or of to in on for with by from at is are was be as it this that all any each every find get give show list me their its what which who how do doe can i you your my we when where why there will data information page please".split(
    " "
  )
)

const denseScripts = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}ー"
const dense = new RegExp(`^[${denseScripts}]`, "u")
const pattern = new RegExp(`[${denseScripts}]|(?:(?![${denseScripts}])[\\p{L}\\p{N}\\p{M}])+`, "gu")

/** No language has longer words that anybody types. */
const mostLetters = 64

const folded = (text: string): string => {
  const plain = text.toLowerCase()
  if (isAscii(plain)) return plain
  return plain
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
}

// Control characters are part of what ASCII is.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is meant
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

const singular = (word: string): string => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)
