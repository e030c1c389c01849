import { expect, test } from "vitest"
import { scoreParts } from "#page/content/blockFeatures"
import { readDom } from "#page/content/readDom"
import * as Dom from "#page/Dom"

const bestOf = (html: string): string | undefined => {
  const best = scoreParts(readDom(Dom.parse(html)).outline)
  return best === undefined ? undefined : best.name
}

const paragraph = "<p>Words of the article, many of them, and commas, that go on for a line or two of the page.</p>"

test("the part that holds the paragraphs is the best", () => {
  expect(bestOf(`<aside>${paragraph}</aside><section>${paragraph.repeat(3)}</section>`)).toBe("section")
})

test("a list of links is not", () => {
  const link = "<li><a href=/a>Words of a link, many of them, and commas, that go on for a line</a></li>"
  expect(bestOf(`<ul>${link.repeat(9)}</ul><section>${paragraph}</section>`)).toBe("section")
})

test("where no paragraph speaks, none is", () => {
  expect(bestOf("<div>Short</div>")).toBeUndefined()
})
