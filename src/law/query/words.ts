/**
 * The words of a query that say what it is about.
 *
 * If a query has only common words, these are kept, because "who may and who must" is a heading too.
 */
import { isDullInLaw } from "#base/dullWords"
import { wordsIn } from "#base/Words"

export const telling = (text: string): ReadonlyArray<string> => {
  const all = [...new Set(wordsIn(text))]
  const some = all.filter((word) => !isDullInLaw(word) && (word.length > 1 || /\p{N}/u.test(word)))
  return some.length > 0 ? some : all
}
