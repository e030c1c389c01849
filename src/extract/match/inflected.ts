/** The forms of a word: the singular of a plural, and the concept of the word that it is a form of. */
import { byPhrase, type Concept } from "./Concepts.ts"

/** "Zutaten", "prezzi": the plural of a known word in other languages. */
export const inflected = (word: string): Concept | undefined => {
  if (word.length < 6) return undefined
  for (const [ending, others] of endings) {
    if (!word.endsWith(ending)) continue
    const stem = word.slice(0, -ending.length)
    for (const other of others) {
      const concept = stem.length + other.length < 4 ? undefined : byPhrase.get(stem + other)
      if (concept !== undefined) return concept
    }
  }
  return undefined
}

const endings: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["en", ["", "e"]],
  ["es", ["", "e"]],
  ["er", [""]],
  ["i", ["o", "e", "a"]],
  ["e", ["", "a"]]
]

export const singular = (word: string): string => {
  if (word.length < 4 || word.endsWith("ss") || word.endsWith("us") || word.endsWith("is")) return word
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`
  return word.endsWith("s") ? word.slice(0, -1) : word
}
