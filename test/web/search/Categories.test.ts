import { describe, expect, it } from "vitest"
import * as Categories from "#web/Categories"

describe("the categories of a search", () => {
  it("tell pages by their hosts, files by their ending, and none of others", () => {
    const categories = Categories.of(["pdf", { type: "github" }, { type: "research", sites: ["papers.test/new"] }])
    const nameOf = (url: string) => Categories.nameOf(categories, url)

    expect(nameOf("https://github.com/a/b")).toBe("github")
    expect(nameOf("https://gist.github.com/a")).toBe("github")
    expect(nameOf("https://notgithub.com/a")).toBeUndefined()
    expect(nameOf("http://papers.test/new/1")).toBe("research")
    expect(nameOf("http://papers.test/old/1")).toBeUndefined()
    expect(nameOf("http://any.test/a.PDF?x=1")).toBe("pdf")
    expect(nameOf("no address")).toBeUndefined()
    expect(Categories.of(null)).toEqual([])
  })
})
