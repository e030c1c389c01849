import { describe, expect, it } from "vitest"
import * as Title from "#extract/article/Title"
import type { Source } from "#extract/Candidates"
import * as Dom from "#page/Dom"

const source: Source = { kind: "meta", path: "title", span: [0, 0] }

const title = (text: string, body = "") =>
  Title.of(undefined, { text, source }, () => Title.headingsOf(Dom.elements(Dom.parse(body))))?.text

describe("Title", () => {
  it.each([
    ["The old mill turns again after years | Site", "The old mill turns again after years"],
    ["The old mill turns again after years – Site", "The old mill turns again after years"],
    ["Site » The old mill turns again after years", "The old mill turns again after years"],
    ["Two words | The old mill turns again", "The old mill turns again"],
    ["Short - Site", "Short - Site"],
    ["Site news: the old mill turns again", "the old mill turns again"],
    ["A plain title of some words", "A plain title of some words"]
  ])("%s says %s", (whole, own) => {
    expect(title(whole)).toBe(own)
  })

  it("keeps a colon where a heading has it", () => {
    expect(title("Site news: the old mill turns again", "<h1>Site news: the old mill turns again</h1>")).toBe(
      "Site news: the old mill turns again"
    )
  })

  it("takes the only heading where the title says next to nothing", () => {
    expect(title("Home", "<h1>The old mill of the valley turns again</h1>")).toBe(
      "The old mill of the valley turns again"
    )
  })

  it("is what is declared, whatever the page's title says", () => {
    const declared = { text: "Declared", source }

    expect(Title.of(declared, { text: "Other", source }, () => ({ first: [], all: [] }))).toBe(declared)
    expect(Title.of(undefined, undefined, () => ({ first: [], all: [] }))).toBeUndefined()
  })

  const declared = (
    text: string,
    body: string,
    sites: ReadonlyArray<string> = [],
    others: ReadonlyArray<string> = []
  ) => Title.of({ text, source, sites, others }, undefined, () => Title.headingsOf(Dom.elements(Dom.parse(body))))

  it("is the heading that is a title of the page, a part of one or its beginning, with its own place", () => {
    const body = "<p><h1>The old mill</h1>"

    for (const text of ["The old mill | Site", "Site news: The old mill", "The old mill in spring", "THE OLD MILL"])
      expect(declared(text, body)).toMatchObject({ text: "The old mill", source: { kind: "heading", span: [3, 24] } })
    expect(declared("Other words", body)?.text).toBe("Other words")
    expect(declared("Other words", body, [], ["The old mill"])?.text).toBe("The old mill")
  })

  it("is no heading that is the name of the site", () => {
    expect(declared("The old mill | Valley News", "<h1>Valley News</h1>", ["Valley News"])?.text).toBe("The old mill")
  })

  it("loses the name of the site at its end, whatever stands between, and what stands behind the last bar", () => {
    const sites = ["Valley News"]

    for (const mark of [" | ", " - ", " – ", " — ", " · ", " » ", ": ", " • "])
      expect(declared(`The mill turns again${mark}Valley News`, "", sites)?.text).toBe("The mill turns again")
    expect(declared("The mill turns again - in spring", "", sites)?.text).toBe("The mill turns again - in spring")
    expect(declared("The mill turns again | Costs and more", "", sites)?.text).toBe("The mill turns again")
  })
})
