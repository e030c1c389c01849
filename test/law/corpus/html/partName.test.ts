import { describe, expect, it } from "vitest"
import { partName } from "#law/corpus/html/Html"
import { titledCodes } from "#law/text/titledCodes"
import { corpusOf } from "../corpusOf.ts"
import { vsa } from "./vsa.ts"

const level = (prefix: string, number: string, heading = "") => ({ prefix, number, heading })
const vermont = titledCodes.find(({ root }) => root === "us-vt")

describe("the name of a section of a code in HTML", () => {
  it("is its title and number where the state cites its law so", () => {
    expect(partName("2451", [level("Title", "09"), level("Chapter", "63")], "V", vermont)).toEqual({
      key: "t9/s2451",
      citation: "9 V.S.A. § 2451",
      alsoCited: ["Vt. Stat. Ann. tit. 9, § 2451"]
    })
    expect(partName("1-101", [level("TITLE", "9A")], "V", vermont).key).toBe("t9a/s1-101")
  })

  it("has the chapter too in the appendix of a title, which counts anew in each", () => {
    const levels = [level("Title", "24", "APPENDIX Charters"), level("Chapter", "1")]

    expect(partName("3", levels, "V", vermont)).toMatchObject({
      key: "t24-app/ch1/s3",
      citation: "24 App. V.S.A. ch. 1, § 3"
    })
  })

  it("is the number alone where that is whole, and stands behind its levels where it is not", () => {
    expect(partName("6.08.010", [level("Title", "6")], "Oakville Code", undefined).key).toBe("6.08.010")
    expect(partName("12", [level("Title", "6"), level("Chapter", "2")], "Oakville Code", undefined)).toEqual({
      key: "t6/s12",
      citation: "Oakville Code, Title 6, § 12",
      alsoCited: []
    })
    expect(partName("12", [level("Article", "IV")], "Oakville Code", undefined).key).toBe("art-iv/s12")
  })
})

describe("a code of a state in HTML, in releases", () => {
  it("has its sections by title and number, letters and all, each release a version of its own", async () => {
    const { documents, sections, skipped } = await corpusOf({
      "r81/gov.vt.vsa.title.09.html": vsa(81),
      "r82/gov.vt.vsa.title.09.html": vsa(82, "It is to protect everybody.")
    })

    expect(sections.map(({ citation, identity, version }) => [identity, citation, version])).toEqual(
      ["Release 81", "Release 82"].flatMap((release) => [
        ["us-vt/code/t9/s1631", "9 V.S.A. § 1631", release],
        ["us-vt/code/t9/s2451", "9 V.S.A. § 2451", release],
        ["us-vt/code/t9/s2470aa", "9 V.S.A. § 2470aa", release]
      ])
    )
    expect(new Set(sections.map(({ url }) => url)).size).toBe(6)
    expect(
      documents.map(({ collection, collectionName, identity, jurisdiction, title }) => [
        identity,
        title,
        jurisdiction,
        collection,
        collectionName
      ])[0]
    ).toEqual(["us-vt/code/t9", "Title 9, Commerce and Trade", "Vermont", "state-code", "Vermont Statutes Annotated"])
    expect(skipped).toEqual([])
  })

  it("has what was repealed as its history, and annotations beside the law", async () => {
    const { section } = await corpusOf({ "a.html": vsa(81) })

    expect(section("us-vt/code/t9/s1631")).toMatchObject({
      status: "historical",
      text: "",
      notes: "Former §§ 1631 and 1632 were derived from V.S. 1947."
    })
    const { notes, path, text } = section("us-vt/code/t9/s2451")
    expect(text).toBe("The purpose of this chapter is to protect the public.")
    expect(notes).toContain("A case of it.")
    expect(path).toEqual(["Title 9 Commerce and Trade", "Chapter 63 Consumer Protection"])
  })

  it("takes the release from the folder where the page does not say it", async () => {
    const bare = vsa(81).replace(/<meta content="Release[^>]*>/, "")
    const { sections } = await corpusOf({ "r81/t9.html": bare, "r82/t9.html": bare }, { jurisdiction: "Vermont" })

    expect(new Set(sections.map(({ version }) => version))).toEqual(new Set(["Release 81", "Release 82"]))
    expect(sections).toHaveLength(6)
  })
})
