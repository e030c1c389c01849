import { describe, expect, it } from "vitest"
import * as Draft from "../../../src/extract/article/Draft.ts"
import { isHeadingOf, likeness } from "../../../src/extract/article/Likeness.ts"
import * as Dom from "../../../src/html/Dom.ts"

describe("likeness", () => {
  it("is the share of the second text that the first says too", () => {
    expect(likeness("the mill turns", "The mill turns")).toBe(1)
    expect(likeness("the mill turns", "nothing alike")).toBe(0)
    expect(likeness("one two", "one two three four")).toBeCloseTo(8 / 18)
    expect(likeness("", "text")).toBe(0)
  })

  it("tells whether a heading is the title", () => {
    const [heading = Draft.element("h1")] = Draft.within(
      Draft.of(Dom.parse("<h1>The mill <em>turns</em></h1>")),
      (name) => name === "h1"
    )

    expect(isHeadingOf(heading, "The mill turns – Site")).toBe(true)
    expect(isHeadingOf(heading, "A roof")).toBe(false)
    expect(isHeadingOf(heading, "")).toBe(false)
  })
})
