import { expect, it } from "vitest"
import { lineEdits } from "#base/diff/lineEdits"

it("says how many lines stay, go and come, one after the other", async () => {
  expect(await lineEdits(["a", "b", "c"], ["a", "x", "y", "c"])).toEqual([
    { kind: "same", count: 1 },
    { kind: "removed", count: 1 },
    { kind: "added", count: 2 },
    { kind: "same", count: 1 }
  ])
})

it("keeps what both texts have once, however much differs between", async () => {
  const chapter = (name: string, word: string) => [name, ...Array.from({ length: 500 }, (_, n) => `${word} ${n}`)]
  const text = (word: string) => ["One", "Two", "Three"].flatMap((name) => chapter(name, word))

  const edits = await lineEdits(text("old"), text("new"))

  const chapters = ["1 same", "500 removed", "500 added"]
  expect(edits.map(({ count, kind }) => `${count} ${kind}`)).toEqual([...chapters, ...chapters, ...chapters])
})
