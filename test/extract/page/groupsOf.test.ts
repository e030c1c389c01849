import { describe, expect, it, test } from "vitest"
import { groupsOf } from "#extract/page/groupsOf"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/declared/Microdata"
import { thing } from "../offered.ts"

test("things of one type are a list in the order of the page, wherever they stand in others", () => {
  const { things } = read(
    new Page(
      "<div itemscope itemtype=x/List><p itemprop=item itemscope itemtype=x/Item id=1></p></div><p itemscope itemtype=x/Item id=2></p>",
      "https://site.test/"
    )
  )
  const groups = groupsOf(things)

  expect(groups.map(({ name, things: own, source }) => [name, own.length, source.kind])).toEqual([
    ["Item", 2, "microdata"]
  ])
  expect(groups[0]?.source.span).toEqual([groups[0]?.things[0]?.source.span[0], groups[0]?.things[1]?.source.span[1]])
})

describe("types of one kind", () => {
  it("are one list of the plainest of them, in the order of the page", () => {
    const things = [
      thing({ "@type": "NewsArticle", name: "A" }),
      thing({ "@type": "Article", name: "B" }),
      thing({ "@type": "Article", name: "C" })
    ]
    const list = groupsOf(things).find(({ name }) => name === "Article")

    expect(list?.things.map(({ properties, types }) => [types, properties.length])).toEqual([
      [["Article"], 1],
      [["Article"], 1],
      [["Article"], 1]
    ])
  })

  it("are apart where they are of different kinds", () => {
    const things = [thing({ "@type": "JobPosting", name: "A" }), thing({ "@type": "BlogPosting", name: "B" })]

    expect(groupsOf(things)).toEqual([])
  })
})
