import { describe, expect, it } from "vitest"
import { authorsIn } from "#extract/value/Byline"

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
    ["By Ada Stone - Mar 27, 2024 · 5 min read", ["Ada Stone"]],
    ["Ada Stone- 2025/4/29", ["Ada Stone"]],
    ["By Ada Stone, Senior Autos Reporter, and Bo Wood, Staff Writer", ["Ada Stone", "Bo Wood"]],
    ["Ada Stone | The Valley Newsroom", ["Ada Stone"]],
    ["Ada Stone, Hardware", ["Ada Stone"]],
    ["Written by Ada Stone | Reviewed by Bo Wood, MD", ["Ada Stone"]],
    ["CM Carla Moor", ["CM Carla Moor"]],
    ["CM, Carla Moor", ["Carla Moor"]],
    ["ByAda Stone", ["Ada Stone"]],
    ["Por Ada Piedra y Bo Madera", ["Ada Piedra", "Bo Madera"]],
    ["Par Ada Pierre, rédactrice", ["Ada Pierre"]],
    ["Door Ada Steen", ["Ada Steen"]],
    ["Av Ada Sten", ["Ada Sten"]],
    ["Di Ada Pietra e Bo Legno", ["Ada Pietra", "Bo Legno"]],
    ["Автор: Ада Камень", ["Ада Камень"]],
    ["記者 石文", ["石文"]],
    ["Ada Stone on Tuesday", ["Ada Stone"]],
    ["Ada and Bo", ["Ada", "Bo"]],
    ["Written by", []],
    ["December 27", []],
    ["Sat, Dec 16", []],
    ["Follow the author", []],
    ["page.head.author", []],
    ["Updated at 10:30", []],
    ["ada@site.test", []],
    ["", []]
  ])("%s names %j", (line, names) => {
    expect(authorsIn(line)).toEqual(names)
  })
})
