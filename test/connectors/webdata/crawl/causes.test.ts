import { expect, it } from "vitest"
import { saysNothing } from "#base/Removal"
import { inWords } from "#connectors/webdata/crawl/rows"
import { pageCodes } from "../../../../scripts/reference/pageCodes.ts"

it("says each code of a page that could not be read in words, and one that is not known by itself", () => {
  const codes = Object.keys(pageCodes).filter((code) => !saysNothing(code) && code !== "ROBOTS_BLOCKED")
  expect(codes.filter((code) => !/^[a-z][a-z .]+$/.test(inWords(code)))).toEqual([])
  expect(inWords("SCRAPE_NEW_ERROR")).toBe("SCRAPE_NEW_ERROR")
})
