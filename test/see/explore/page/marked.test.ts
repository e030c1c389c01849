import { describe, expect, it } from "vitest"
import { marksOf } from "#see/explore/findWords"
import { fromFirstMark } from "#see/explore/page/dom"

const marks = marksOf("word") ?? /$^/g

describe("a text with marks", () => {
  it("is whole where the first mark is near its beginning, or is nowhere", () => {
    expect(fromFirstMark("a word of it", marks)).toBe("a word of it")
    expect(fromFirstMark("x".repeat(100), marks)).toBe("x".repeat(100))
  })

  it("begins shortly before its first mark otherwise, never inside of a character", () => {
    expect(fromFirstMark(`${"x".repeat(100)} word and word`, marks)).toBe(`…${"x".repeat(11)} word and word`)
    expect(fromFirstMark(`${"😀".repeat(50)}xx word`, marks)).toMatch(/^…\uFFFD(?:😀){4}xx word$/u)
  })
})
