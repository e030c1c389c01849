import { describe, expect, it } from "vitest"
import { citingSentences } from "#law/GovCiting"

const keys = (text: string) => citingSentences(text).map(({ key }) => key)

describe("the sentences by which a text cites", () => {
  it("say what is cited, without the citation", () => {
    expect(citingSentences("The fair use of a work, as section 107 of title 17 allows it, needs no license.")).toEqual([
      { key: "usc/17/107", within: "anywhere", text: "The fair use of a work, as allows it, needs no license." }
    ])
    expect(
      keys("A consumer may recover damages under 15 U.S.C. § 1692k(a) or 12 CFR 1005.6, as the case may be.")
    ).toEqual(["usc/15/1692k", "cfr/12/1005.6"])
  })

  it("tell a number of their own document from one of another text", () => {
    expect(citingSentences("An owner has the exclusive rights of section 106 of this title.")).toMatchObject([
      { key: "s/106", within: "document" }
    ])
    expect(citingSentences("The notice that § 1005.7 requires is given at the time of contracting.")).toMatchObject([
      { key: "n/1005.7", within: "code" }
    ])
    expect(keys("Any person who is a carrier under section 5 of the Clean Air Act of another year.")).toEqual([])
  })

  it("are none where nothing is cited or nothing is said", () => {
    expect(keys("In this section, 12 apples are a dozen and section (a) is none.")).toEqual([])
    expect(keys("See section 107.")).toEqual([])
  })

  it("are one for each text that is cited, the first, and a hundred at most", () => {
    const twice = "The first sentence of section 107 is this one.\nAnother line about section 107 says more."
    expect(citingSentences(twice).map(({ text }) => text)).toEqual(["The first sentence of is this one."])
    const many = Array.from({ length: 300 }, (_, at) => `What is said of section ${at + 1} in this long list.`)
    expect(citingSentences(many.join("\n"))).toHaveLength(100)
  })

  it("of a long line are cut at blanks around the citation", () => {
    const [one] = citingSentences(`${"before ".repeat(100)}under section 9 ${"after ".repeat(100)}`)
    expect(one?.text.length).toBeLessThanOrEqual(301)
    expect(one?.text).toMatch(/^before .* under after .* after$/)
  })
})
