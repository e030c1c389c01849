import { describe, expect, it } from "vitest"
import { candidates } from "#extract/read/candidates"
import { outline } from "../outline.ts"

const post = (name: string, day: string) =>
  `<article itemscope itemtype="http://schema.org/Article"><a href="/${day}"><b itemprop="name">${name}</b> <time datetime="${day}">${day}</time></a></article>`

describe("a declared list", () => {
  it("has what the page shows beside what it declares, after it", () => {
    const { groups, things } = candidates(
      `<div>${post("A", "2015-03-05")}${post("B", "2014-07-13")}</div>`,
      "https://x.test/"
    )
    const list = groups.find(({ source }) => source.kind === "microdata")

    expect(list?.things.map(outline)).toMatchObject([
      { type: "Article", name: "A", date: "2015-03-05", url: "https://x.test/2015-03-05" },
      { type: "Article", name: "B", date: "2014-07-13", url: "https://x.test/2014-07-13" }
    ])
    expect(things.map(outline)).toEqual([
      { type: "Article", name: "A" },
      { type: "Article", name: "B" }
    ])
  })
})
