import { expect, it } from "vitest"
import { languageOf } from "#extract/value/PageLocale"

it("English has the country of the address, where the page names none", () => {
  expect(languageOf("https://shop.co.uk/", "en")).toBe("en-GB")
  expect(languageOf("https://shop.com/", "en")).toBe("en")
  expect(languageOf("https://shop.co.uk/", "en-US")).toBe("en-US")
  expect(languageOf("https://shop.co.uk/", undefined)).toBeUndefined()
})
