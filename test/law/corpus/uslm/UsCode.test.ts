import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const title = (release: string, sections: string) =>
  `<?xml version="1.0"?><uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" identifier="/us/usc/t99">
  <meta><dc:title>Title 99</dc:title><docNumber>99</docNumber><docPublicationName>Online@${release}</docPublicationName></meta>
  <main><title identifier="/us/usc/t99"><num value="99">Title 99—</num><heading>LIGHTHOUSES</heading>
  <note topic="miscellaneous"><p>Current through ${release}</p></note>
  <toc><tocItem><column>101.</column><column>Definitions.</column></tocItem></toc>
  <chapter identifier="/us/usc/t99/ch1"><num value="1">CHAPTER 1—</num><heading>SUBJECT OF LAMPS</heading>${sections}</chapter></title></main></uscDoc>`

const lamps = `<section identifier="/us/usc/t99/s101"><num value="101">§ 101.</num><heading> Lamps</heading>
  <subsection><num value="a">(a)</num><heading> <inline class="small-caps">Light</inline>.—</heading><chapeau>A lamp shall—</chapeau>
    <paragraph><num value="1">(1)</num><content>shine;<ref class="footnoteRef" idref="fn1">1</ref><note type="footnote" id="fn1"><num>1</num> So in original.</note> and</content></paragraph>
    <paragraph><num value="2">(2)</num><content>be audio&#173;visual.</content></paragraph><continuation>All night.</continuation></subsection>
  <sourceCredit>(Pub. L. 1–1, § 1.)</sourceCredit>
  <notes type="uscNote"><note topic="amendments"><heading>Amendments</heading><p>1999—Put in a
    <quotedContent><section><num value="7">“Sec. 7.</num><content>Old.”</content></section></quotedContent></p></note></notes></section>`

const old = `<section status="repealed" identifier="/us/usc/t99/s202...204"><num value="202 to 204">[§§ 202 to 204.</num><heading> Repealed. Pub. L. 2–2]</heading></section>`

describe("a title of the United States Code", () => {
  it("is a document of its release, and sections with their citations and paths", async () => {
    const { documents, section, sections } = await corpusOf({ "a.xml": title("117-80", lamps + old) })

    expect(documents).toEqual([
      {
        _tag: "Document",
        identity: "us/usc/t99",
        title: "Title 99, Lighthouses",
        issuer: "Office of the Law Revision Counsel",
        level: "federal",
        jurisdiction: "United States",
        collection: "us-code",
        collectionName: "U.S.C.",
        names: [],
        version: "117-80",
        url: "https://uscode.house.gov/view.xhtml?path=/prelim@title99&edition=prelim&releasepoint=117-80"
      }
    ])
    expect(sections.map(({ citation, identity, status }) => [identity, citation, status])).toEqual([
      ["us/usc/t99/s101", "99 U.S.C. § 101", "in force"],
      ["us/usc/t99/s202-204", "99 U.S.C. §§ 202 to 204", "historical"]
    ])
    expect(section("us/usc/t99/s101").path).toEqual(["Title 99 Lighthouses", "Chapter 1 Subject of Lamps"])
    expect(section("us/usc/t99/s202-204").heading).toBe("Repealed. Pub. L. 2–2")
  })

  it("has the law in its text and all else in its notes, each word once", async () => {
    const { heading, notes, text } = (await corpusOf({ "a.xml": title("117-80", lamps) })).section("us/usc/t99/s101")

    expect(heading).toBe("Lamps")
    expect(text.split("\n")).toEqual([
      "(a) Light.—A lamp shall—",
      "(1) shine; and",
      "(2) be audiovisual.",
      "All night."
    ])
    expect(notes.split("\n")).toEqual([
      "1 So in original.",
      "(Pub. L. 1–1, § 1.)",
      "Amendments",
      "1999—Put in a",
      "“Sec. 7. Old.”",
      "Current through 117-80"
    ])
  })

  it("names a section the same in two releases, and its URLs apart", async () => {
    const { sections } = await corpusOf({ "a.xml": title("117-80", lamps), "b.xml": title("118-1", lamps) })

    expect(new Set(sections.map(({ identity }) => identity)).size).toBe(1)
    expect(new Set(sections.map(({ url }) => url)).size).toBe(2)
    expect(sections.map(({ version }) => version)).toEqual(["117-80", "118-1"])
  })

  it("names a section that stands for several by the first and the last", async () => {
    const both = old.replace("s202...204", "s43a /us/usc/t99/s43b").replace("202 to 204", "43a, 43b")
    const { sections } = await corpusOf({ "a.xml": title("117-80", both) })

    expect(sections.map(({ citation, identity }) => [identity, citation])).toEqual([
      ["us/usc/t99/s43a-43b", "99 U.S.C. §§ 43a, 43b"]
    ])
  })

  it("rejects another section under one number, and says a repeated one once", async () => {
    const other = lamps.replace("All night.", "All day.")
    const { sections, skipped, texts } = await corpusOf({ "a.xml": title("117-80", lamps + other + lamps) })

    expect(sections.map(({ identity }) => identity)).toEqual(["us/usc/t99/s101"])
    expect(texts.flatMap((text) => (text._tag === "Rejected" ? [text.why] : []))).toEqual([
      expect.stringMatching(
        /^two sections are us\/usc\/t99\/s101 .*a\.xml:\d+, which is loaded, and a\.xml:\d+, which is not/
      )
    ])
    expect(skipped.map(({ why }) => why)).toEqual(["the same text again: 99 U.S.C. § 101"])
  })
})
