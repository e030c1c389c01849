import { expect, test } from "vitest"
import { BLANK, Blocks, LINE } from "../../src/html/Blocks.ts"

const all = (): boolean => true

test("the larger wish for a distance wins, and the first block stands at the top", () => {
  const blocks = new Blocks()
  blocks.request(BLANK)
  blocks.write("a", 0)
  blocks.request(LINE)
  blocks.write("b", 0)
  blocks.request(LINE)
  blocks.request(BLANK)
  blocks.request(LINE)
  blocks.write("c", 0)
  expect(blocks.join(all)).toBe("a\nb\n\nc")
})

test("an item that stays empty leaves no mark", () => {
  const blocks = new Blocks()
  for (const text of ["a", "", "b"]) {
    blocks.request(LINE)
    blocks.enter("- ", "  ")
    if (text !== "") blocks.write(text, 0)
    blocks.endItem()
  }
  expect(blocks.join(all)).toBe("- a\n- b")
})

test("blank lines in a quote keep its mark and have no spaces at their end", () => {
  const blocks = new Blocks()
  blocks.enter("- ", "  ")
  blocks.enter("> ", "> ")
  blocks.write("a\n\nb", 0)
  blocks.request(BLANK)
  blocks.write("c", 0)
  expect(blocks.join(all)).toBe("- > a\n  >\n  > b\n  >\n  > c")
})

test("regions are left out without leaving a gap", () => {
  const blocks = new Blocks()
  for (const [text, region] of [
    ["a", 0],
    ["b", 1],
    ["c", 0]
  ] as const) {
    blocks.request(BLANK)
    blocks.write(text, region)
  }
  expect(blocks.join((region) => region === 0)).toBe("a\n\nc")
  expect(blocks.join((region) => region === 1)).toBe("b")
})

test("blocks of a cell are written as if they had been written here", () => {
  const cell = new Blocks()
  cell.enter("> ", "> ")
  cell.write("a", 0)
  cell.request(BLANK)
  cell.write("b", 0)
  const blocks = new Blocks()
  blocks.enter("- ", "  ")
  blocks.absorb(cell)
  expect(blocks.join(all)).toBe("- > a\n  >\n  > b")
})
