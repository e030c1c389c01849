import { expect, it } from "vitest"
import { isAddressName, isRelative, shortName, shortNames, tokens } from "#extract/page/Names"

it.each([
  ["https://schema.org/Product", "Product"],
  ["http://purl.org/goodrelations/v1#Offer", "Offer"],
  ["schema:name", "name"],
  ["https://schema.org/Thing/", "Thing"],
  ["name", "name"],
  ["Opening hours: all day", "Opening hours: all day"]
])("the short name of %s is %s", (name, short) => {
  expect(shortName(name)).toBe(short)
})

it("the short name of a name of nothing but slashes is known in time that grows with it", () => {
  expect(shortName(`${"/".repeat(300_000)}x`)).toBe("x")
})

it("a list of names is split at white space, each once", () => {
  expect(shortNames(" http://a.test/x\n y  x ")).toEqual(["x", "y"])
  expect(tokens(undefined)).toEqual([])
  // A blank that is no white space of HTML belongs to the name.
  expect(tokens("a\u00a0b")).toEqual(["a\u00a0b"])
})

it("names of addresses and addresses that lead from the page are known", () => {
  expect(["url", "thumbnailUrl", "name", "Url"].map(isAddressName)).toEqual([true, true, false, false])
  expect(["/a", "../a", "#a", "a/b", "a.png", "www.a.test/b", "https://a.test", "two words"].map(isRelative)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false
  ])
})
