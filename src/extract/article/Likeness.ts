/** How much one text says what another says, by its words. */
import * as Draft from "./Draft.ts"
import * as Measure from "./Measure.ts"

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

/** Whether a heading is the title of the page. */
export const isHeadingOf = (heading: Draft.Node, title: string): boolean =>
  title !== "" &&
  Measure.of(heading).length < maxHeading &&
  likeness(title, Draft.textOf(heading, maxHeading).trim()) > 0.75

const maxHeading = 1000

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\w+/g) ?? []
