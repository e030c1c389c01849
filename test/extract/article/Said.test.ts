import { expect, it } from "vitest"
import { isBeside, textOf, thingIn } from "#extract/article/Said"
import { elements, parse } from "#page/Dom"
import { thing } from "../offered.ts"

it("what a thing says is its first text of a name that is not empty", () => {
  const article = thing({ headline: [" ", " The mill "], publisher: { name: "Valley News" } })

  expect(textOf(article, "headline")?.text).toBe("The mill")
  expect(textOf(article, "publisher")).toBeUndefined()
  expect(textOf(thingIn(article, "publisher"), "name")?.text).toBe("Valley News")
  expect(textOf(undefined, "name")).toBeUndefined()
})

it.each([
  ["<div class='comments'><b>x</b></div>", true],
  ["<article class='comment-body'><b>x</b></article>", true],
  ["<div id=related-posts><b>x</b></div>", true],
  ["<blockquote><b>x</b></blockquote>", true],
  ["<div class='newsletter-post post'><b>x</b></div>", false],
  ["<div class='elementor-widget'><b>x</b></div>", false],
  ["<div class=sidebar><article><b>x</b></article></div>", false],
  ["<aside class=post-meta><b>x</b></aside>", false]
])("what stands in %s is beside the article: %s", (html, is) => {
  const inner = elements(parse(html)).find(({ name }) => name === "b")

  expect(inner === undefined ? undefined : isBeside(inner)).toBe(is)
})
