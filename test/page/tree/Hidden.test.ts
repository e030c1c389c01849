import { expect, test } from "vitest"
import { kindOf } from "#page/Elements"
import { canBeContent, NOSCRIPT, SHOWN, veilOf } from "#page/tree/Hidden"

const veil = (name: string, attributes: Record<string, string>) => veilOf(name, new Map(Object.entries(attributes)))

test("an element is hidden by an attribute, by its style, or from those who listen", () => {
  const veils = [{ hidden: "" }, { style: "color: red; display: none" }, { "aria-hidden": "true" }].map((attributes) =>
    veil("div", attributes)
  )
  // Each has a name of its own.
  expect(new Set([...veils, SHOWN, NOSCRIPT]).size).toBe(5)
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
