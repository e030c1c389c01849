import { describe, expect, it } from "vitest"
import type * as Difference from "#engine/Difference"
import { differenceText, piecesOf } from "#see/diff/differenceText"

const changed = (fields: Readonly<Record<string, readonly [unknown, unknown]>>): Difference.Change => ({
  kind: "changed",
  key: { url: "/a" },
  fields: Object.keys(fields),
  old: Object.fromEntries(Object.entries(fields).map(([name, [old]]) => [name, old])),
  new: Object.fromEntries(Object.entries(fields).map(([name, [, now]]) => [name, now]))
})

describe("a difference", () => {
  it("is plain where no colour is wanted: short values as old and new, texts by words", () => {
    const text = differenceText(
      changed({
        stars: [1, 2],
        body: ["The price is ten euro, and that is that.", "The price is two euro, and that is that."]
      }),
      false
    )

    expect(text).toBe("~ /a\n    stars  1 → 2\n    body   The price is [-ten-]{+two+} euro, and that is that.\n")
  })

  it("has the name of each column on one line, whatever is in it", () => {
    const text = differenceText(changed({ "line\nbreak": [1, 2], "bell\u0007": [1, 2], id: [1, 2] }), false)

    expect(text).toBe("~ /a\n    line break  1 → 2\n    bell\\u0007  1 → 2\n    id          1 → 2\n")
  })

  it("changes a number, a day, a moment, an id or an address as a whole, and words in texts only", () => {
    const whole: ReadonlyArray<readonly [unknown, unknown]> = [
      ["31.00", "26.00"],
      [31.5, 26.5],
      ["2026-11-27", "2026-11-28"],
      ["2026-11-27T10:00:00Z", "2026-11-27T11:00:00Z"],
      ["AB-12-7", "AB-13-7"],
      ["https://example.com/a/1", "https://example.com/a/2"],
      [null, "31.00"],
      ["31.00", "on request only"]
    ]
    for (const [old, now] of whole) {
      expect(piecesOf(changed({ value: [old, now] }), "value", 120)).toEqual([
        { kind: "removed", text: String(old) },
        { kind: "same", text: " → " },
        { kind: "added", text: String(now) }
      ])
    }
    const texts = changed({ value: ["from 31.00 euro", "from 26.00 euro"], han: ["价格三十元", "价格二十元"] })
    expect(piecesOf(texts, "value", 120)[0]).toEqual({ kind: "same", text: "from " })
    expect(piecesOf(texts, "han", 120)[0]).toEqual({ kind: "same", text: "价格" })
  })

  it("is in colour where it is wanted, and the words need no other mark", () => {
    const text = differenceText(changed({ body: ["one two three four", "one two seven four"] }), true)

    expect(text).toContain("one two \u001b[31mthree\u001b[0m\u001b[32mseven\u001b[0m four")
    expect(text).not.toContain("[-")
  })

  it("gives the terminal no control character of a page", () => {
    const hostile = "a\u001b]0;title\u0007\u009b31m\u202e b\r\nc"
    const change: Difference.Change = {
      kind: "added",
      key: { url: hostile },
      fields: ["body"],
      old: {},
      new: { body: hostile }
    }
    const texts = [
      differenceText(change, false),
      differenceText(changed({ body: [`${hostile} x y`, `${hostile} z y`] }), false)
    ]

    for (const text of texts) expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(texts[1]).toContain("[-x-]{+z+}")
  })

  it("names a row by all columns of its key, and a row of a table without one by what it is", () => {
    const row = { fields: [], old: {}, new: {} }

    expect(differenceText({ kind: "removed", key: { a: "x", b: 2 }, ...row }, false)).toBe("- a=x b=2\n")
    expect(differenceText({ kind: "added", key: {}, ...row }, false)).toBe("+ added\n")
  })
})
