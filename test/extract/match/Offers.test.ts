import { describe, expect, it } from "vitest"
import * as Offers from "#extract/match/Offers"
import { type Named, thing } from "../offered.ts"

const own = (named: Named) =>
  Object.fromEntries(Offers.of(thing(named))?.own.map(([name, { data }]) => [name, data]) ?? [])

describe("offers", () => {
  it("of a thing that has none or one say nothing more than it does", () => {
    expect(Offers.of(thing({ name: "Boots" }))).toBeUndefined()
    expect(Offers.of(thing({ offers: { "@type": "Offer", price: "5" } }))).toBeUndefined()
  })

  it("have the lowest price of those that can be had, with its currency", () => {
    const offers = [
      { price: "5", priceCurrency: "USD", availability: "OutOfStock" },
      { price: "9", priceCurrency: "EUR", availability: "InStock" },
      { price: "7", priceCurrency: "GBP", availability: "InStock" }
    ]

    expect(own({ offers })).toEqual({ price: "7", priceCurrency: "GBP", availability: "InStock" })
    expect(own({ offers: offers.map(({ price }) => ({ price })) })).toEqual({ price: "5" })
  })

  it("leave the price to what the thing says itself, and to what stands for all", () => {
    const offers = [{ price: "9" }, { price: "7" }]

    expect(own({ price: "8", offers })).toEqual({})
    expect(own({ offers: { "@type": "AggregateOffer", lowPrice: "6", priceCurrency: "EUR", offers } })).toEqual({
      price: "6",
      priceCurrency: "EUR"
    })
  })

  it("can be ordered before where none is in stock, whatever their order", () => {
    const offers = [{ availability: "SoldOut" }, { availability: "PreOrder" }, { availability: "BackOrder" }]

    expect(own({ offers })).toEqual({ availability: "BackOrder" })
    expect(own({ offers: offers.toReversed() })).toEqual({ availability: "BackOrder" })
  })
})
