import { describe, expect, it } from "vitest"
import * as Price from "#extract/value/Price"

describe("Price", () => {
  it.each([
    ["£1.299,00", 1299, "GBP"],
    ["1 299,00 €", 1299, "EUR"],
    ["US$ 12", 12, "USD"],
    ["12€50", 12.5, "EUR"],
    ["1 234 руб. 50 коп.", 1234.5, "RUB"],
    ["12,50 Euro", 12.5, "EUR"],
    ["12.8万円", 128_000, "JPY"],
    ["350万元起", 3_500_000, "CNY"],
    ["15만원", 150_000, "KRW"],
    ["2 หมื่นบาท", 20_000, "THB"],
    ["新台幣 1,200 元", 1200, "TWD"],
    ["港幣1,200元", 1200, "HKD"],
    ["3,000円から", 3000, "JPY"],
    ["1 000 دينار جزائري", 1000, "DZD"],
    ["1,5 млн руб.", 1_500_000, "RUB"],
    ["$1,190.00 AUD", 1190, "AUD"],
    ["CHF 1'049.95", 1049.95, "CHF"],
    ["423.923 KD", 423.923, "KWD"],
    ["-30% 69,99 EUR", 69.99, "EUR"],
    ["١٬٢٣٤٫٥٠ ر.س", 1234.5, "SAR"],
    ["د.إ 49.99", 49.99, "AED"],
    ["KSh 1,500", 1500, "KES"],
    ["￥1,299元", 1299, "CNY"],
    ["￥1,299", 1299, "JPY"],
    ["99 kr", 99, undefined],
    ["19.99", 19.99, undefined]
  ])("%s is %d %s", (text, amount, currency) => {
    expect(Price.parse(text)).toMatchObject({ amount })
    expect(Price.parse(text)?.currency).toBe(currency)
  })

  it.each([
    ["4 bed house for sale - £725,000", 725_000, "GBP"],
    ["Maison T4/F4 117 m² 570000 € Castelnau (34170)", 570_000, "EUR"],
    ["300.000 VND", 300_000, "VND"],
    ["Was $120.00 Now $60.00", 60, "USD"],
    ["Now only $60.00, was $120.00", 60, "USD"],
    ["Statt 89,90 € nur 59,90 €", 59.9, "EUR"],
    ["De R$ 120,00 por R$ 60,00", 60, "BRL"],
    ["Save $20.00: now $60.00", 60, "USD"],
    ["4 x $30.00 or $110.00", 110, "USD"],
    ["12 monthly payments of £30, or £320", 320, "GBP"],
    ["Deposit £200, price £1,500", 1500, "GBP"],
    ["3 bedroom flat, £1,200 pcm, deposit £1,384", 1200, "GBP"],
    ["Was: $124.95 Now: $0.00", 124.95, "USD"],
    ["2 for £10", 10, "GBP"]
  ])("is the number beside the currency that is neither former nor a part: %s is %d %s", (text, amount, currency) => {
    expect(Price.parse(text)).toMatchObject({ amount, currency })
  })

  it("says what a lone sum is where the words beside it say that it is no price", () => {
    expect(Price.parse("Monthly repayments £3,170")).toMatchObject({ amount: 3170, role: "part" })
    expect(Price.parse("£20 off")).toMatchObject({ amount: 20, role: "saving" })
    expect(Price.parse("RRP: £89")).toMatchObject({ amount: 89, role: "former" })
    expect(Price.parse("the deposit for your £89 lamp")?.role).toBeUndefined()
  })

  it("takes what the page names for a sign that many share", () => {
    expect(Price.parse("99 kr", { currency: "SEK" })?.currency).toBe("SEK")
    expect(Price.parse("$5", { currency: "CAD" })?.currency).toBe("CAD")
    expect(Price.parse("$5", { currency: "EUR" })?.currency).toBe("USD")
  })

  it("keeps both ends of a range", () => {
    expect(Price.parse("£30,000 - £35,000")).toMatchObject({ amount: 30_000, upTo: 35_000 })
    expect(Price.parse("From 26 to 50 €")).toMatchObject({ amount: 26, upTo: 50 })
  })

  it("says both ends of a range in the scale of the upper", () => {
    expect(Price.parse("Rp 4,5 - 6 juta")).toMatchObject({ amount: 4_500_000, upTo: 6_000_000 })
    expect(Price.parse("2 à 3 Mio. €")).toMatchObject({ amount: 2_000_000, upTo: 3_000_000 })
    expect(Price.parse("€500 - 1.2M")).toMatchObject({ amount: 500, upTo: 1_200_000 })
  })

  it("is one of China where the sign of China and Japan has cents, and the page names no currency", () => {
    expect(Price.parse("¥129.00")?.currency).toBe("CNY")
    expect(Price.parse("¥129")?.currency).toBe("JPY")
    expect(Price.parse("¥129.00", { currency: "JPY" })?.currency).toBe("JPY")
  })

  it("has its cents behind the sign, apart too", () => {
    expect(Price.parse("12 € 50")).toMatchObject({ amount: 12.5, whole: true })
    expect(Price.parse("12 € 50 Stück")).toMatchObject({ amount: 12 })
  })

  it("knows whether a text says a price and nothing else", () => {
    expect(Price.parse("£42,000 a year")?.whole).toBe(true)
    expect(Price.parse("ask for 3 pounds of tea")?.whole).toBe(false)
  })

  it("has none where no number stands, and 0 where it is free", () => {
    expect(Price.parse("on request")).toBeUndefined()
    expect(Price.parse("Free!")).toEqual({ amount: 0, whole: true })
  })

  it("is none of nothing and of the number of an article", () => {
    expect(["0", "0,00 €", "$0.00", "EUR 0", "4006381333931", "Tel. 1234567890"].map(Price.isNone)).not.toContain(false)
    expect(["$0", "0 €", "free", "10", "0.50", "Rp 1500000000", "123,456,789,012"].map(Price.isNone)).not.toContain(
      true
    )
  })
})
