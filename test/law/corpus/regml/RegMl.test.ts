import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const regulation = (
  date: string
) => `<regulation xmlns="eregs"><fdsys><cfrTitleNum>12</cfrTitleNum><cfrTitleText>Banks and Banking</cfrTitleText><title>LAMP TRANSFERS</title></fdsys>
  <preamble><agency>Bureau of Lamps</agency><regLetter>L</regLetter><cfr><title>12</title><section>1099</section></cfr><documentNumber>2016-1</documentNumber><effectiveDate>${date}</effectiveDate></preamble>
  <part label="1099"><tableOfContents><tocSecEntry target="1099-6"><sectionNum>6</sectionNum><sectionSubject>§ 1099.6 Liability.</sectionSubject></tocSecEntry></tableOfContents>
  <content><subpart subpartLetter="A" label="1099-Subpart-A"><title>General</title><content>
    <section label="1099-6" sectionNum="6"><subject>§ 1099.6 Liability of consumers.</subject>
      <paragraph label="1099-6-p1" marker=""><content>In <ref target="1099-2">this</ref> section:</content></paragraph>
      <paragraph label="1099-6-a" marker="(a)"><title type="keyterm">Limits.</title><content>No more than $ 50.</content>
        <paragraph label="1099-6-a-1" marker="(1)"><content>Or <dash>less</dash>.<footnote ref="1">See elsewhere.</footnote></content></paragraph></paragraph></section>
    <section label="1099-7" sectionNum="7"><subject>§ 1099.7 [Reserved]</subject><reserved/></section></content></subpart>
    <appendix appendixLetter="A" label="1099-A"><appendixTitle>Appendix A to Part 1099—Model Forms</appendixTitle>
      <appendixSection label="1099-A-1"><subject>A-1—Notice</subject><paragraph marker=""><content>Tell us.<graphic><text>![](x)</text><url>http://x</url></graphic></content></paragraph></appendixSection></appendix>
    <interpretations label="1099-Interp"><title>Supplement I</title>
      <interpSection label="1099-6-Interp" sectionNum="6"><title>Section 1099.6 Liability of Consumers</title>
        <interpParagraph label="1099-6-a-Interp" marker="Interp" target="1099-6-a"><title>6(a) Limits</title><content/>
          <interpParagraph label="1099-6-a-Interp-1" marker="1."><title>Examples.</title><content>A lost lamp.</content></interpParagraph></interpParagraph></interpSection>
      <interpSection label="1099-A-Interp"><title>Appendix A—Model Forms</title><interpParagraph marker="1."><content>Use them.</content></interpParagraph></interpSection>
    </interpretations></content></part>
  <analysis><analysisSection><analysisParagraph>Commenters said much.</analysisParagraph></analysisSection></analysis></regulation>`

describe("a regulation in RegML", () => {
  it("is two documents: the regulation, and its interpretations, by the names that people use", async () => {
    const { documents } = await corpusOf({ "r.xml": regulation("2016-11-14") })

    expect(
      documents.map(({ collection, identity, issuer, names, title, url }) => [
        identity,
        collection,
        issuer,
        title,
        names,
        url
      ])
    ).toEqual([
      [
        "us/cfr/t12/p1099",
        "cfr",
        "Bureau of Lamps",
        "Lamp Transfers (Regulation L)",
        ["Regulation L", "Reg. L"],
        "https://www.consumerfinance.gov/rules-policy/regulations/1099/2016-11-14/"
      ],
      [
        "us/cfr/t12/p1099/interp",
        "interpretation",
        "Bureau of Lamps",
        "Official Interpretations of Part 1099, Lamp Transfers (Regulation L)",
        ["Regulation L", "Reg. L", "Supplement I to Part 1099"],
        "https://www.consumerfinance.gov/rules-policy/regulations/1099/2016-11-14/interp/"
      ]
    ])
  })

  it("has sections, appendices and interpretations, each cited and found in its own way", async () => {
    const { sections } = await corpusOf({ "r.xml": regulation("2016-11-14") })

    expect(
      sections.map(({ citation, document, heading, identity, status, url }) => [
        identity,
        document,
        citation,
        heading,
        status,
        url.replace(/.*2016-11-14/, "")
      ])
    ).toEqual([
      ["us/cfr/t12/s1099.6", "us/cfr/t12/p1099", "12 C.F.R. § 1099.6", "Liability of consumers", "in force", "/6/"],
      ["us/cfr/t12/s1099.7", "us/cfr/t12/p1099", "12 C.F.R. § 1099.7", "[Reserved]", "historical", "/7/"],
      ["us/cfr/t12/p1099/app-A", "us/cfr/t12/p1099", "12 C.F.R. pt. 1099, app. A", "Model Forms", "in force", "/A/"],
      [
        "us/cfr/t12/s1099.6/interp",
        "us/cfr/t12/p1099/interp",
        "12 C.F.R. pt. 1099, Supp. I, § 1099.6",
        "Liability of Consumers",
        "guidance",
        "/interp-6/"
      ],
      [
        "us/cfr/t12/p1099/app-A/interp",
        "us/cfr/t12/p1099/interp",
        "12 C.F.R. pt. 1099, Supp. I, app. A",
        "Appendix A—Model Forms",
        "guidance",
        "/interp-a/"
      ]
    ])
  })

  it("has paragraphs as lines, with the numbers that stand beside them", async () => {
    const { section, skipped } = await corpusOf({ "r.xml": regulation("2016-11-14") })

    const { alsoCited, effective, notes, path, text } = section("us/cfr/t12/s1099.6")
    expect(text.split("\n")).toEqual(["In this section:", "(a) Limits. No more than $ 50.", "(1) Or less."])
    expect(notes).toBe("See elsewhere.")
    expect([alsoCited, effective]).toEqual([["Regulation L § 1099.6"], "2016-11-14"])
    expect(path).toEqual(["Title 12 Banks and Banking", "Part 1099 Lamp Transfers (Regulation L)", "Subpart A General"])
    expect(section("us/cfr/t12/s1099.6/interp").text).toBe("6(a) Limits\n1. Examples. A lost lamp.")
    expect(section("us/cfr/t12/p1099/app-A").text).toBe("A-1—Notice\nTell us.")
    expect(skipped.map(({ line, why }) => [line, why])).toEqual([
      [18, "what the agency said of its rules, section by section"]
    ])
  })

  it("names a section the same in two versions, and its URLs apart", async () => {
    const { sections } = await corpusOf({ "a.xml": regulation("2012-01-01"), "b.xml": regulation("2016-11-14") })

    expect(sections.filter(({ identity }) => identity === "us/cfr/t12/s1099.6").map(({ version }) => version)).toEqual([
      "2012-01-01",
      "2016-11-14"
    ])
    expect(new Set(sections.map(({ url }) => url)).size).toBe(10)
  })

  it("is no law where it says what changes, and says so", async () => {
    const whole = regulation("2016-11-14")
    const { sections, skipped } = await corpusOf({
      "marks.xml": whole.replace("No more than $ 50.", "No more than <del>$ 50</del><ins>$ 60</ins>."),
      "notice.xml":
        '<notice xmlns="eregs"><changeset><change operation="deleted" label="1099-6-a"/></changeset></notice>',
      "set.xml":
        '<regulation xmlns="eregs"><fdsys/><preamble/><changeset><change operation="added"/></changeset></regulation>'
    })

    expect(sections).toEqual([])
    expect(new Set(skipped.map(({ file, why }) => `${file}: ${why.replace(/: .*/, "")}`))).toEqual(
      new Set(
        ["marks.xml", "notice.xml", "set.xml"].map(
          (file) => `${file}: it lists changes to a regulation and is not the regulation`
        )
      )
    )
  })

  it("has a section by the number that two of its three witnesses say", async () => {
    const written = (label: string, sectionNum: string, printed: string) =>
      `<section label="1099-${label}" sectionNum="${sectionNum}"><subject>§ 1099.${printed} Lamps.</subject><paragraph label="1099-x" marker=""><content>Text.</content></paragraph></section>`
    const part = `${written("10", "15", "10")}${written("11", "11", "99")}${written("3", "12", "12")}`
    const { sections } = await corpusOf({
      "r.xml": regulation("2016-11-14").replace("<section ", `${part}<section `)
    })

    expect(sections.slice(0, 3).map(({ identity }) => identity)).toEqual([
      "us/cfr/t12/s1099.10",
      "us/cfr/t12/s1099.11",
      "us/cfr/t12/s1099.12"
    ])
  })
})
