import { expect, test } from "vitest"
import { hintNames, hintsOf } from "#page/contentHints"

const namesIn = (names: string): ReadonlyArray<string> => {
  const hints = hintsOf(names)
  return hintNames.filter((_, bit) => ((hints >> bit) & 1) === 1)
}

test("words of classes are hints, however they are written", () => {
  expect(namesIn("site-footer")).toEqual(["footer"])
  expect(namesIn("siteFooter dark")).toEqual(["footer"])
  expect(namesIn("post__content")).toEqual(["content"])
})

test("a name without a known word says nothing", () => {
  expect(namesIn("css-1x2y3z")).toEqual([])
})

test("a name too long to be one is not read", () => {
  expect(hintsOf(`footer ${"x".repeat(500)}`)).toBe(0)
})

test("no two hints share a bit", () => {
  expect(hintNames.length).toBeLessThan(32)
  expect(new Set(hintNames).size).toBe(hintNames.length)
})
