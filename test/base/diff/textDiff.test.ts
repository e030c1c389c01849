import { applyPatch } from "diff"
import { describe, expect, it } from "vitest"
import { lineEdits } from "#base/diff/lineEdits"
import { unified } from "#base/unifiedDiff"
import { type Piece, words } from "#base/wordDiff"
import * as Dice from "#site/Dice"

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
  const diff = await unified("A\nb\n", "a\nc\n", (line) => line.toLowerCase())

  expect(diff?.json.files[0]?.chunks[0]?.changes.map(({ content }) => content)).toEqual([" a", "-b", "+c"])
})

it("gives up on texts that have nothing in common and no end", async () => {
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join("\n")

  expect(await unified(lines("a"), lines("b"))).toBeUndefined()
})

it("shows all of a table whose every row has changed, beside what stays", async () => {
  const rows = (price: string) => Array.from({ length: 2500 }, (_, n) => `| item ${n} | ${n}.${price} |\n`).join("")
  const [before, after] = [`Prices\n${rows("00")}End\n`, `Prices\n${rows("50")}End\n`]

  const diff = await unified(before, after)

  expect(diff?.text.split("\n").filter((line) => line.startsWith("-|"))).toHaveLength(2500)
  expect(applyPatch(before, diff?.text ?? "")).toBe(after)
})

it("gives the new text to whoever applies it to the old one", async () => {
  const dice = Dice.make(1, "diff")
  const wrong: Array<string> = []
  for (let round = 0; round < 300; round++) {
    // Now and then so many lines, and so much of them new, that the texts are held together by what both have once.
    const length = round % 10 === 0 ? 3000 : 40
    const lines = Array.from({ length }, () => `line ${dice.int(0, round % 20 === 0 ? length * 2 : 12)}`)
    const edited = lines.flatMap((line, at) =>
      dice.int(0, 4) === 0 ? ([[], [`new ${at}`], [line, line]][dice.int(0, 2)] ?? []) : [line]
    )
    const [before, after] = [lines, edited].map((some) => (some.length === 0 ? "" : `${some.join("\n")}\n`))
    const diff = await unified(before ?? "", after ?? "")
    if (applyPatch(before ?? "", diff?.text ?? "") !== after) wrong.push(`${before}\nbecomes\n${after}`)
  }

  expect(wrong).toEqual([])
})

it("numbers the lines of a side that has none from 0", async () => {
  const diff = await unified("a\n", "")

  expect(diff?.text).toBe("--- previous\n+++ current\n@@ -1,1 +0,0 @@\n-a\n")
})

const marked = (pieces: ReadonlyArray<Piece>) =>
  pieces
    .map(({ kind, text }) =>
      kind === "same" ? text : kind === "gap" ? "…" : `${kind === "added" ? "+" : "-"}(${text})`
    )
    .join("")

describe("words", () => {
  it("tells which words went and which came, and joins those that stand side by side", () => {
    expect(marked(words("the price is 10 euro", "the price is 12 euro"))).toBe("the price is -(10)+(12) euro")
    expect(marked(words("a quick fox", "a very slow fox"))).toBe("a -(quick)+(very slow) fox")
    expect(words("same", "same")).toEqual([{ kind: "same", text: "same" }])
    expect(words("", "")).toEqual([])
  })

  it("is the old text without what came, and the new one without what went", () => {
    const old = "Ärger im Büro: 3 Fälle.\n\n* eins\n* zwei 🦊\r\n  drei"
    const next = "Ärger zu Haus: 4 Fälle,\n* zwei 🦊🦊\n* eins\n\n drei !"
    const pieces = words(old, next)
    const side = (kind: "removed" | "added") =>
      pieces.flatMap((piece) => (piece.kind === "same" || piece.kind === kind ? [piece.text] : [])).join("")

    expect([side("removed"), side("added")]).toEqual([old, next])
    expect(pieces.filter(({ kind }) => kind === "same").length).toBeGreaterThan(3)
  })

  it("is known in time that grows with the texts, however much white space they have", () => {
    const blanks = " ".repeat(200_000)
    expect(marked(words(`${blanks}${blanks}`, `y${blanks}z${blanks}`))).toContain("z")
  })

  it("leaves out what stays far from any change, in whole words", () => {
    const long = Array.from({ length: 60 }, (_, at) => `w${at}`).join(" ")
    const pieces = words(`${long} old ${long}`, `${long} new ${long}`, 12)

    expect(marked(pieces)).toBe("… w58 w59 -(old)+(new) w0 w1 w2 …")
    expect(
      pieces
        .map(({ text }) => text)
        .join("")
        .replace("new", "")
    ).toBe(`${long} old ${long}`)
  })

  it("ends soon on texts that have nothing in common, and is still true", () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join("\n")

    expect(words(text("a"), text("b"))).toEqual([
      { kind: "removed", text: text("a") },
      { kind: "added", text: text("b") }
    ])
  })
})

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
