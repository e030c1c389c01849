import { describe, expect, it } from "vitest"
import { day, englishDay, step, titled, withoutStop } from "#law/corpus/written"

describe("what is written", () => {
  it("as a heading in capitals has those of a title, and numerals keep theirs", () => {
    expect(titled("SUBJECT MATTER AND SCOPE OF THE LAW")).toBe("Subject Matter and Scope of the Law")
    expect(titled("CHAPTER IV")).toBe("Chapter IV")
    expect(titled("Notices to D.C.")).toBe("Notices to D.C.")
  })

  it("as a heading has no stop at its end, unless it is one of an abbreviation", () => {
    expect(withoutStop("Late fees. ")).toBe("Late fees")
    expect(withoutStop("Laws of the U.S.")).toBe("Laws of the U.S.")
  })

  it("as a heading keeps the one stop of an initial, and a row of dots is read once", () => {
    expect(withoutStop("Trial of John A..")).toBe("Trial of John A.")
    expect(withoutStop("Fees . . . .")).toBe("Fees")
    expect(withoutStop(`Fees${".".repeat(300_000)}12`)).toHaveLength(300_006)
  })

  it("as a step of a path is its kind, its number and its heading", () => {
    expect(step("CHAPTER", "10.04", "PUBLIC PEACE.")).toBe("Chapter 10.04 Public Peace")
    expect(step("", "", "General.")).toBe("General")
  })

  it("as a day is one that a text can have", () => {
    expect([day("2018-05-10T08:00"), day("1600-01-01"), day("1599-12-31"), day("May"), day(undefined)]).toEqual([
      "2018-05-10",
      "1600-01-01",
      undefined,
      undefined,
      undefined
    ])
    expect([englishDay("July 5, 2019"), englishDay("Sept. 12, 2019"), englishDay("soon")]).toEqual([
      "2019-07-05",
      "2019-09-12",
      undefined
    ])
  })
})
