import { describe, expect, it } from "vitest"
import * as Numeral from "#extract/value/Numeral"
import { scaleBehind } from "#extract/value/Numeral"

describe("a scale", () => {
  it.each([
    ["1,5 Millionen", 1_500_000],
    ["3 Milliarden", 3e9],
    ["1,5 млн", 1_500_000],
    ["1 234,5 тыс.", 1_234_500],
    ["250 tys.", 250_000],
    ["1,5 milhão", 1_500_000],
    ["1,5 triệu", 1_500_000],
    ["Rp1,5 juta", 1_500_000],
    ["₹1.5 लाख", 150_000],
    ["2.3 crore", 23_000_000],
    ["1.5 مليون", 1_500_000],
    ["۱۲ میلیون", 12_000_000],
    ["1.5 ล้านบาท", 1_500_000],
    ["1,5 M€", 1_500_000]
  ])("multiplies the number of %s", (text, value) => {
    expect(Numeral.all(text).map((one) => one.value)).toEqual([value])
  })

  it.each([
    ["12.8万円", 128_000],
    ["3億5000万円", 350_000_000],
    ["1万2,345人", 12_345],
    ["5千万", 50_000_000],
    ["1만 5천원", 15_000],
    ["12만 3456명", 123_456],
    ["１２万円", 120_000]
  ])("counts in ten thousands and adds what is left, as in %s", (text, value) => {
    expect(Numeral.all(text).map((one) => one.value)).toEqual([value])
  })

  it("leaves another number behind it alone", () => {
    expect(Numeral.all("5万 12人").map((one) => one.value)).toEqual([50_000, 12])
  })

  it("is none where the word means something else, unless money is there", () => {
    expect(scaleBehind("3 mil", 3, 1)).toEqual({ value: 3, to: 1 })
    expect(scaleBehind("2 bin bags", 2, 1)).toEqual({ value: 2, to: 1 })
    expect(scaleBehind("R$ 2 mil", 2, 4)).toEqual({ value: 2000, to: 8 })
    expect(scaleBehind("5 km", 5, 1)).toEqual({ value: 5, to: 1 })
    expect(scaleBehind("1.2 m", 1.2, 3)).toEqual({ value: 1.2, to: 3 })
  })
})
