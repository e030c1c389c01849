import { describe, expect, it } from "vitest"
import * as Citation from "#law/text/Citation"

const keyOf = (text: string): string | undefined => Citation.find(text)[0]?.keys[0]

const sameForms: ReadonlyArray<readonly [key: string, forms: ReadonlyArray<string>]> = [
  [
    "usc/17/101",
    [
      "17 U.S.C. § 101",
      "17 U.S.C. 101",
      "17 USC 101",
      "17 USC § 101",
      "17 U.S.C. §101(a)(1)",
      "17 U. S. C. § 101",
      "17 U.S.C.A. § 101",
      "17 U.S.C.S. § 101",
      "17 USCA 101",
      "17 U.S. Code § 101",
      "17 United States Code, section 101",
      "Title 17, section 101",
      "title 17 U.S.C. 101",
      "section 101 of title 17",
      "sec. 101 of title 17, United States Code",
      "section 101(a) of title 17, U.S.C.",
      "what does 17 usc 101 say?"
    ]
  ],
  ["usc/42/2000e-5", ["42 U.S.C. 2000e–5(b)", "42 USC § 2000e-5", "section 2000e‑5 of title 42"]],
  ["usc/15/1693o-1", ["15 U.S.C. 1693o-1", "15 USC 1693o–1(a)"]],
  [
    "cfr/12/1005.6",
    [
      "12 C.F.R. § 1005.6",
      "12 CFR 1005.6",
      "12 CFR § 1005.6(b)(1)",
      "12 CFR section 1005.6",
      "section 1005.6 of title 12, Code of Federal Regulations",
      "title 12, Code of Federal Regulations, section 1005.6",
      "title 12, section 1005.6"
    ]
  ],
  [
    "cfr/12/1005",
    ["12 CFR part 1005", "12 C.F.R. pt. 1005", "12 CFR 1005", "part 1005 of title 12, Code of Federal Regulations"]
  ],
  [
    "n/42-3505.31",
    ["D.C. Code § 42-3505.31", "DC Code 42–3505.31", "DC ST § 42-3505.31", "D.C. Official Code § 42-3505.31(a)"]
  ],
  ["n/10.04.010", ["San Mateo Municipal Code § 10.04.010", "SMMC 10.04.010", "section 10.04.010"]],
  ["pl/91-596", ["Pub. L. 91-596", "Public Law 91–596", "P.L. 91-596", "PL 91-596", "Pub. L. No. 91-596"]],
  [
    "pl/91-596/5",
    [
      "Pub. L. 91-596, § 5",
      "Public Law 91-596 section 5(a)",
      "section 5 of Public Law 91-596",
      "sec. 5(a), of Pub. L. 91-596"
    ]
  ],
  ["bill/116/hr1058", ["H.R. 1058, 116th Cong.", "H. R. 1058 (116th Congress)", "HR 1058, 116th Congress"]],
  ["bill/hr1058", ["H.R. 1058", "HR 1058", "H. R. 1058 as enrolled"]],
  [
    "bill/116/hr1058/2",
    ["H.R. 1058, 116th Cong., § 2", "section 2 of H.R. 1058, 116th Congress", "HR 1058 section 2, 116th Congress"]
  ],
  ["bill/116/s1029/2", ["S. 1029, 116th Cong., § 2", "S 1029 section 2, 116th Congress"]],
  ["bill/sjres7", ["S.J. Res. 7", "S. J. RES. 7"]],
  ["fr/83/21707", ["83 FR 21707", "83 Fed. Reg. 21,707", "83 Federal Register 21707", "83 F.R. 21707"]],
  ["frdoc/2018-09910", ["FR Doc. 2018-09910", "FR Doc 2018–09910", "document number 2018-09910", "2018-09910"]],
  ["stat/84/1590", ["84 Stat. 1590", "84 STAT 1590"]],
  [
    "cfr/12/1005/app-a",
    ["12 C.F.R. pt. 1005, app. A", "12 CFR part 1005, Appendix A", "Appendix A to 12 CFR part 1005"]
  ],
  ["part/1005/app-a", ["appendix A to part 1005", "Appendix A of Part 1005"]],
  ["cfr/12/1005/supp-i", ["Supplement I to 12 CFR part 1005", "12 CFR Part 1005, Supplement I"]],
  ["cfr/12/1005/supp-i/1005.6", ["12 C.F.R. pt. 1005, Supp. I, § 1005.6", "12 CFR part 1005, Supp. I, section 1005.6"]],
  ["ord/2025-1/11", ["City of San Mateo, Cal., Ord. No. 2025-01, § 11", "Ordinance 2025-1, section 11"]],
  ["ord/2025-1", ["Ordinance No. 2025-01", "Ord. 2025-1", "ordinance number 2025-1"]]
]

describe("citations", () => {
  it.each(sameForms)("have the key %s in all their forms", (key, forms) => {
    expect(forms.filter((form) => keyOf(form) !== key)).toEqual([])
  })

  it("say the paragraph apart from the key", () => {
    expect(Citation.find("12 CFR 1005.6(b)(1)(i)")[0]).toMatchObject({
      keys: ["cfr/12/1005.6"],
      paragraph: "(b)(1)(i)"
    })
  })

  it("stand in what is larger", () => {
    expect(Citation.find("12 CFR 1005.6")[0]?.within).toEqual(["cfr/12/1005"])
    expect(Citation.find("Pub. L. 91-596, § 5")[0]?.within).toEqual(["pl/91-596"])
    expect(Citation.find("H.R. 2, 118th Cong., § 7")[0]?.within).toEqual(["bill/118/hr2", "bill/hr2"])
  })

  it("are keys as a whole too, whatever they are of, wherever they stand in a text", () => {
    const key = Citation.wholeKey("H.R. 2157, 116th Cong., title I")
    expect(Citation.wholeKeys("what is in H.R. 2157, 116th Cong., title I as introduced")).toContain(key)
    expect(Citation.wholeKeys("H.R. 2157, 116th Cong.")).not.toContain(key)
    const [longest = ""] = Citation.wholeKeys("a b c d")
    expect(longest).toBe("w/a b c d")
  })

  it("are written as others cite them", () => {
    const written = [
      "17 U.S.C. 101",
      "1005.6",
      "42-3505.31",
      "Public Law 91-596",
      "H.R. 1058",
      "83 FR 21707",
      "84 Stat. 1590"
    ]
    const keys = written.map(
      (text) => Citation.find(text.startsWith("1005") ? `12 CFR ${text}` : text)[0]?.keys[0] ?? ""
    )
    expect(keys.map(Citation.written)).toEqual(written)
  })

  it("may be a number with a dash or a range, and are tried as both", () => {
    expect(keyOf("26 U.S.C. §§ 5701-5703")).toBe("usc/26/5701-5703")
    expect(Citation.find("26 U.S.C. §§ 5701-5703")[0]?.keys).toContain("usc/26/5701")
  })

  it("are found where they stand, several in one text", () => {
    const text = "see 17 U.S.C. 101 and, under 12 CFR 1005.6(a), more"
    expect(Citation.find(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "17 U.S.C. 101",
      "12 CFR 1005.6(a)"
    ])
  })

  it("keep their places where the text has dashes and blanks of other kinds", () => {
    const text = "— see 42 U.S.C. 2000e–5 —"
    const [found] = Citation.find(text)
    expect(text.slice(found?.start, found?.end)).toBe("42 U.S.C. 2000e–5")
  })

  it("are bare where only a number is named", () => {
    expect(Citation.find("section 5 of the Occupational Safety and Health Act")).toMatchObject([
      { keys: ["s/5"], isBare: true }
    ])
  })

  it.each([
    "as of 2018-01-01",
    "a fee of $12.50",
    "the U.S. 101 highway",
    "vitamin S 42",
    "2,500.00 dollars",
    "3.5%",
    ""
  ])("are not read into %j", (text) => {
    expect(Citation.find(text)).toEqual([])
  })

  it("are read in time that grows with their number, named ones and numbers alone", () => {
    const found = Citation.find("17 U.S.C. § 101; section 1; ".repeat(40_000))

    expect(found).toHaveLength(80_000)
    expect(found.slice(0, 2).map(({ isBare }) => isBare)).toEqual([false, true])
  })

  it("are read from a long hostile text without a long time", () => {
    const text = `${"section 1(a)(b)(c)".repeat(5_000)}${"1-".repeat(20_000)}${"title 1, ".repeat(5_000)}`
    expect(Citation.find(text.slice(0, 100_000)).length).toBeGreaterThan(0)
  })
})
