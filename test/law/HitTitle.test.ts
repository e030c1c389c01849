import { describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { expect } from "vitest"
import * as HitTitle from "#law/HitTitle"

const parts: Parameters<typeof HitTitle.format>[0] = {
  citation: "17 U.S.C. § 101",
  heading: "Definitions",
  jurisdiction: "United States",
  status: "in force",
  version: "117-80"
}

const seam = "\u2060"

/** Words that titles are made of, and what could be mistaken in them. */
const piece = Schema.Literals([
  "U.S.C",
  "Pub",
  "L",
  "App",
  "St",
  "§",
  "101",
  ".",
  ". ",
  ", ",
  " ",
  "  ",
  "\n",
  "[",
  "]",
  " [",
  "Definitions",
  "Repealed",
  "(a)",
  "é"
])
const some = Schema.Array(piece)
const single = (words: ReadonlyArray<string>) => words.join("").replace(/\s+/gu, " ").trim()
const round = (text: string) => text.replaceAll("[", "(").replaceAll("]", ")")
const Status = Schema.Literals(["in force", "historical", "bill", "guidance", "reproduction"])

describe("the title of a hit", () => {
  it("says citation, heading, jurisdiction, status and version", () => {
    expect(HitTitle.format(parts)).toBe("17 U.S.C. § 101. Definitions [United States, in force, 117-80]")
    expect(HitTitle.format({ ...parts, version: "" })).toBe("17 U.S.C. § 101. Definitions [United States, in force]")
    expect(HitTitle.format({ ...parts, heading: "" })).toBe("17 U.S.C. § 101 [United States, in force, 117-80]")
  })

  it.prop(
    "is read as the parts it was made of",
    [some, some, some, Status, Schema.Union([some, Schema.Tuple([Schema.Literal("x, in force")])])],
    ([citation, heading, jurisdiction, status, version]) => {
      const given = {
        citation: single(citation),
        heading: single(heading),
        jurisdiction: round(single(jurisdiction)),
        status,
        version: round(single(version))
      }

      expect(HitTitle.read(HitTitle.format(given))).toEqual(given)
    }
  )

  it.prop("is read as the parts it was made of, whatever they say", [Schema.String, Schema.String], (texts) => {
    const [citation, heading] = texts.map((text) => single([text.replaceAll(seam, "")]))

    expect(HitTitle.read(HitTitle.format({ ...parts, citation: texts[0], heading: texts[1] }))).toMatchObject({
      citation,
      heading
    })
  })

  it("needs no mark for the forms in which law is cited", () => {
    const citations = [
      "17 U.S.C. § 101",
      "15 U.S.C. § 78dd-1",
      "12 C.F.R. § 1005.6",
      "12 C.F.R. pt. 1005, App. A",
      "12 C.F.R. pt. 1005, Supp. I",
      "83 Fed. Reg. 21707 (2018-09910)",
      "Pub. L. 91-596, § 5",
      "H.R. 1058, 116th Cong., § 2",
      "S. 47, 116th Cong., § 1",
      "S. Con. Res. 5, 116th Cong.",
      "H. J. Res. 7, 116th Cong.",
      "D.C. Code § 42-3505.31",
      "San Mateo Municipal Code § 10.04.010",
      "San Mateo Charter Art. II, § 2.01",
      "Spanish Fork Ord. No. 12-05",
      "St. Paul Code § 1"
    ]
    for (const citation of citations) {
      const title = HitTitle.format({ ...parts, citation, heading: "Fees. Generally" })

      expect(title).not.toContain(seam)
      expect(HitTitle.read(title)).toEqual({ ...parts, citation, heading: "Fees. Generally" })
    }
  })

  it("keeps commas of a jurisdiction, and brackets and dots of a heading", () => {
    const title = "San Mateo Municipal Code § 10.04.010. No. 5. [Repealed.] [San Mateo, California, historical]"

    expect(HitTitle.read(title)).toEqual({
      citation: "San Mateo Municipal Code § 10.04.010",
      heading: "No. 5. [Repealed.]",
      jurisdiction: "San Mateo, California",
      status: "historical",
      version: ""
    })
  })

  it("of somebody else is read as nothing", () => {
    for (const title of ["", "A page", "A page [2024]", "A page [United States, repealed]", "[in force] A page"]) {
      expect(HitTitle.read(title)).toEqual({})
    }
  })
})
