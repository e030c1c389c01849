import { expect, it } from "vitest"
import { unified } from "../../src/diff/unified.ts"

it("is a unified diff as text, and as chunks whose lines know their numbers", async () => {
  const diff = await unified("a\nb\nc\n", "a\nB\nc\nd\n")

  expect(diff?.text).toBe("--- previous\n+++ current\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n")
  expect(diff?.json.files).toEqual([
    {
      from: "previous",
      to: "current",
      chunks: [
        {
          content: "@@ -1,3 +1,4 @@",
          changes: [
            { type: "normal", normal: true, ln1: 1, ln2: 1, content: " a" },
            { type: "del", ln: 2, content: "-b" },
            { type: "add", ln: 2, content: "+B" },
            { type: "normal", normal: true, ln1: 3, ln2: 3, content: " c" },
            { type: "add", ln: 4, content: "+d" }
          ]
        }
      ]
    }
  ])
})

it("takes lines for equal that it is told are", async () => {
  const diff = await unified("A\nb\n", "a\nc\n", (a, b) => a.toLowerCase() === b.toLowerCase())

  expect(diff?.json.files[0]?.chunks[0]?.changes.map(({ content }) => content)).toEqual([" a", "-b", "+c"])
})

it("gives up on texts that have nothing in common and no end", async () => {
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join("\n")

  expect(await unified(lines("a"), lines("b"))).toBeUndefined()
})
