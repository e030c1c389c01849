import { describe, expect, it } from "vitest"
import { answering } from "#service/support/Documentation"

const titles = (question: string) => answering(question).map(({ title }) => title)

describe("the documentation", () => {
  it("knows every field of every operation, by its name and by the words that it is made of", () => {
    expect(titles("what is ignoreQueryParameters")[0]).toContain("ignoreQueryParameters of POST")
    expect(titles("maximum limit of map")[0]).toBe("limit of POST /v2/map")
    expect(titles("maximum limit of search")[0]).toBe("limit of POST /v2/search")
    expect(answering("what is threadId of an agent")[0]?.pointer).toBe("#/paths/~1v2~1agent/post")
  })

  it("answers no more than a few topics, the same each time", () => {
    const question = "crawl scrape search extract agent limit credits error timeout format"

    expect(answering(question).length).toBeLessThanOrEqual(3)
    expect(titles(question)).toEqual(titles(question))
  })

  it("answers nothing that has no words of it", () => {
    for (const odd of ["", "???", "the of and", "\0", "zxcv".repeat(2000)]) expect(titles(odd)).toEqual([])
  })
})
