import { expect, it } from "vitest"
import * as Template from "#web/frontier/Template"

const url = new URL("https://site.test/day/3")

it("is of the words of a page, without what its row counts up and without where its links lead", () => {
  const page = (day: number) => `Day ${day} has [an agenda](https://site.test/${day}x "The agenda") of 40 points`

  expect(Template.templateOf(page(3), url)).toBe(Template.templateOf(page(4), url))
  expect(Template.templateOf(page(3), url)).not.toBe(Template.templateOf(page(3).replace("40", "41"), url))
})

it("is known in time that grows with the page, whatever begins like a link", () => {
  for (const begins of ["](", "](a](", '](a "'])
    expect(Template.templateOf(begins.repeat(200_000), url)).toMatch(/^[0-9a-f]{16}$/)
})
