import { describe, expect, it } from "vitest"
import { partName } from "#law/corpus/html/Html"
import { titledCodes } from "#law/text/titledCodes"
import { corpusOf } from "../corpusOf.ts"
import { vsa } from "./vsa.ts"

const page = (
  body: string,
  head = ""
) => `<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Title 6 - Animals | Oakville Municipal Code</title>
  <script type="application/ld+json">{"@context":"https://schema.org","@type":"Legislation","jurisdiction":{"@type":"GovernmentOrganization","name":"Oakville City"},"dateModified":"2024-03-19"}</script>${head}
  </head><body><nav><h2>6.99.010 Not law</h2><p>A menu.</p></nav><h1>Title 6 - Animals</h1>${body}<footer>6.01 of the page</footer></body></html>`

const dogs = `<section id="6_08_010"><h3>6.08.010 Dogs</h3></section><section id="6_08_020"><h3>6.08.020 Cats</h3></section>
  <section id="6_08_010"><h3>6.08.010 Dogs</h3><p>Dogs <b>shall</b> bark.<p>Unless:<ol type="a"><li>they sleep<li>they eat</ol>
    <table><tr><th>Dog</th><th>Fee</th></tr><tr><td>Big</td><td>$ 5</td></tr></table><p>HISTORY<p>Ord. 28-2023</section>
  <section id="6_08_020"><h3>6.08.020 Cats</h3><p>Cats may not.</p><h4>History</h4><ul><li>Ord. 1-2001</li></ul></section>
  <section id="6_08_030"><h3>6.08.030 [Repealed]</h3><p>Gone.</p></section><section id="6_08_040"><h3>6.08.040 Fish</h3></section>`

describe("a code in HTML", () => {
  it("is sections under headings with numbers; entries of a table of contents are none", async () => {
    const { documents, sections, skipped } = await corpusOf(
      { "a.html": page(dogs) },
      { jurisdiction: "Oakville, Utah" }
    )

    expect(
      documents.map(({ collectionName, identity, issuer, jurisdiction, title, version }) => [
        identity,
        title,
        issuer,
        jurisdiction,
        collectionName,
        version
      ])
    ).toEqual([
      [
        "us-ut/oakville/code/t6",
        "Title 6, Animals",
        "Oakville City",
        "Oakville, Utah",
        "Oakville Municipal Code",
        "2024-03-19"
      ]
    ])
    expect(sections.map(({ citation, heading, identity, status }) => [identity, citation, heading, status])).toEqual([
      ["us-ut/oakville/code/6.08.010", "Oakville Municipal Code § 6.08.010", "Dogs", "in force"],
      ["us-ut/oakville/code/6.08.020", "Oakville Municipal Code § 6.08.020", "Cats", "in force"],
      ["us-ut/oakville/code/6.08.030", "Oakville Municipal Code § 6.08.030", "[Repealed]", "historical"]
    ])
    expect(skipped.map(({ why }) => why)).toEqual(["a heading without text: 6.08.040"])
  })

  it("has lists with their numbers, tables as lines, and histories in its notes", async () => {
    const { section } = await corpusOf({ "a.html": page(dogs) })

    const { notes, path, text } = section("us/local/oakville/code/6.08.010")
    expect(text.split("\n")).toEqual([
      "Dogs shall bark.",
      "Unless:",
      "a. they sleep",
      "b. they eat",
      "Dog | Fee",
      "Big | $ 5"
    ])
    expect([notes, path]).toEqual(["Ord. 28-2023", ["Title 6 Animals"]])
    expect(section("us/local/oakville/code/6.08.020").notes).toBe("Ord. 1-2001")
  })

  it("is found where the page says, else a sitemap beside it, else where a setting says its folder is", async () => {
    const urls = async (files: Record<string, string>, options = {}) =>
      (await corpusOf(files, options)).sections.slice(0, 1).map(({ url }) => url)
    const sitemap = "<urlset><url><loc>https://city.example/law/a.html</loc></url></urlset>"

    expect(
      await urls({
        "x/a.html": page(dogs, `<link rel=canonical href="https://own.example/6">`),
        "x/sitemap.xml": sitemap
      })
    ).toEqual(["https://own.example/6#6_08_010"])
    expect(await urls({ "x/a.html": page(dogs), "x/sitemap.xml": sitemap })).toEqual([
      "https://city.example/law/a.html#6_08_010"
    ])
    expect(await urls({ "x/y/a.html": page(dogs) }, { folders: { x: { baseUrl: "https://set.example/" } } })).toEqual([
      "https://set.example/y/a.html#6_08_010"
    ])
    expect(await urls({ "a.html": page(dogs) })).toEqual(["urn:x-gov:us/local/oakville/code#6_08_010"])
  })

  it("has chapters between as the path, and numbers after § or in bold as headings", async () => {
    const body = `<h2>Chapter 2. Noise</h2><div><a name="n1"></a><p><b>§ 1-2-3. Bells.</b> No bells.</p><p>At night.</p></div>
      <h2>Article IV – Light</h2><h3 id="l">Section 12. Lamps</h3><p>Trim <i>them</i>.</p>`
    const { sections } = await corpusOf({ "a.html": page(body) })

    expect(
      sections.map(({ heading, number, path, text, url }) => [number, heading, text, path, url.replace(/.*#/, "")])
    ).toEqual([
      ["1-2-3", "Bells", "No bells.\nAt night.", ["Title 6 Animals", "Chapter 2 Noise"], "n1"],
      ["12", "Lamps", "Trim them.", ["Title 6 Animals", "Article IV Light"], "l"]
    ])
  })

  it("is left out where it has no sections, and where nobody says whose law it is", async () => {
    const { skipped } = await corpusOf({
      "index.html": page("<p>Welcome to the code.</p>"),
      "whose.html": "<html><body><h3>1.2.3 Dogs</h3><p>Bark.</p></body></html>"
    })

    expect(skipped.map(({ file, why }) => [file, why])).toEqual([
      ["index.html", "it has no section with a number"],
      ["whose.html", expect.stringContaining('--jurisdiction "Springfield, Illinois"')]
    ])
  })
})

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
    expect(path).toEqual(["Title 9 Commerce and Trade", "Part 3 Sales", "Chapter 63 Consumer Protection"])
  })

  it("takes the release from the folder where the page does not say it", async () => {
    const bare = vsa(81).replace(/<meta content="Release[^>]*>/, "")
    const { sections } = await corpusOf({ "r81/t9.html": bare, "r82/t9.html": bare }, { jurisdiction: "Vermont" })

    expect(new Set(sections.map(({ version }) => version))).toEqual(new Set(["Release 81", "Release 82"]))
    expect(sections).toHaveLength(6)
  })
})
