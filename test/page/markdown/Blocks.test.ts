import { expect, test } from "vitest"
import { everything as all, type Keeps } from "#page/content/MainContent"
import { BLANK, Blocks, LINE, type Span } from "#page/markdown/Blocks"
import { Budget } from "#page/tree/Budget"

const at = (block: number): Span => ({ from: block, to: block })

const only = (block: number): Keeps => ({
  all: (from, to) => from <= block && block <= to,
  any: (from, to) => from <= block && block <= to,
  most: (from, to) => from === block && to === block
})

test("the larger wish for a distance wins, and the first block stands at the top", () => {
  const blocks = new Blocks(new Budget())
  blocks.request(BLANK)
  blocks.write("a", at(0))
  blocks.request(LINE)
  blocks.write("b", at(0))
  blocks.request(LINE)
  blocks.request(BLANK)
  blocks.request(LINE)
  blocks.write("c", at(0))
  expect(blocks.join(all)).toBe("a\nb\n\nc")
})

test("an item that stays empty leaves no mark", () => {
  const blocks = new Blocks(new Budget())
  for (const text of ["a", "", "b"]) {
    blocks.request(LINE)
    blocks.enter("- ", "  ")
    if (text !== "") blocks.write(text, at(0))
    blocks.endItem()
  }
  expect(blocks.join(all)).toBe("- a\n- b")
})

test("blank lines in a quote keep its mark and have no spaces at their end", () => {
  const blocks = new Blocks(new Budget())
  blocks.enter("- ", "  ")
  blocks.enter("> ", "> ")
  blocks.write("a\n\nb", at(0))
  blocks.request(BLANK)
  blocks.write("c", at(0))
  expect(blocks.join(all)).toBe("- > a\n  >\n  > b\n  >\n  > c")
})

test("blocks of the page are left out without leaving a gap", () => {
  const blocks = new Blocks(new Budget())
  for (const [text, place] of [
    ["a", 0],
    ["b", 1],
    ["c", 0]
  ] as const) {
    blocks.request(BLANK)
    blocks.write(text, at(place))
  }
  expect(blocks.join(only(0))).toBe("a\n\nc")
  expect(blocks.join(only(1))).toBe("b")
})

test("blocks of a cell are written as if they had been written here", () => {
  const cell = new Blocks(new Budget())
  cell.enter("> ", "> ")
  cell.write("a", at(0))
  cell.request(BLANK)
  cell.write("b", at(0))
  const blocks = new Blocks(new Budget())
  blocks.enter("- ", "  ")
  blocks.absorb(cell)
  expect(blocks.join(all)).toBe("- > a\n  >\n  > b")
})

test("an item whose first block is left out keeps its mark", () => {
  const blocks = new Blocks(new Budget())
  blocks.enter("- ", "  ")
  blocks.write("a", at(0))
  blocks.request(BLANK)
  blocks.write("b", at(1))
  blocks.endItem()
  expect(blocks.join(only(1))).toBe("- b")
})
