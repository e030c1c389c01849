import { expect, it } from "vitest"
import { classNames, dataOf } from "#extract/read/shown/Classes"
import { elements, parse } from "#page/Dom"

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
