/**
 * Text as the words that an index counts: folded, so that one word written in two ways is one.
 *
 * The index and the queries use the same function, on every database. A word has letters and digits only, without a
 * blank, so it can stand in any query language. Scripts without blanks are read letter by letter.
 */

/** Words of a text, in order, at most `most` of them. */
export const wordsOf = (text: string, most = Number.POSITIVE_INFINITY): ReadonlyArray<string> => {
  const plain = text.toLowerCase()
  const words = isAscii(plain) ? plain.match(/[a-z0-9]+/g) : marked(plain)
  return (words ?? []).slice(0, most).map(singular)
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
const anyDense = new RegExp(`[${denseScripts}]`, "u")
const parts = new RegExp(`[${denseScripts}]\\p{M}*|[^${denseScripts}]+`, "gu")

/** Words of any script, without the accents of Latin, Greek and Cyrillic ones. */
const marked = (text: string): ReadonlyArray<string> | null => {
  const folded = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .normalize("NFC")
  const words = folded.match(/[\p{L}\p{N}\p{M}]+/gu)
  return words === null || !anyDense.test(folded) ? words : words.flatMap((word) => word.match(parts) ?? [])
}

/** No language has longer words that anybody types. */
const maxLetters = 64

const isAscii = (text: string): boolean => !/[^\p{ASCII}]/u.test(text)

const singular = (word: string): string => {
  const short = word.length > maxLetters ? word.slice(0, maxLetters) : word
  return short.length > 3 && short.endsWith("s") && !short.endsWith("ss") ? short.slice(0, -1) : short
}
