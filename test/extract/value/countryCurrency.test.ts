import { expect, it } from "vitest"
import { countryCurrency } from "#extract/pageLocale"

it.each([
  ["https://shop.ca/", "en-US", "CAD"],
  ["https://shop.com.au/", undefined, "AUD"],
  ["https://shop.com/", "en-CA", "CAD"],
  ["https://shop.com/", "zh-Hant-TW", "TWD"],
  ["https://shop.com/", "sv", "SEK"],
  ["https://shop.com/", "es", undefined],
  ["https://shop.co/", "en", undefined],
  ["https://shop.com/", undefined, undefined]
])("%s in %s is for a country of %s", (url, language, currency) => {
  expect(countryCurrency(url, language)).toBe(currency)
})
