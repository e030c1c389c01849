import { describe, expect, it } from "vitest"
import * as Hints from "../../../src/extract/article/Hints.ts"

describe("Hints", () => {
  it.each(["sidebar", "page-footer", "comment-list", "social-links", "related"])("%s is no article", (names) => {
    expect(Hints.isUnlikely(names)).toBe(true)
  })

  it.each(["article-sidebar", "main", "content comments", "story", ""])("%s may be one", (names) => {
    expect(Hints.isUnlikely(names)).toBe(false)
  })

  it.each([
    ["article-body", 25],
    ["sidebar", -25],
    ["content-footer", 0],
    ["x", 0],
    [undefined, 0]
  ])("%s weighs %d", (names, weight) => {
    expect(Hints.weightOf(names)).toBe(weight)
  })

  it("knows bylines, share bars, galleries, portraits, notes and head lines", () => {
    expect(Hints.isByline("post-author")).toBe(true)
    expect(Hints.isShare("share-bar")).toBe(true)
    expect(Hints.isShare("shareholders")).toBe(false)
    expect(Hints.isGallery("photo-gallery")).toBe(true)
    expect(Hints.isPortrait("author-bio")).toBe(true)
    expect(Hints.isPortrait("biology")).toBe(false)
    expect(Hints.isNote("newsletter-box")).toBe(true)
    expect(Hints.isHeadLine("entry-meta")).toBe(true)
    expect(Hints.isHeadLine("metal")).toBe(false)
  })

  it("asks no names that are too long to be names", () => {
    expect(Hints.isUnlikely("sidebar ".repeat(200))).toBe(false)
  })
})
