import { expect, it } from "vitest"
import * as Digits from "#engine/jsonSchema/Digits"

it("a number is written with as many digits as its column has", () => {
  expect(Digits.fixed(12.5, 2)).toBe("12.50")
  expect(Digits.fixed(-0.5, 2)).toBe("-0.50")
  expect(Digits.fixed(-0, 2)).toBe("0.00")
  expect(Digits.fixed(7, 0)).toBe("7")
  expect(Digits.fixed(1e-7, 8)).toBe("0.00000010")
  expect(Digits.fixed(1e21, 1)).toBe("1000000000000000000000.0")
  expect(Digits.fixed(1.005, 2)).toBeUndefined()
  expect(Digits.fixed(Number.NaN, 2)).toBeUndefined()
})

it("a multiple is one in decimal digits, not in doubles", () => {
  expect(Digits.isMultiple(19.99, 0.01)).toBe(true)
  expect(Digits.isMultiple(1e14 + 0.01, 0.01)).toBe(true)
  expect(Digits.isMultiple(0.00751, 0.0001)).toBe(false)
  expect(Digits.isMultiple(1e308, 0.5)).toBe(true)
  expect(Digits.isMultiple(4.5, 1.5)).toBe(true)
  expect(Digits.isMultiple(1, 0)).toBe(false)
  expect(Digits.scaleOf(1e-8)).toBe(8)
})
