import { describe, expect, it } from "vitest"
import { cellOfJson, cellOfText, jsonText, plainText } from "#connectors/file/format/cellText"
import type { ColumnType } from "#engine/Column"
import { parseJson } from "#engine/parseJson"

const cells: ReadonlyArray<readonly [type: ColumnType, cell: unknown, text: string, json: string]> = [
  [{ _tag: "DOUBLE" }, 5, "5.0", "5.0"],
  [{ _tag: "DOUBLE" }, -0, "-0.0", "-0.0"],
  [{ _tag: "DOUBLE" }, 1e300, "1e+300", "1e+300"],
  [{ _tag: "DOUBLE" }, Number.NaN, "NaN", '"NaN"'],
  [{ _tag: "DOUBLE" }, Number.NEGATIVE_INFINITY, "-Infinity", '"-Infinity"'],
  [{ _tag: "BIGINT" }, 2n ** 63n - 1n, "9223372036854775807", "9223372036854775807"],
  [{ _tag: "DECIMAL", precision: 18, scale: 2 }, "-0.01", "-0.01", '"-0.01"'],
  [{ _tag: "DATE" }, "0001-01-01", "0001-01-01", '"0001-01-01"'],
  [{ _tag: "TIMESTAMP" }, 1_000_001n, "1970-01-01T00:00:01.000001Z", '"1970-01-01T00:00:01.000001Z"'],
  [{ _tag: "TIMESTAMP" }, 253_402_300_800_000_000n, "+010000-01-01T00:00:00Z", '"+010000-01-01T00:00:00Z"'],
  [{ _tag: "TIMESTAMP" }, -62_200_000_000_000_000n, "-000002-12-17T14:13:20Z", '"-000002-12-17T14:13:20Z"'],
  [{ _tag: "JSON" }, { a: [1, null, "ü"] }, '{"a":[1,null,"ü"]}', '{"a":[1,null,"ü"]}']
]

describe("a cell and its text", () => {
  for (const [type, cell, text, json] of cells) {
    it(`${type._tag} ${text} is read back as it was`, () => {
      expect(plainText(type)(cell)).toBe(text)
      expect(cellOfText(type)(text)).toEqual(cell)
      expect(jsonText(type)(cell)).toBe(json)
      expect(cellOfJson(type)(parseJson(json))).toEqual(cell)
    })
  }

  it("a list has null where an item is, and whole numbers keep their digits inside of structs", () => {
    const type: ColumnType = {
      _tag: "LIST",
      of: {
        name: "item",
        nullable: true,
        type: { _tag: "STRUCT", fields: [{ name: "n", type: { _tag: "BIGINT" }, nullable: true }] }
      }
    }

    const json = jsonText(type)([null, { n: 2n ** 53n + 1n }, {}])
    expect(json).toBe('[null,{"n":9007199254740993},{"n":null}]')
    expect(cellOfJson(type)(parseJson(json))).toEqual([null, { n: 2n ** 53n + 1n }, { n: null }])
  })

  it("a cell that is not a value of its type is refused", () => {
    expect(() => plainText({ _tag: "BIGINT" })(1.5)).toThrow("a number is not a valid BIGINT: 1.5")
    expect(() => jsonText({ _tag: "VARCHAR" })(7)).toThrow("a number is not a valid VARCHAR: 7")
    expect(() => plainText({ _tag: "DATE" })("2025-02-30")).toThrow("not a valid DATE")
  })

  it("half a surrogate pair is U+FFFD in JSON, which its readers take", () => {
    expect(jsonText({ _tag: "VARCHAR" })("cut \ud83d")).toBe('"cut \ufffd"')
    expect(jsonText({ _tag: "JSON" })(["\ud83d"])).toBe('["\ufffd"]')
  })

  it("a number of a JSON column keeps all of its digits", () => {
    const json = '{"a":9007199254740993,"b":[1e400]}'
    expect(jsonText({ _tag: "JSON" })(cellOfJson({ _tag: "JSON" })(parseJson(json)))).toBe(json)
  })
})
