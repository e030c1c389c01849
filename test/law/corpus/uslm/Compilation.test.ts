import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const act = (
  meta: string,
  identifier: string
) => `<statuteCompilation xmlns="http://schemas.gpo.gov/xml/uslm" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <meta><dc:title>LAMP SAFETY ACT OF 1970</dc:title><currentThroughPublicLaw>116–92</currentThroughPublicLaw><approvedDate>1970-12-29</approvedDate>${meta}</meta>
  <preface><editionNote>[As Amended Through P.L. 116–92, Enacted <date date="2019-12-20">December 20, 2019</date>]</editionNote></preface>
  <main><longTitle><officialTitle>To make lamps safe.</officialTitle></longTitle>
  <section role="undesignated-level"><content>That this Act may be cited as the “<shortTitle>Lamp Act</shortTitle>”.</content></section>
  <section ${identifier}><heading>duty to trim</heading><num value="(5)">(5)<ref class="footnoteRef" idref="f">1</ref><footnote id="f"><p>So in law.</p></footnote></num>
    <content>Trim it.</content><editorialNote role="uscRef"><b>[</b><ref href="/us/usc/t29/s654nt">29 U.S.C. 654nt</ref><b>]</b></editorialNote></section>
  <editorialNote><b>[</b><section><num value="7">Sec. 7. </num><content>Repealed by section 3.</content></section><b>]</b></editorialNote>
  </main></statuteCompilation>`

describe("an Act as amended", () => {
  it("is a reproduction under its public law, cited in the code as its notes say", async () => {
    const { documents, section, sections } = await corpusOf({
      "COMPS-77.xml": act(
        "<congress>91</congress><docNumber>596</docNumber><citableAs>Public Law 91–596, as amended</citableAs>",
        ""
      )
    })

    expect(
      documents.map(({ identity, names, title, url, version, versionDate }) => ({
        identity,
        names,
        title,
        url,
        version,
        versionDate
      }))
    ).toEqual([
      {
        identity: "us/pl/91-596",
        names: ["Lamp Act", "Public Law 91-596"],
        title: "Lamp Safety Act of 1970",
        url: "https://www.govinfo.gov/app/details/COMPS-77",
        version: "116-92",
        versionDate: "2019-12-20"
      }
    ])
    expect(sections.map(({ identity, status }) => [identity, status])).toEqual([
      ["us/pl/91-596/s1", "reproduction"],
      ["us/pl/91-596/s5", "reproduction"],
      ["us/pl/91-596/s7", "historical"]
    ])
    const { adopted, alsoCited, citation, heading, text, url } = section("us/pl/91-596/s5")
    expect([citation, alsoCited, heading, text]).toEqual([
      "Pub. L. 91-596, § 5",
      ["29 U.S.C. 654 note"],
      "Duty to trim",
      "Trim it."
    ])
    expect([adopted, url]).toEqual(["1970-12-29", "https://www.govinfo.gov/app/details/COMPS-77#s5"])
  })

  it("is known by its file where nothing in it says its public law", async () => {
    const { section } = await corpusOf({ "COMPS-77.xml": act("", "") })

    expect(section("us/act/COMPS-77/s5").citation).toBe("Lamp Safety Act of 1970, § 5")
  })
})
