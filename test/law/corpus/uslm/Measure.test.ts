import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const bill = (stage: string, code: string, action: string, main: string, type = "HR") =>
  `<bill xmlns="http://schemas.gpo.gov/xml/uslm" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <meta><dc:title>116 ${type} 58 ${code}: To trim lamps.</dc:title><docNumber>58</docNumber><citableAs>116 ${type} 58 ${code}</citableAs><citableAs>116hr58${code.toLowerCase()}</citableAs>
    <docStage>${stage}</docStage><currentChamber>SENATE</currentChamber><congress>116</congress></meta>
  <preface>${action}</preface><main><longTitle><officialTitle>To trim lamps.</officialTitle></longTitle>${main}</main></bill>`

const trim = `<section><num value="1">SECTION 1. </num><heading>SHORT TITLE.</heading><content>This is the “<shortTitle>Trim Act</shortTitle>”.</content></section>
  <section><num value="2">SEC. 2. </num><heading>TRIMMING.</heading><chapeau>The Lamp Act <amendingAction type="amend">is amended</amendingAction>—</chapeau>
    <paragraph><num value="1">(1) </num><content>by adding <quotedContent><section><num>“SEC. 9.</num><heading>OIL.</heading><content>None.”</content></section></quotedContent></content></paragraph></section>`

describe("a bill", () => {
  it("is one measure in its stages, each with its day, its URL and its citation", async () => {
    const { documents, section, sections } = await corpusOf({
      "enr.xml": bill("Enrolled Bill", "ENR", "", trim),
      "rds.xml": bill("Received in Senate", "RDS", "<action><date>July 25, 2019</date></action>", trim)
    })

    expect(
      documents.map(({ identity, names, title, version, versionDate }) => [
        identity,
        title,
        names,
        version,
        versionDate
      ])
    ).toEqual([
      ["us/bill/116/hr58", "H.R. 58, To trim lamps", ["Trim Act"], "Enrolled Bill", undefined],
      ["us/bill/116/hr58", "H.R. 58, To trim lamps", ["Trim Act"], "Received in Senate", "2019-07-25"]
    ])
    expect(sections.map(({ identity, status, url }) => [identity, status, url])).toEqual([
      ["us/bill/116/hr58/s1", "bill", "https://www.congress.gov/bill/116th-congress/house-bill/58/text/enr#s1"],
      ["us/bill/116/hr58/s2", "bill", "https://www.congress.gov/bill/116th-congress/house-bill/58/text/enr#s2"],
      ["us/bill/116/hr58/s1", "bill", "https://www.congress.gov/bill/116th-congress/house-bill/58/text/rds#s1"],
      ["us/bill/116/hr58/s2", "bill", "https://www.congress.gov/bill/116th-congress/house-bill/58/text/rds#s2"]
    ])
    const { alsoCited, citation, heading, text } = section("us/bill/116/hr58/s2")
    expect([citation, alsoCited, heading]).toEqual(["H.R. 58, 116th Cong., § 2", ["116 HR 58 ENR § 2"], "TRIMMING"])
    expect(text.split("\n")).toEqual(["The Lamp Act is amended—", "(1) by adding", "“SEC. 9. OIL. None.”"])
  })

  it("has the money of a title as one part, a heading a line", async () => {
    const money = `<title><num value="I">TITLE I</num><heading>LAMPS</heading><appropriations><heading>Office of Oil</heading></appropriations>
      <appropriations><content>For oil, $ 5.</content></appropriations><section><num value="101">Sec. 101. </num><content>More oil.</content></section>
      <section><content>This is the “<shortTitle>Oil Act</shortTitle>”.</content></section></title>`
    const { section, sections } = await corpusOf({ "ih.xml": bill("Introduced in Senate", "IS", "", money, "S") })

    expect(sections.map(({ citation }) => citation)).toEqual([
      "S. 58, 116th Cong., § 101",
      "S. 58, 116th Cong., short title",
      "S. 58, 116th Cong., title I"
    ])
    expect(section("us/bill/116/s58/tI").text).toBe("Office of Oil\nFor oil, $ 5.")
  })

  it("has the recitals of a resolution as its preamble", async () => {
    const recitals = `<preamble><recital>Whereas lamps are dim;</recital></preamble><section><content>That lamps be trimmed.</content></section>`
    const { section } = await corpusOf({ "r.xml": bill("Introduced in House", "IH", "", recitals, "HJRES") })

    expect(section("us/bill/116/hjres58/preamble").text).toBe("Whereas lamps are dim;")
    expect(section("us/bill/116/hjres58/s1").citation).toBe("H.J. Res. 58, 116th Cong., § 1")
  })
})
