import { expect, test } from "vitest"
import { kindOf } from "#page/Elements"
import { ARIA, canBeContent, HIDDEN, SHOWN, STYLE, veilOf } from "#page/tree/Hidden"

const veil = (name: string, attributes: Record<string, string>) => veilOf(name, new Map(Object.entries(attributes)))

test("an element is hidden by an attribute, by its style, or from those who listen", () => {
  expect(veil("div", { hidden: "" })).toBe(HIDDEN)
  expect(veil("div", { style: "color: red; display: none" })).toBe(STYLE)
  expect(veil("div", { "aria-hidden": "true" })).toBe(ARIA)
})

test("what a search in the page would find is shown, and so is a page, whatever it says", () => {
  expect(veil("div", { hidden: "until-found" })).toBe(SHOWN)
  expect(veil("body", { style: "visibility: hidden" })).toBe(SHOWN)
  expect(veil("div", { style: "overflow: hidden" })).toBe(SHOWN)
})

test("only a hidden block can be content: not a part of a line, nor of a table", () => {
  const can = (name: string) => canBeContent(name, kindOf(name).flags)
  expect([can("div"), can("my-page"), can("span"), can("td")]).toEqual([true, true, false, false])
})
