import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const volume = `<cfrDoc xmlns="http://schemas.gpo.gov/xml/uslm" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <meta><dc:title>Title 99 Lamps Parts 1 to 9</dc:title><docNumber>99</docNumber><docReleasePoint>2017-04-01</docReleasePoint><dc:creator>Office of the Federal Register</dc:creator></meta>
  <preface><docNumber>Title 99</docNumber></preface>
  <main><title><num value="99">Title 99—</num><heading>LAMPS</heading><chapter><num value="I">CHAPTER I—</num><heading>LAMP BUREAU (CONTINUED)</heading>
  <part identifier="/us/cfr/t99/p40"><num value="40">PART 40—</num><heading>OIL</heading>
    <toc><referenceItem><designator>40.1</designator><label>Scope.</label></referenceItem></toc>
    <authority><heading>Authority:</heading> 26 U.S.C. 1.</authority>
    <subpart><num value="A">Subpart A—</num><heading>General</heading>
      <section identifier="/us/cfr/t99/s40.1"><num value="40.1">§ 40.1</num><heading>Scope.</heading><content><p>Oil.</p><p>See <ref href="/us/usc/t26">26 U.S.C. 1</ref>.</p><source>[74 FR 1]</source></content></section>
      <level><heading>Taxes</heading>
        <section identifier="/us/cfr/t99/s40.1"><num value="40.1">§ 40.1a</num><heading>Rates.</heading><content>
          <xhtml:table><xhtml:tr><xhtml:th>Oil<br/>kind</xhtml:th><xhtml:th>Rate</xhtml:th></xhtml:tr><xhtml:tr><xhtml:td>Whale</xhtml:td><xhtml:td>$ 1</xhtml:td></xhtml:tr></xhtml:table></content></section>
        <section role="reserved" identifier="/us/cfr/t99/s40.3-40.5"><num value="40.3-40.5">§§ 40.3–40.5</num><heading>[Reserved]</heading></section>
      </level></subpart>
    <appendix><num>Appendix A to Part 40—</num><heading>Forms</heading><content>Fill in.</content></appendix>
  </part></chapter></title><index><section identifier="/us/cfr/t99/s1.1"><num>§ 1.1</num></section></index></main></cfrDoc>`

describe("a volume of the Code of Federal Regulations", () => {
  it("is a document a part, made by the agency of its chapter", async () => {
    const { documents } = await corpusOf({ "v.xml": volume })

    expect(
      documents.map(({ identity, issuer, title, url, versionDate }) => [identity, title, issuer, versionDate, url])
    ).toEqual([
      [
        "us/cfr/t99/p40",
        "Part 40, Oil",
        "Lamp Bureau",
        "2017-04-01",
        "https://www.ecfr.gov/on/2017-04-01/title-99/part-40"
      ]
    ])
  })

  it("has sections under the number that is printed, where what stands beside it drops a letter", async () => {
    const { section, sections } = await corpusOf({ "v.xml": volume })

    expect(sections.map(({ citation, identity, status }) => [identity, citation, status])).toEqual([
      ["us/cfr/t99/s40.1", "99 C.F.R. § 40.1", "in force"],
      ["us/cfr/t99/s40.1a", "99 C.F.R. § 40.1a", "in force"],
      ["us/cfr/t99/s40.3-40.5", "99 C.F.R. §§ 40.3-40.5", "historical"],
      ["us/cfr/t99/p40/app-A", "99 C.F.R. pt. 40, app. A", "in force"]
    ])
    const { notes, path, text, url } = section("us/cfr/t99/s40.1")
    expect([text, notes]).toEqual(["Oil.\nSee 26 U.S.C. 1.", "[74 FR 1]\nAuthority:\n26 U.S.C. 1."])
    expect(path).toEqual(["Title 99 Lamps", "Chapter I Lamp Bureau (Continued)", "Part 40 Oil", "Subpart A General"])
    expect(url).toBe("https://www.ecfr.gov/on/2017-04-01/title-99/section-40.1")
  })

  it("has a table as a line a row", async () => {
    const { path, text } = (await corpusOf({ "v.xml": volume })).section("us/cfr/t99/s40.1a")

    expect(text).toBe("Oil kind | Rate\nWhale | $ 1")
    expect(path.at(-1)).toBe("Taxes")
  })
})
