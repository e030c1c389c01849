import { describe, expect, it } from "vitest"
import type { Candidates } from "#extract/Candidates"
import { pageLocale } from "#extract/pageLocale"
import * as Currency from "#extract/value/Currency"

describe("Currency", () => {
  it.each([
    ["€", "EUR"],
    ["£", "GBP"],
    ["R$", "BRL"],
    ["zł", "PLN"],
    ["usd", "USD"],
    ["руб.", "RUB"],
    ["MKD", "MKD"],
    ["DEM", "DEM"],
    ["btc", "BTC"],
    ["kr", undefined],
    ["xyz", undefined]
  ])("%s is %s", (mark, code) => {
    expect(Currency.codeOf(mark)).toBe(code)
  })

  it("finds marks as words of their own only", () => {
    expect(Currency.all("krone 5 kr, 3 Kč, 5EUR").map(({ text }) => text)).toEqual(["kr", "Kč", "EUR"])
    expect(Currency.all("Slate try square £31").map(({ text }) => text)).toEqual(["£"])
    expect(Currency.all("5 pln").map(({ text }) => text)).toEqual(["pln"])
    expect(Currency.all("Leise rieselt der Schnee")).toEqual([])
  })

  it("finds a code beside a number, a sign or alone, and none that is a word", () => {
    const marks = (text: string) => Currency.all(text).map(({ text: mark }) => mark)

    expect(marks("450 EGP")).toEqual(["EGP"])
    expect(marks("EGP 450")).toEqual(["EGP"])
    expect(marks("EGP")).toEqual(["EGP"])
    expect(marks("the EGP of Egypt")).toEqual([])
    expect(marks("5 ALL")).toEqual(["ALL"])
    expect(marks("TRY 149.90")).toEqual(["TRY"])
    expect(marks("TOP 10, ALL 5 colours, 2 CUP holders")).toEqual([])
  })

  it("is no word in small letters", () => {
    expect(Currency.codeOf("try")).toBeUndefined()
    expect(Currency.codeOf("TRY")).toBe("TRY")
  })

  it("is none where a word of several countries stands alone, and one norm is no sum", () => {
    expect(Currency.codeOf("دينار")).toBeUndefined()
    expect(Currency.codeOf("دينار", "IQD")).toBe("IQD")
    expect(Currency.all("Euro 6")).toEqual([])
    expect(Currency.all("회원 15명")).toEqual([])
  })
})

/** A page that names no currency. */
const silent: Candidates = {
  things: [],
  groups: [],
  page: { _tag: "Thing", types: [], source: { kind: "meta", path: "", span: [0, 0] }, properties: [] },
  isCut: false
}

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
  expect(pageLocale(url, silent, language).currency).toBe(currency)
})
