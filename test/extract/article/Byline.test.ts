import { describe, expect, it } from "vitest"
import { authorsIn } from "../../../src/extract/article/Byline.ts"

describe("Byline", () => {
  it.each([
    ["By Ada Stone", ["Ada Stone"]],
    ["By Ada Stone and Bo Wood, March 3, 2026", ["Ada Stone", "Bo Wood"]],
    ["Von Ada Stein und Bo Holz", ["Ada Stein", "Bo Holz"]],
    ["Par Ada Pierre (avec Bo Bois)", ["Ada Pierre"]],
    ["Written by: Ada Stone | Site News", ["Ada Stone"]],
    ["Ada Stone, Ada Stone", ["Ada Stone"]],
    ["By Ada Stone, AP Science Writer", ["Ada Stone"]],
    ["Ada Stone, MD, PhD", ["Ada Stone"]],
    ["By Ada Stone\nMay 3, 2026", ["Ada Stone"]],
    ["PTI", ["PTI"]],
    ["作者：石文", ["石文"]],
    ["Updated at 10:30", []],
    ["ada@site.test", []],
    ["", []]
  ])("%s names %j", (line, names) => {
    expect(authorsIn(line)).toEqual(names)
  })
})
