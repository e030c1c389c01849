import { describe, expect, it } from "vitest"
import * as FullText from "#service/store/pageIndex/FullText"
import * as Query from "#web/SearchQuery"

const words = { title: ["oak", "lamp"], description: [], address: ["site"], text: ["lamp", "of", "oak"] }
const query = Query.parse('"oak lamp" price -cheap intitle:desk inurl:shop')

describe("full text", () => {
  it("tells SQLite and Postgres the same question", () => {
    expect(FullText.fts5("t", query)).toBe(
      '(team : "\u240274" AND "oak lamp" AND title : "desk" AND address : "shop" AND ("price")) NOT ("cheap")'
    )
    expect(FullText.tsquery(query)).toBe("('oak' <-> 'lamp') & ('desk':A) & ('shop':C) & (('price')) & !(('cheap'))")
    expect(FullText.tsquery(Query.parse("site:a.test"))).toBeUndefined()
  })

  it("keeps the words of fields apart", () => {
    expect(FullText.vector(words)).toBe("'oak':1A,12D 'lamp':2A,10D 'site':7C 'of':11D")
    expect(FullText.row("t", words)).toEqual({
      team: "\u240274",
      title: "oak lamp",
      description: "",
      address: "site",
      text: "lamp of oak"
    })
  })

  it("counts no further than a tsvector does", () => {
    const text = Array.from({ length: 20_000 }, () => "x")
    const places =
      FullText.vector({ ...words, text })
        .match(/'x':(.*)$/)?.[1]
        ?.split(",") ?? []

    expect(places).toHaveLength(250)
    expect(places[0]).toBe("10D")
  })
})
