import { describe, expect, it } from "vitest"
import { jsonOf } from "#engine/cellValue"

describe("the JSON text of a cell", () => {
  it("has U+FFFD for half a surrogate pair, in values and in names", () => {
    expect(jsonOf({ "\ud800": ["\ud83d", "\udfff\udfff", "a\\\ud83d"] })).toBe(
      '{"\ufffd":["\ufffd","\ufffd\ufffd","a\\\\\ufffd"]}'
    )
  })

  it("keeps whole pairs, and a backslash that such letters follow", () => {
    const cell = ["😀", "\\ud83d", "\\\\ud83d", "\ud83d\ude00", "ud83d"]
    expect(jsonOf(cell)).toBe(JSON.stringify(cell))
  })

  it("is undefined where JSON has no such value", () => {
    expect(jsonOf(undefined)).toBeUndefined()
  })
})
