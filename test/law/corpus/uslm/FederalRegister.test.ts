import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const item = (
  element: string,
  number: string,
  action: string,
  main: string
) => `<component><${element} identifier="/us/fr/83/frdoc${number}">
  <meta><property role="AGENCY">Lamp Bureau.</property><property role="ACTION">${action}.</property><startingPage>21707</startingPage><docNumber>${number.replace("-", "–")}</docNumber></meta>
  <preface><organization>LAMP BUREAU
  </organization><affected>99 CFR Part 40</affected><property role="DEPDOC">[Docket No. L–1]</property><property role="RIN">RIN 0960–AI16</property>
    <subject>Oil of Lamps</subject><organization><headingText>AGENCY:</headingText> Lamp Bureau.</organization></preface>
  <main>${main}</main><notes><frDocId>[FR Doc. ${number.replace("-", "–")} Filed 5–9–18; 8:45 am]</frDocId></notes></${element}></component>`

const issue = (
  rules: string,
  notices: string
) => `<frDoc xmlns="http://schemas.gpo.gov/xml/uslm" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <meta><dc:title>Federal Register</dc:title><volume>83</volume><dc:date>2018-05-10</dc:date></meta><main><collection>
  <component><meta><dc:title>Contents</dc:title></meta><main><toc><label>Oil of Lamps</label></toc></main></component>
  <component><meta><dc:title>Rules and Regulations</dc:title></meta><main><rules><collection>${rules}</collection></rules></main></component>
  <component><meta><dc:title>Notices</dc:title></meta><main><notices><collection>${notices}</collection></notices></main></component>
  </collection></main></frDoc>`

const rule = `<rulePreamble><statement role="summary"><content><heading>SUMMARY:</heading><p>Less oil.</p></content></statement>
  <statement role="effectiveDate"><content><heading>DATES:</heading><p>Effective <date date="2018-06-01">June 1, 2018</date>.</p></content></statement></rulePreamble>
  <level role="amending"><section role="instruction"><num>■ 1. </num><content>Amend § 40.1 to read:<quotedContent><section><num>§ 40.1</num><content>No oil.</content></section></quotedContent></content></section></level>`

describe("an issue of the Federal Register", () => {
  it("is a document a rule and a notice, as each is cited", async () => {
    const { documents, section } = await corpusOf({
      "fr.xml": issue(
        item("rule", "2018-09910", "Final rule", rule),
        item("notice", "2018-09921", "Notice of meeting", "<content><p>We meet.</p></content>")
      )
    })

    expect(
      documents.map(({ identity, issuer, title, url, version, versionDate }) => [
        identity,
        title,
        issuer,
        version,
        versionDate,
        url
      ])
    ).toEqual([
      [
        "us/fr/2018-09910",
        "Oil of Lamps",
        "Lamp Bureau",
        "Final rule",
        "2018-05-10",
        "https://www.federalregister.gov/d/2018-09910"
      ],
      [
        "us/fr/2018-09921",
        "Oil of Lamps",
        "Lamp Bureau",
        "Notice of meeting",
        "2018-05-10",
        "https://www.federalregister.gov/d/2018-09921"
      ]
    ])
    const { alsoCited, citation, effective, notes, status, text } = section("us/fr/2018-09910")
    expect(citation).toBe("83 Fed. Reg. 21707 (2018-09910)")
    expect(alsoCited).toEqual(["83 FR 21707", "FR Doc. 2018-09910", "Docket No. L-1", "RIN 0960-AI16"])
    expect([status, effective]).toEqual(["in force", "2018-06-01"])
    expect(text.split("\n")).toEqual([
      "SUMMARY: Less oil.",
      "DATES: Effective June 1, 2018.",
      "■ 1. Amend § 40.1 to read:",
      "§ 40.1 No oil."
    ])
    expect(notes).toContain("99 CFR Part 40")
    expect(section("us/fr/2018-09921").status).toBe("guidance")
  })

  it("has a proposed rule as guidance, not as law", async () => {
    const { section } = await corpusOf({ "fr.xml": issue(item("rule", "2018-1", "Proposed rule", rule), "") })

    expect([section("us/fr/2018-1").status, section("us/fr/2018-1").effective]).toEqual(["guidance", undefined])
  })

  it("has what the President signs as adopted", async () => {
    const signed = `<component><presidentialDoc identifier="/us/fr/83/frdoc2018-3"><meta><dc:title>Order of May 9</dc:title><dc:subject>Lamps</dc:subject>
      <startingPage>7</startingPage><docNumber>2018–3</docNumber></meta><main><content><p>Let there be light.</p></content></main></presidentialDoc></component>`
    const { documents, section } = await corpusOf({ "fr.xml": issue(signed, "") })

    expect(documents.map(({ issuer, title, version }) => [issuer, title, version])).toEqual([
      ["President of the United States", "Lamps", "Order of May 9"]
    ])
    expect([section("us/fr/2018-3").status, section("us/fr/2018-3").text]).toEqual(["in force", "Let there be light."])
  })

  it("comes in parts where it is long, cut at headings, no word twice", async () => {
    const words = Array.from({ length: 900 }, (_, at) => `word${at}`)
    const long = `<content><p>${words.join(" ")}</p><p>${words.join("x ")}</p><heading>Costs</heading><p>They are small.</p></content>`
    const { sections } = await corpusOf({ "fr.xml": issue("", item("notice", "2018-2", "Notice", long)) })

    expect(
      sections.map(({ citation, heading, identity, url }) => [identity, heading, citation, url.replace(/.*\/d\//, "")])
    ).toEqual([
      ["us/fr/2018-2", "Oil of Lamps", "83 Fed. Reg. 21707 (2018-2)", "2018-2"],
      ["us/fr/2018-2/s1", "Costs", "83 Fed. Reg. 21707 (2018-2), part 1", "2018-2#s1"]
    ])
    expect(sections[1]?.text).toBe("Costs\nThey are small.")
    expect(sections[0]?.text).not.toContain("They are small")
  })
})
