import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

/** Written after the examples of the publisher's guide: https://github.com/usgpo/bulk-data/blob/main/ECFR-XML-User-Guide.md */
const title5 = `<?xml version="1.0" encoding="UTF-8" ?>
<DLPSTEXTCLASS>
<HEADER><FILEDESC><TITLESTMT><TITLE>Title 5: Administrative Personnel</TITLE><AUTHOR TYPE="nameinv"></AUTHOR></TITLESTMT>
<PUBLICATIONSTMT><PUBLISHER></PUBLISHER><PUBPLACE></PUBPLACE><IDNO TYPE="title">5</IDNO><DATE></DATE></PUBLICATIONSTMT></FILEDESC></HEADER>
<TEXT><BODY><ECFRBRWS>
<AMDDATE>Dec. 29, 2022
</AMDDATE>
<DIV1 N="1" NODE="5:1" TYPE="TITLE">
<HEAD>Title 5—Administrative Personnel--Volume 1</HEAD>
<CFRTOC><PTHD>Part </PTHD><CHAPTI><SUBJECT><E T="04">chapter i</E>—Office of Personnel Management</SUBJECT></CHAPTI></CFRTOC>
<DIV3 N="I" NODE="5:1.0.1" TYPE="CHAPTER">
<HEAD> CHAPTER I—OFFICE OF PERSONNEL MANAGEMENT</HEAD>
<DIV4 N="B" NODE="5:1.0.1.2" TYPE="SUBCHAP">
<HEAD>SUBCHAPTER B—CIVIL SERVICE REGULATIONS</HEAD>
<DIV5 N="151" NODE="5:1.0.1.2.12" TYPE="PART">
<HEAD>PART 151—POLITICAL ACTIVITY OF STATE OR LOCAL OFFICERS OR EMPLOYEES</HEAD>
<AUTH><HED>Authority:</HED><PSPACE>5 U.S.C. 1302, 1501-1508, as amended.</PSPACE></AUTH>
<SOURCE><HED>Source:</HED><PSPACE>40 FR 42733, Sept. 16, 1975, unless otherwise noted.</PSPACE></SOURCE>
<DIV6 N="A" NODE="5:1.0.1.2.12.1" TYPE="SUBPART"><HEAD>Subpart A—General Provisions</HEAD>
<DIV7 N="1" NODE="5:1.0.1.2.12.1.1" TYPE="SUBJGRP"><HEAD>General Provisions</HEAD>
<DIV8 N="§ 151.101" NODE="5:1.0.1.2.12.1.1.1" TYPE="SECTION">
<HEAD>§ 151.101   Definitions.</HEAD>
<P>In this part: </P>
<P>(a) <I>State</I> means a State or territory or possession of the United States. </P>
<P>(b) <I>State or local agency</I> means:</P>
<P>(1) The executive branch of a State, municipality, or other political subdivision of a State, or an agency or department thereof; or</P>
<CITA TYPE="N">[40 FR 42733, Sept. 16, 1975, as amended at 79 FR 25484, May 5, 2014]
</CITA>
</DIV8>
<DIV8 N="§§ 151.102-151.110" NODE="5:1.0.1.2.12.1.1.2" TYPE="SECTION"><HEAD>§§ 151.102-151.110   [Reserved]</HEAD></DIV8>
</DIV7></DIV6>
<DIV9 N="Appendix A" NODE="5:1.0.1.2.12.2.1.1.16" TYPE="APPENDIX">
  <HEAD>Appendix A to Part 151—Covered Agencies</HEAD>
  <img src="http://www.ecfr.gov/graphics/er28mr12.000.gif"/>
  <DIV width="100%"><TABLE><TR><TH scope="col">Agency</TH></TR><TR><TD>Labor</TD></TR></TABLE></DIV>
</DIV9>
</DIV5></DIV4></DIV3></DIV1>
</ECFRBRWS></BODY></TEXT></DLPSTEXTCLASS>`

describe("a title of the eCFR in bulk", () => {
  it("has the sections of the code under their identities, as of the day of its last change", async () => {
    const { documents, errors, files, sections, skipped } = await corpusOf({ "ECFR-title5.xml": title5 })

    expect([errors, skipped, files[0]?.format]).toEqual([[], [], "ecfr"])
    expect(documents).toMatchObject([
      {
        identity: "us/cfr/t5/p151",
        title: "Part 151, Political Activity of State or Local Officers or Employees",
        issuer: "Office of Personnel Management",
        collection: "cfr",
        version: "2022-12-29",
        versionDate: "2022-12-29",
        url: "https://www.ecfr.gov/on/2022-12-29/title-5/part-151"
      }
    ])
    expect(sections.map(({ citation, heading, identity, status }) => [identity, citation, heading, status])).toEqual([
      ["us/cfr/t5/s151.101", "5 C.F.R. § 151.101", "Definitions", "in force"],
      ["us/cfr/t5/s151.102-151.110", "5 C.F.R. §§ 151.102-151.110", "Reserved", "historical"],
      ["us/cfr/t5/p151/app-A", "5 C.F.R. pt. 151, app. A", "Covered Agencies", "in force"]
    ])
  })

  it("has its levels as the path, its paragraphs as lines, and sources and authorities as notes", async () => {
    const { section } = await corpusOf({ "ECFR-title5.xml": title5 })
    const { line, notes, path, text } = section("us/cfr/t5/s151.101")

    expect(path).toEqual([
      "Title 5 Administrative Personnel",
      "Chapter I Office of Personnel Management",
      "Subchapter B Civil Service Regulations",
      "Part 151 Political Activity of State or Local Officers or Employees",
      "Subpart A General Provisions",
      "General Provisions"
    ])
    expect(text.split("\n").slice(0, 3)).toEqual([
      "In this part:",
      "(a) State means a State or territory or possession of the United States.",
      "(b) State or local agency means:"
    ])
    expect(notes.split("\n")).toEqual([
      "[40 FR 42733, Sept. 16, 1975, as amended at 79 FR 25484, May 5, 2014]",
      "Authority:",
      "5 U.S.C. 1302, 1501-1508, as amended.",
      "Source:",
      "40 FR 42733, Sept. 16, 1975, unless otherwise noted."
    ])
    expect(line).toBe(21)
    expect(section("us/cfr/t5/p151/app-A").text).toBe("Agency\nLabor")
  })

  it("may have several volumes, each with its day, and a part that goes on in the next one", async () => {
    const volume = (day: string, number: number, section: string) => `<ECFRBRWS><AMDDATE>${day}(fm)
</AMDDATE><DIV1 N="${number}" NODE="40:${number}" TYPE="TITLE"><HEAD>Title 40—Protection of Environment--Volume ${number}</HEAD>
<DIV5 N="52" NODE="40:${number}.0.1" TYPE="PART"><HEAD>PART 52—PLANS${number === 1 ? "" : " (CONTINUED)"}</HEAD>
<DIV8 N="§ ${section}" TYPE="SECTION"><HEAD>§ ${section}   A plan.</HEAD><P>It is approved.</P></DIV8></DIV5>
<DIV5 N="53–59" TYPE="PART"><HEAD>PARTS 53–59 [RESERVED]</HEAD></DIV5></DIV1></ECFRBRWS>`
    const { documents, files, sections, skipped } = await corpusOf({
      "ECFR-title40.xml": `<DLPSTEXTCLASS><HEADER><FILEDESC><PUBLICATIONSTMT><IDNO TYPE="title">
40</IDNO></PUBLICATIONSTMT></FILEDESC></HEADER><TEXT><BODY>${volume("Dec. 29, 2022", 1, "52.1")}${volume("Jan. 5, 2023", 2, "52.2")}</BODY></TEXT></DLPSTEXTCLASS>`
    })

    expect([files[0]?.error, skipped.map(({ line, why }) => [line, why])]).toEqual([
      undefined,
      [
        [6, "a level without sections: Part 53–59 [Reserved]"],
        [10, "a level without sections: Part 53–59 [Reserved]"]
      ]
    ])
    expect(sections.map(({ citation, document, path, version }) => [citation, document, version, path[0]])).toEqual([
      ["40 C.F.R. § 52.1", "us/cfr/t40/p52", "2022-12-29", "Title 40 Protection of Environment"],
      ["40 C.F.R. § 52.2", "us/cfr/t40/p52", "2023-01-05", "Title 40 Protection of Environment"]
    ])
    expect(documents.map(({ identity, version }) => [identity, version])).toEqual([
      ["us/cfr/t40/p52", "2022-12-29"],
      ["us/cfr/t40/p52", "2023-01-05"]
    ])
  })

  it("is read as the interface of ecfr.gov gives it, where volumes have their day as an attribute", async () => {
    const { files, sections } = await corpusOf({
      "title-2.xml": `<?xml version="1.0" encoding="UTF-8"?>
<ECFR><VOLUME N="1" AMDDATE="Oct. 1, 2024"/><DIV1 N="2" TYPE="TITLE"><HEAD>Title 2—Federal Financial Assistance</HEAD>
<DIV2 N="A" TYPE="SUBTITLE"><HEAD>Subtitle A—Office of Management and Budget</HEAD><DIV5 N="1" TYPE="PART"><HEAD>PART 1—ABOUT</HEAD>
<DIV8 N="1.100" TYPE="SECTION"><HEAD>§ 1.100 Content.</HEAD><P>This title has guidance.</P></DIV8></DIV5></DIV2></DIV1></ECFR>`
    })

    expect(files[0]?.format).toBe("ecfr")
    expect(sections).toMatchObject([
      { identity: "us/cfr/t2/s1.100", heading: "Content", version: "2024-10-01", text: "This title has guidance." }
    ])
  })

  it("is left out if it is another text with that root", async () => {
    const { sections, skipped } = await corpusOf({
      "a.xml": `<DLPSTEXTCLASS><HEADER/><TEXT><BODY><DIV1><P>A poem.</P></DIV1></BODY></TEXT></DLPSTEXTCLASS>`
    })

    expect([sections, skipped.map(({ why }) => why)]).toEqual([[], ["it has no section of the eCFR"]])
  })
})
