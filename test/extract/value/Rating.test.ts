import { describe, expect, it } from "vitest"
import * as Rating from "#extract/value/Rating"

const read = (text: string, isSaid = false) => {
  const found = Rating.parse(text, isSaid)
  return found === undefined ? undefined : [found.rating, found.count]
}

describe("a rating with how many gave one", () => {
  it.each([
    ["4.6 (1,234 reviews)", 4.6, 1234],
    ["★ 4,6 (87)", 4.6, 87],
    ["★★★★☆ 4.1 (12)", 4.1, 12],
    ["4,6 Sterne (1.087 Bewertungen)", 4.6, 1087],
    ["4,7 (1 024 отзыва)", 4.7, 1024],
    ["4.6（1,234件）", 4.6, 1234],
    ["4.8 · 1,204 ratings", 4.8, 1204],
    ["4.2 (2.1k reviews)", 4.2, undefined]
  ])("is read from %s", (text, rating, count) => {
    expect(read(text)).toEqual([rating, count])
  })

  it.each(["4.5 (12)", "4.5 (12 mm)", "3.5 · 10 miles", "Version 4.6 (12 reviews)", "12.5 (3 votes)"])(
    "is not %s, where no word and no star says so",
    (text) => {
      expect(read(text)).toBeUndefined()
    }
  )

  it("needs no word where its label says that it is one", () => {
    expect(read("4.5 (12)", true)).toEqual([4.5, 12])
  })
})
