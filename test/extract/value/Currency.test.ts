import { describe, expect, it } from "vitest"
import * as Currency from "../../../src/extract/value/Currency.ts"

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
})
