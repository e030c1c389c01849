import { describe, expect, it } from "vitest"
import * as Numeral from "#extract/value/Numeral"

describe("Numeral", () => {
  it.each([
    ["1,299.00", 1299],
    ["1.299,00", 1299],
    ["12.345", 12_345],
    ["4,50", 4.5],
    ["1 234 567,8", 1_234_567.8],
    ["1'049,95", 1049.95],
    [".75", 0.75],
    ["½", 0.5],
    ["2½", 2.5],
    ["2 ¼", 2.25],
    ["0.125", 0.125],
    ["2,144.000", 2144],
    ["1.144.000", 1_144_000],
    ["1.2M", 1_200_000],
    ["3,4 Mio.", 3_400_000],
    ["5k", 5000],
    ["12 m", 12],
    ["١٬٢٣٤٫٥٠", 1234.5],
    ["۱۲۳٬۴۵۶", 123_456],
    ["१,२३,४५६", 123_456],
    ["１，２９９", 1299]
  ])("%s is %d", (text, number) => {
    expect(Numeral.all(text).map(({ value }) => value)).toEqual([number])
  })

  it("finds several, where they stand", () => {
    expect(Numeral.all("from 26 to 50")).toEqual([
      { value: 26, from: 5, to: 7 },
      { value: 50, from: 11, to: 13 }
    ])
  })

  it("tells a minus from the dash of a range", () => {
    const isNegative = (text: string) => Numeral.all(text).map((number) => Numeral.isNegative(text, number))

    expect(isNegative("-5")).toEqual([true])
    expect(isNegative("3-5")).toEqual([false, false])
  })

  it("has no number in a version or an enumeration", () => {
    expect(["1.2.3", "1,2,3", "10.2.14"].map((text) => Numeral.parse(text))).toEqual([undefined, undefined, undefined])
  })
})

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
    expect(Numeral.all("3 mil")).toEqual([{ from: 0, value: 3, to: 1 }])
    expect(Numeral.all("2 bin bags")).toEqual([{ from: 0, value: 2, to: 1 }])
    expect(Numeral.all("R$ 2 mil")).toEqual([{ from: 3, value: 2000, to: 8 }])
    expect(Numeral.all("5 km")).toEqual([{ from: 0, value: 5, to: 1 }])
    expect(Numeral.all("1.2 m")).toEqual([{ from: 0, value: 1.2, to: 3 }])
  })
})
