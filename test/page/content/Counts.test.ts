import { expect, test } from "vitest"
import { Counts } from "#page/content/Counts"

const countsOf = (...texts: ReadonlyArray<string>): Counts => {
  const counts = new Counts()
  let inWord = false
  for (const text of texts) inWord = counts.add(text, false, inWord)
  return counts
}

test("words, marks, digits and signs of money are counted", () => {
  const { chars, commas, digits, money, stops, uppers, words } = countsOf("Tea, 12 cups: €3.")
  expect({ chars, commas, digits, money, stops, uppers, words }).toEqual({
    chars: 14,
    commas: 1,
    digits: 3,
    money: 1,
    stops: 2,
    uppers: 1,
    words: 4
  })
})

test("a word that tags cut in two is one word", () => {
  expect(countsOf("Mill", "race runs").words).toBe(2)
  expect(countsOf("don't rock’n’roll").words).toBe(2)
})

test("scripts without blanks have a word for two characters", () => {
  expect(countsOf("日本語の文章。").words).toBe(3)
  expect(countsOf("한국어 문장").words).toBe(2)
})

test("text in links is counted apart", () => {
  const counts = new Counts()
  counts.add("read ", false, false)
  counts.add("more", true, false)
  expect([counts.linkWords, counts.linkChars, counts.linked]).toEqual([1, 4, 0.5])
})
