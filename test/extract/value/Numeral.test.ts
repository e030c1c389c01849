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
