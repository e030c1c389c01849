import { describe, expect, it } from "vitest"
import { type Piece, words } from "#base/wordDiff"

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
