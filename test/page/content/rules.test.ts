import { expect, test } from "vitest"
import { chooseByRules } from "#page/content/chooseByRules"
import { readDom } from "#page/content/readDom"
import * as Dom from "#page/Dom"

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

test("links to the next and the previous page are left out, whatever their part is called", () => {
  const links = "Next: <a href=1>Types</a>, Previous: <a href=2>The Basics</a>, Up: <a href=3>Using mills</a>"
  expect(kept(`<div class=header><p>${links}</p></div><h3>An Example</h3><p>${words}</p>`)).toEqual([
    "An Example",
    words
  ])
  const banner = "<div class=header><h1><a href=1>An Example</a></h1></div>"
  expect(kept(`${banner}<p>Short.</p>`)).toEqual(["An Example", "Short."])
})

test("a page of contents is without the links beside it", () => {
  const nav = "<nav><a href=1>Previous chapter</a> <a href=2>Up</a> <a href=3>The next chapter</a></nav>"
  const contents =
    "<ul><li><a href=4>1. The General Public License</a><li><a href=5>2. The Documentation License</a></ul>"
  expect(kept(`${nav}${contents}${nav}`)).toEqual(["1. The General Public License", "2. The Documentation License"])
})

test("a page that is all beside is kept", () => {
  expect(kept(`<nav>Menu</nav><footer><p>${words}</p></footer>`)).toEqual(["Menu", words])
})

test("what is hidden is not kept", () => {
  expect(kept(`<p>Text</p><p hidden>Hidden</p>`)).toEqual(["Text"])
})
