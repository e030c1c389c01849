import { describe, expect, it } from "vitest"
import { readAsOf } from "#law/query/Query"

describe("the day as of which a query asks", () => {
  it.each([
    ["17 USC 107 as of 2018", "2018-12-31"],
    ["rent control as of 2018-03", "2018-03-31"],
    ["as of 2018-03-04, what is", "2018-03-04"],
    ["in effect on January 1, 2012", "2012-01-01"],
    ["in force in March 2016", "2016-03-31"],
    ["effective 5 Sept. 2019", "2019-09-05"],
    ["as it was on 7/4/2001", "2001-07-04"],
    ["the law in 1999", "1999-12-31"],
    ["before 2017", "2016-12-31"],
    ["prior to March 1, 2016", "2016-02-29"],
    ["during Feb 2024", "2024-02-29"]
  ])("is read from %j", (text, day) => {
    expect(readAsOf(text)?.day).toBe(day)
  })

  it.each([
    "Consolidated Appropriations Act 2018",
    "the Act of 1976",
    "in 20185",
    "as of 2018-13-01",
    "section 2018",
    "in 2018.5"
  ])("is not read from %j", (text) => {
    expect(readAsOf(text)).toBeUndefined()
  })

  it("says where it stands, so that it is no word of what is asked", () => {
    const text = "fair use as of 2018 in schools"
    const { end = 0, start = 0 } = readAsOf(text) ?? {}
    expect(text.slice(start, end)).toBe("as of 2018")
  })
})
