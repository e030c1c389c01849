import { expect, test } from "vitest"
import { Attributes } from "#page/Attributes"

test("the first of two equal names counts, references are decoded, and clearing forgets all", () => {
  const attributes = new Attributes()
  attributes.add("a", "1 &lt; 2")
  attributes.add("a", "3")
  attributes.add("b", "")
  expect([attributes.length, attributes.get("a"), attributes.get("b"), attributes.get("c")]).toEqual([
    2,
    "1 < 2",
    "",
    undefined
  ])
  attributes.clear()
  expect([attributes.length, attributes.get("a"), attributes.has("b")]).toEqual([0, undefined, false])
})

test("a tag has a limited number of attributes", () => {
  const attributes = new Attributes()
  for (let i = 0; i < 1000; i++) attributes.add(`a${i}`, "")
  expect(attributes.length).toBe(64)
})
