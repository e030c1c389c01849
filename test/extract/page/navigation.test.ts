import { expect, it } from "vitest"
import { isFooter, isNavigation } from "#extract/page/Page"
import { elements, parse } from "#page/Dom"

const first = (html: string) => {
  const [element] = elements(parse(html))
  if (element === undefined) throw new Error("none")
  return element
}

it.each([
  ["<nav>a</nav>", true],
  ["<div role=navigation>a</div>", true],
  ["<ul class='main-menu'><li><a href=a>Home</a></ul>", true],
  ["<ol class=breadcrumb><li><a href=a>Home</a></ol>", true],
  ["<div class=menu><p>Soup of the day 5.00</p><a href=a>More</a></div>", false],
  ["<main class=nav><a href=a>a</a></main>", false],
  ["<div class=navy><a href=a>a</a></div>", false],
  ["<div>a</div>", false]
])("%s leads through the site: %s", (html, is) => {
  expect(isNavigation(first(html))).toBe(is)
})

it("the footer of an article is no footer of the page", () => {
  const footers = elements(parse("<article><footer>by me</footer></article><footer>all rights</footer>")).filter(
    ({ name }) => name === "footer"
  )

  expect(footers.map(isFooter)).toEqual([false, true])
})
