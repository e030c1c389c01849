import { expect, it, test } from "vitest"
import { Page } from "#extract/page/Page"
import { classNames, dataOf, read } from "#extract/read/shown/Classes"
import { elements, parse } from "#page/Dom"
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

const first = (html: string) => {
  const [element] = elements(parse(html))
  if (element === undefined) throw new Error("none")
  return element
}

it.each([
  ["price", ["price"]],
  ["product-card__price--sale", ["price"]],
  ["price_color", ["price color"]],
  ["authorName", ["author name"]],
  ["Rating_stars__3xYz2", ["rating stars"]],
  ["text-sm md:flex css-1x2y3z col-6 w-1/2", []],
  ["item wrapper content", []],
  ["name sku brand", ["name", "sku"]]
])("the class %j names %j", (written, names) => {
  expect(classNames(first(`<i class="${written}">`))).toEqual(names)
})

it("data attributes are read by their names, those of scripts and tests are not", () => {
  expect(
    dataOf(first('<i data-price="5" data-product-id=7 data-toggle=x data-testid=y data-json="{}" data-empty="">')).map(
      ([name, value]) => [name, value]
    )
  ).toEqual([
    ["price", "5"],
    ["product-id", "7"]
  ])
})
