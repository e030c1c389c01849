import { expect, test } from "vitest"
import { readDom } from "../../../src/html/content/readDom.ts"
import { chooseByRules } from "../../../src/html/content/rules.ts"
import * as Dom from "../../../src/html/Dom.ts"

const kept = (html: string): ReadonlyArray<string> => {
  const { blocks, outline } = readDom(Dom.parse(html))
  const chosen = chooseByRules(outline)
  return blocks.filter((_, i) => chosen[i] === 1).map(({ text }) => text)
}

const words = "The words of the page go on for a while. ".repeat(8).trim()

test("what is named as standing beside is left out", () => {
  expect(
    kept(`<nav>Menu</nav><p>Text of the page</p><div class=sidebar>Beside</div><div role=navigation>More</div>`)
  ).toEqual(["Text of the page"])
})

test("where main holds half of the text, what stands around it is left out", () => {
  expect(kept(`<div>Log in</div><main><p>${words}</p></main>`)).toEqual([words])
  expect(kept(`<div>Log in</div><main><p>Short.</p></main>`)).toEqual(["Log in", "Short."])
})

test("a sentence under a heading in main is the page", () => {
  const footer = `<footer><p>${words}</p></footer>`
  const main = "<main><h1>Uses of Interval</h1>No other class uses Interval.</main>"
  expect(kept(`<div>Log in</div>${main}${footer}`)).toEqual(["Uses of Interval", "No other class uses Interval."])
})

test("the rows of navigation that DocBook writes are left out", () => {
  const row = (name: string) =>
    `<div class=${name}><table><tr><td><a href=1>Prev</a><td>Chapter 3<td><a href=2>Next</a></table></div>`
  expect(kept(`${row("navheader")}<h2>pg_views</h2><p>A view.</p>${row("navfooter")}`)).toEqual(["pg_views", "A view."])
})

test("a page that is all beside is kept", () => {
  expect(kept(`<nav>Menu</nav><footer><p>${words}</p></footer>`)).toEqual(["Menu", words])
})

test("what is hidden is not kept", () => {
  expect(kept(`<p>Text</p><p hidden>Hidden</p>`)).toEqual(["Text"])
})
