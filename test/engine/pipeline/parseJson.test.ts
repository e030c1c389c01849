import { describe, expect, it } from "vitest"
import { parseJson } from "#engine/parseJson"

describe("the value of a JSON text", () => {
  it("is written again with every digit, also of numbers that no double holds", () => {
    for (const text of [
      "12345678901234567890",
      '{"a":[9007199254740993,-9007199254740993],"b":"12345678901234567890"}',
      "[1E400,-1e+400]"
    ])
      expect(JSON.stringify(parseJson(text))).toBe(text)
  })

  it("is what JSON.parse gives where doubles hold its numbers", () => {
    for (const text of [
      "9007199254740991",
      "[0.1234567890123456,1e100,1.5,-1]",
      '{"__proto__":1234567890123456}',
      "null"
    ])
      expect(parseJson(text)).toEqual(JSON.parse(text))
  })
})
