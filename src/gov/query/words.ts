/**
 * The words of a query that say what it is about.
 *
 * Words are lower case letters and digits, as the index splits them. If a query has only common words, these are kept,
 * because "who may and who must" is a heading too.
 */
export const words = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .match(/[\p{L}\p{N}]+/gu) ?? []

export const telling = (text: string): ReadonlyArray<string> => {
  const all = [...new Set(words(text))]
  const some = all.filter((word) => !dull.has(word) && (word.length > 1 || /\p{N}/u.test(word)))
  return some.length > 0 ? some : all
}

export const isDull = (word: string): boolean => dull.has(word)

const dull = new Set(
  (
    "a an and are as at be been being but by can cannot could did do does doing done for from had has have having how i if in " +
    "into is it its itself just may me might must my no nor not of off on once only or other ought our ours out own per s " +
    "same shall she he her his him should so some such t than that the their theirs them then there these they this those to " +
    "too under until up upon us very was we were what when where whether which while who whom whose why will with within " +
    "without would you your yours about any anyone anybody someone somebody also am allowed allow need needs have tell find " +
    "show give say says said know want get gets got does please much many long mean means law laws legal say according " +
    "pursuant subject thereof therein thereto herein hereby hereof"
  ).split(" ")
)
