/** How much one text says what another says, by its words. */

/** The share of the second text that stands in words of the first: 1 where it says nothing else. */
export const likeness = (first: string, second: string): number => {
  const known = new Set(wordsOf(first))
  const words = wordsOf(second)
  if (known.size === 0 || words.length === 0) return 0
  let all = words.length - 1
  let other = -1
  for (const word of words) {
    all += word.length
    if (!known.has(word)) other += word.length + 1
  }
  return 1 - Math.max(0, other) / all
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\w+/g) ?? []
