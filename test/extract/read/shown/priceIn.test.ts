import { expect, it } from "vitest"
import { priceIn, pricesIn } from "#extract/read/shown/priceIn"

it.each([
  ["only $1,299.00 today", "$1,299.00"],
  ["1.299,00 €", "1.299,00 €"],
  ["EUR 5", "EUR 5"],
  ["US$ 20", "US$ 20"],
  ["CHF 1'200.50", "CHF 1'200.50"],
  ["249 kr", "249 kr"],
  ["12 345 zł", "12 345 zł"],
  ["¥1200", "¥1200"],
  ["9,- €", "9,- €"],
  ["5 Euro", "5 Euro"],
  ["room 5", undefined],
  ["5 krona", undefined],
  ["1.2.3 €", undefined]
])("%j has the price %j", (text, price) => {
  expect(priceIn(text)?.text).toBe(price)
})

it("all prices of a text are found with their places", () => {
  expect(pricesIn("was £10.00, now £8.50")).toEqual([
    { text: "£10.00", at: 4 },
    { text: "£8.50", at: 16 }
  ])
})

it("a text of digits ends soon", () => {
  expect(pricesIn("1".repeat(100_000))).toEqual([])
  expect(pricesIn("1,".repeat(50_000))).toEqual([])
})
