import { describe, expect, it } from "vitest"
import { listsBelow } from "#extract/match/Matcher"
import { group } from "../offered.ts"

const links = (...urls: ReadonlyArray<string>) => [group(urls.map((url) => ({ name: "x", url })))]

describe("a page lists pages below it", () => {
  it.each([
    "http://a.test/jobs",
    "http://a.test/jobs/",
    "http://a.test/jobs.html?sort=day",
    "http://a.test/jobs/index.php"
  ])("where two of one list are below %s", (page) => {
    expect(listsBelow(links("http://a.test/jobs/1", "http://a.test/jobs/2"), page)).toBe(true)
  })

  it("not where they are beside it, or are one", () => {
    expect(listsBelow(links("http://a.test/jobs/1", "http://a.test/jobs/2"), "http://a.test/jobs/3")).toBe(false)
    expect(listsBelow(links("http://a.test/jobs/1#a", "http://a.test/jobs/1#b"), "http://a.test/jobs")).toBe(false)
  })
})
