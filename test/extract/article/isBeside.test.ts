import { expect, it } from "vitest"
import { isBeside } from "#extract/article/Said"
import { elements, parse } from "#page/Dom"

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
