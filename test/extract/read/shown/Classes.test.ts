import { expect, test } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/shown/Classes"
import { pairs } from "../outline.ts"

const properties = (html: string) => read(new Page(html, "https://site.test/"))

test("a short text is named by its class, a link also by its relation", () => {
  const found = properties(
    "<p class=price>5 <b>EUR</b></p><a rel=author href=/jo>Jo</a><div class=price><p>no leaf</p></div>"
  )

  expect(pairs(found)).toEqual({ price: "5 EUR", author: "Jo" })
  expect(found[1]?.value).toMatchObject({ href: "https://site.test/jo" })
})

test("a point in time is a date, as its attribute says it", () => {
  expect(pairs(properties("<time datetime=2024-05-01>May</time>"))).toEqual({ date: "2024-05-01" })
  expect(pairs(properties("<time class=published>May 1, 2024</time>"))).toEqual({
    date: "May 1, 2024",
    published: "May 1, 2024"
  })
})

test("what is hidden or leads through the site is left out", () => {
  expect(properties("<p class=price hidden>5</p><nav><b class=price>5</b></nav>")).toEqual([])
})
