import { expect, test } from "vitest"
import { groupsOf } from "../../../../src/service/extract/read/groupsOf.ts"
import { read } from "../../../../src/service/extract/read/Microdata.ts"
import { Page } from "../../../../src/service/extract/read/Page.ts"

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
