import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

/** Written after the publisher's guide: https://github.com/usgpo/bulk-data/blob/main/FR-XML_User-Guide.md */
const issue = `<?xml version="1.0"?>
<FEDREG>
  <VOL>73</VOL>
  <NO>47</NO>
  <DATE>Monday, March 10, 2008</DATE>
  <UNITNAME>Contents</UNITNAME>
  <CNTNTS><AGCY><HD>Nuclear Regulatory Commission</HD></AGCY></CNTNTS>
  <UNITNAME>Rules and Regulations</UNITNAME>
  <RULES>
    <RULE>
      <PREAMB>
        <PRTPAGE P="12627"/>
        <AGENCY TYPE="F">NUCLEAR REGULATORY COMMISSION</AGENCY>
        <CFR>10 CFR Part 2</CFR>
        <DEPDOC>[NRC-2008-0070]</DEPDOC>
        <RIN>RIN 3150-AI08</RIN>
        <SUBJECT>Interlocutory Review of Rulings on Requests by Potential Parties</SUBJECT>
        <AGY><HD SOURCE="HED">AGENCY:</HD><P>Nuclear Regulatory Commission.</P></AGY>
        <ACT><HD SOURCE="HED">ACTION:</HD><P>Final rule.</P></ACT>
        <SUM><HD SOURCE="HED">SUMMARY:</HD><P>The Commission amends its rules.</P></SUM>
        <EFFDATE><HD SOURCE="HED">DATES:</HD><P>The rule is effective April 9, 2008.</P></EFFDATE>
      </PREAMB>
      <SUPLINF><HD SOURCE="HED">SUPPLEMENTARY INFORMATION:</HD><P>A rule of <E T="03">access</E>.<SU>1</SU><FTREF/> It goes on, see <XREF ID="a">part 2</XREF>.</P><PRTPAGE P="12628"/>
        <REGTEXT TITLE="10" PART="2"><AMDPAR>1. The authority is revised.</AMDPAR><SECTION><SECTNO>§ 2.311</SECTNO><SUBJECT>Interlocutory review.</SUBJECT><P>(a) In this section.</P></SECTION></REGTEXT>
      </SUPLINF>
      <SIG><DATED>Dated at Rockville, Maryland, this 4th day of March, 2008.</DATED></SIG>
      <FRDOC>[FR Doc. E8-4768 Filed 3-7-08; 8:45 am]</FRDOC>
      <BILCOD>BILLING CODE 7590-01-P</BILCOD>
    </RULE>
  </RULES>
  <UNITNAME>Proposed Rules</UNITNAME>
  <PRORULES><PRORULE><PREAMB><AGENCY TYPE="S">DEPARTMENT OF LABOR</AGENCY><SUBAGY>Wage and Hour Division</SUBAGY><CFR>29 CFR Parts 4 and 5</CFR>
    <SUBJECT>Wages</SUBJECT><ACT><HD SOURCE="HED">ACTION:</HD><P>Proposed rule.</P></ACT></PREAMB><SUPLINF><P>Wages may rise.</P></SUPLINF>
    <FRDOC>[FR Doc. E8-4700 Filed 3-7-08; 8:45 am]</FRDOC></PRORULE></PRORULES>
  <UNITNAME>Notices</UNITNAME>
  <NOTICES><NOTICE><PREAMB><PRTPAGE P="12700"/><AGENCY TYPE="N">DEPARTMENT OF LABOR</AGENCY><SUBJECT>A Meeting</SUBJECT></PREAMB><P>We meet.</P>
    <FRDOC>[FR Doc. E8-4701 Filed 3-7-08; 8:45 am]</FRDOC></NOTICE><NOTICE><PREAMB><SUBJECT>No number</SUBJECT></PREAMB></NOTICE></NOTICES>
  <NEWPART><PTITLE><PRTPAGE P="12801"/><PARTNO>Part IV</PARTNO></PTITLE><PRESDOCS><PRESDOCU><PRNOTICE><TITLE3>Title 3—</TITLE3><PRES>The President<PRTPAGE P="12803"/></PRES>
    <PNOTICE>Notice of March 6, 2008</PNOTICE><HD SOURCE="HED">Continuation of an Emergency</HD><FP>It goes on.</FP><FRDOC>[FR Doc. 08-999</FRDOC><FILED>Filed 3-7-08; 8:45 am]</FILED></PRNOTICE></PRESDOCU></PRESDOCS></NEWPART>
</FEDREG>`

describe("an issue of the Federal Register in bulk", () => {
  it("has its documents with citation, docket, days and agencies", async () => {
    const { documents, errors, files, sections, skipped } = await corpusOf({ "FR-2008-03-10.xml": issue })

    expect([errors, files[0]?.format]).toEqual([[], "federal-register"])
    expect(
      sections.map(({ citation, effective, identity, path, status, version }) => [
        identity,
        citation,
        status,
        version,
        effective,
        path
      ])
    ).toEqual([
      [
        "us/fr/E8-4768",
        "73 Fed. Reg. 12627 (E8-4768)",
        "in force",
        "Final rule",
        "2008-04-09",
        ["Rules and Regulations", "Nuclear Regulatory Commission"]
      ],
      [
        "us/fr/E8-4700",
        "73 Fed. Reg. 12628 (E8-4700)",
        "guidance",
        "Proposed rule",
        undefined,
        ["Proposed Rules", "Department of Labor", "Wage and Hour Division"]
      ],
      [
        "us/fr/E8-4701",
        "73 Fed. Reg. 12700 (E8-4701)",
        "guidance",
        "notice",
        undefined,
        ["Notices", "Department of Labor"]
      ],
      ["us/fr/08-999", "73 Fed. Reg. 12803 (08-999)", "in force", "Notice of March 6, 2008", undefined, ["Notices"]]
    ])
    expect(sections[0]?.alsoCited).toEqual(["73 FR 12627", "FR Doc. E8-4768", "NRC-2008-0070", "RIN 3150-AI08"])
    expect(sections.map(({ heading }) => heading)).toEqual([
      "Interlocutory Review of Rulings on Requests by Potential Parties",
      "Wages",
      "A Meeting",
      "Continuation of an Emergency"
    ])
    expect(documents[0]).toMatchObject({ issuer: "Nuclear Regulatory Commission", versionDate: "2008-03-10" })
    expect(documents[3]).toMatchObject({ issuer: "President of the United States" })
    expect(skipped.map(({ why }) => why)).toEqual(["a notice without a number"])
  })

  it("has all text of a rule, and the parts of the code that it changes in its notes", async () => {
    const { section } = await corpusOf({ "FR-2008-03-10.xml": issue })
    const { notes, text } = section("us/fr/E8-4768")

    for (const said of [
      "ACTION: Final rule.",
      "SUMMARY: The Commission amends its rules.",
      "DATES: The rule is effective April 9, 2008.",
      "A rule of access.",
      "1. The authority is revised.",
      "§ 2.311",
      "(a) In this section.",
      "Dated at Rockville"
    ])
      expect(text).toContain(said)
    expect(notes.split("\n")).toEqual(
      expect.arrayContaining(
        ["Nuclear Regulatory Commission", "10 CFR Part 2", "RIN 3150-AI08"].map((one) =>
          expect.stringMatching(new RegExp(one, "i"))
        )
      )
    )
  })
})
