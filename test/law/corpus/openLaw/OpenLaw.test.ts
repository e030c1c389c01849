import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const ns = `xmlns="https://open.law/schemas/library" xmlns:codify="https://open.law/schemas/codify" xmlns:xi="http://www.w3.org/2001/XInclude"`
const dc = `xmlns="https://code.dccouncil.us/schemas/dc-library" xmlns:xi="http://www.w3.org/2001/XInclude"`

const code = {
  "code/index.xml": `<document ${dc} id="D.C. Code"><heading>Code of the District of Columbia</heading>
    <meta><recency through="2024-10-08"/></meta>
    <subheading>Division VII. Property.</subheading><xi:include href="./titles/42/index.xml"/></document>`,
  "code/titles/42/index.xml": `<container ${dc} containing-doc="D.C. Code"><prefix>Title</prefix><num>42</num><heading>Real Property.</heading>
    <container><prefix>Chapter</prefix><num>35</num><heading>Rental Housing.</heading>
      <xi:include href="./sections/42-1.xml"/><xi:include href="./sections/42-1(Perm).xml"/><xi:include href="./sections/42-2.xml"/>
    </container></container>`,
  "code/titles/42/sections/42-1.xml": `<section ${dc}><num>42-1</num>
    <text>*NOTE: This section includes amendments by temporary legislation that will expire on May 1, 2025.*</text>
    <heading>Late fees.</heading>
    <para><num>(a)</num><text>A fee is 5% of the <cite path="§42-2">rent</cite>.</text>
      <para><num>(1)</num><text>Not more.</text></para><aftertext>That is all.</aftertext></para>
    <annotations><annotation type="History">July 17, 1985, D.C. Law 6-10</annotation>
      <annotation type="Editor's Notes">See elsewhere.</annotation>
      <annotation type="History" doc="D.C. Law 21-172" path="§2|(b)" eff="2016-12-08" prefix="as added"/>
      <annotation type="History" doc="D.C. Law 1-1" display="false"/></annotations></section>`,
  "code/titles/42/sections/42-1(Perm).xml": `<section ${dc}><num>42-1(Perm)</num><heading>Late fees.</heading><text>A fee is 4%.</text></section>`,
  "code/titles/42/sections/42-2.xml": `<section ${dc}><num>42-2</num><reason>Repealed</reason><heading>Rent.</heading><text>Repealed.</text></section>`
}

describe("a code with a section a file", () => {
  it("is a document a title, said by its index, and sections with the path of that index", async () => {
    const { documents, section, skipped } = await corpusOf(code)

    expect(documents).toEqual([
      {
        _tag: "Document",
        identity: "us-dc/code/t42",
        title: "Title 42, Real Property",
        issuer: "Council of the District of Columbia",
        level: "state",
        jurisdiction: "District of Columbia",
        collection: "state-code",
        collectionName: "D.C. Code",
        names: [],
        version: "2024-10-08",
        versionDate: "2024-10-08",
        url: "https://code.dccouncil.gov/us/dc/council/code/titles/42"
      }
    ])
    const { citation, document, path, url } = section("us-dc/code/42-2")
    expect([citation, document, url]).toEqual([
      "D.C. Code § 42-2",
      "us-dc/code/t42",
      "https://code.dccouncil.gov/us/dc/council/code/sections/42-2"
    ])
    expect(path).toEqual(["Division VII. Property", "Title 42 Real Property", "Chapter 35 Rental Housing"])
    expect(skipped.map(({ file, why }) => [file, why])).toEqual([["code/index.xml", "a list of other files"]])
  })

  it("has its paragraphs as lines with their numbers, and its annotations by their kinds as notes", async () => {
    const { sections } = await corpusOf(code)
    const { heading, notes, text } = sections.find(({ version }) => version === "temporary") ?? {}

    expect(heading).toBe("Late fees")
    expect(text).toBe("(a) A fee is 5% of the rent.\n(1) Not more.\nThat is all.")
    expect(notes?.split("\n")).toEqual([
      "NOTE: This section includes amendments by temporary legislation that will expire on May 1, 2025.",
      "History",
      "July 17, 1985, D.C. Law 6-10",
      "as added D.C. Law 21-172, § 2(b), eff. 2016-12-08",
      "Editor's Notes",
      "See elsewhere."
    ])
  })

  it("keeps the permanent text of a section apart from the temporary one, under identities of their own", async () => {
    const { sections } = await corpusOf(code)

    expect(
      sections
        .filter(({ number }) => number === "42-1")
        .map(({ identity, status, url, version }) => [identity, version, status, url.replace(/^.*\//, "")])
    ).toEqual([
      ["us-dc/code/42-1(Perm)", "permanent", "historical", "42-1(Perm)"],
      ["us-dc/code/42-1", "temporary", "in force", "42-1"]
    ])
  })

  it("has what is repealed as historical, with the reason in its notes", async () => {
    const { notes, status } = (await corpusOf(code)).section("us-dc/code/42-2")

    expect([status, notes]).toEqual(["historical", "Repealed"])
  })

  it("has what is reserved, or only says in its heading that it is repealed, as historical", async () => {
    const of = (number: string, heading: string, text: string) =>
      `<section ${dc} containing-doc="D.C. Code"><num>${number}</num><heading>${heading}</heading>${text}</section>`
    const { sections } = await corpusOf({
      "a.xml": of("1", "[Reserved].", ""),
      "b.xml": of("2", "Bracing repealed.", ""),
      "c.xml": of("3", "When a law is repealed.", "<text>It is gone.</text>")
    })

    expect(sections.map(({ notes, status }) => [status, notes])).toEqual([
      ["historical", "Reserved"],
      ["historical", "Repealed"],
      ["in force", ""]
    ])
  })

  it("says the document with the section where no index does", async () => {
    const { documents, sections, skipped } = await corpusOf({
      "one.xml": `<section ${dc} containing-doc="D.C. Code"><num>42-2</num><heading>Rent.</heading><text>Pay.</text></section>`,
      "two.xml": `<section ${dc}><num>42-3</num><text>Whose?</text></section>`
    })

    expect(documents.map(({ identity }) => identity)).toEqual(["us-dc/code"])
    expect(sections.map(({ identity }) => identity)).toEqual(["us-dc/code/42-2"])
    expect(skipped.map(({ why }) => why)).toEqual([expect.stringContaining('--jurisdiction "Springfield, Illinois"')])
  })

  it("has another digest where only its place in the index has changed", async () => {
    const title = "code/titles/42/index.xml"
    const moved = { ...code, [title]: code[title].replace("Rental Housing", "Tenancy") }
    const digest = async (files: typeof code) =>
      (await corpusOf(files)).files.find(({ path }) => /42-2/.test(path))?.sha256

    expect(await digest(moved)).not.toBe(await digest(code))
    expect(await digest({ ...code })).toBe(await digest(code))
  })
})

describe("a library of a city", () => {
  const library = {
    "index.xml": `<library ${ns}><heading>Law Library</heading><meta><canonical-urls><html><current>https://law.example</current></html></canonical-urls></meta>
      <xi:include href="./us/code/index.xml"/></library>`,
    "us/code/index.xml": `<document ${ns} id="City of Oakville, Cal., Code"><heading>City of Oakville Municipal Code</heading><xi:include href="./10.xml"/><xi:include href="./12.xml"/></document>`,
    "us/code/10.xml": `<container ${ns} containing-doc="City of Oakville, Cal., Code"><prefix>Title</prefix><num>10</num><heading>PEACE AND MORALS</heading>
      <container><prefix>Chapter</prefix><num>10.04</num><heading>PUBLIC PEACE</heading>
        <section><num>10.04.010</num><heading>NOISE.</heading><text>Be quiet.</text></section></container></container>`,
    "us/code/12.xml": `<container ${ns} containing-doc="City of Oakville, Cal., Code"><prefix>Title</prefix><num>12</num><heading>RESERVED</heading></container>`,
    "us/charter/index.xml": `<document ${ns} id="City of Oakville, Cal., Charter"><heading>Oakville City Charter</heading><meta><effective>2017-12-04</effective></meta>
      <container><prefix>ARTICLE</prefix><num>I</num><heading>POWERS</heading><section><num>1.03</num><heading>Powers.</heading><text>All of them.</text></section></container></document>`,
    "us/ordinances/2025/1.xml": `<document ${ns} id="City of Oakville, Cal., Ord. No. 2025-01"><num>2025-01</num><heading type="short">Hours</heading>
      <heading type="long">An ordinance amending hours</heading>
      <meta><effective>2025-02-20</effective><citations><citation>Ord. No. 2025-01</citation></citations><history><adopted>2025-01-21</adopted></history></meta>
      <recitals><recital><conjunction>WHEREAS,</conjunction><text>noise is loud; and</text></recital></recitals>
      <section><num>1</num><text>Section 10.04.010 is amended:</text>
        <include><section><num>10.04.010</num><heading>Noise.</heading><para><codify:replace path="10.04.010"/><num>(a)</num><text>Hush.</text></para></section></include></section>
      <procedural-data><text>AYES all</text></procedural-data></document>`
  }

  it("is a document a title, with the name of the code and the site of the library", async () => {
    const { documents, section, skipped } = await corpusOf(library)

    expect(documents.map(({ identity, title, url }) => [identity, title, url])).toEqual([
      ["us-ca/oakville/charter", "Oakville City Charter", "https://law.example/us/ca/cities/oakville/charter"],
      ["us-ca/oakville/code/t10", "Title 10, Peace and Morals", "https://law.example/us/ca/cities/oakville/code/10"],
      [
        "us-ca/oakville/ord/2025-01",
        "Ordinance 2025-01, Hours",
        "https://law.example/us/ca/cities/oakville/ordinances/2025/1"
      ]
    ])
    const { citation, path, url } = section("us-ca/oakville/code/10.04.010")
    expect(citation).toBe("Oakville Municipal Code § 10.04.010")
    expect(path).toEqual(["Title 10 Peace and Morals", "Chapter 10.04 Public Peace"])
    expect(url).toBe("https://law.example/us/ca/cities/oakville/code/10.04.010")
    expect(skipped.map(({ why }) => why)).toContain("it has no sections: RESERVED")
  })

  it("has its charter's sections with the day since which they are in effect", async () => {
    const { citation, effective, path } = (await corpusOf(library)).section("us-ca/oakville/charter/1.03")

    expect([citation, effective, path]).toEqual(["Oakville City Charter § 1.03", "2017-12-04", ["Article I Powers"]])
  })

  it("has an ordinance's own sections, with the law that they would make as their text", async () => {
    const { section, sections } = await corpusOf(library)

    const { adopted, alsoCited, citation, effective, text, url } = section("us-ca/oakville/ord/2025-01/s1")
    expect(text).toBe("Section 10.04.010 is amended:\n10.04.010 Noise.\n(a) Hush.")
    expect([citation, alsoCited]).toEqual(["City of Oakville, Cal., Ord. No. 2025-01, § 1", ["Ord. No. 2025-01, § 1"]])
    expect([adopted, effective]).toEqual(["2025-01-21", "2025-02-20"])
    expect(url).toBe("https://law.example/us/ca/cities/oakville/ordinances/2025/1#s1")
    expect(sections.filter(({ identity }) => identity.includes("/ord/")).map(({ number }) => number)).toEqual([
      "Recitals",
      "1"
    ])
    expect(section("us-ca/oakville/ord/2025-01/recitals").text).toBe("WHEREAS, noise is loud; and")
  })

  it("has all kinds of annotations, and those of a chapter with its first section, as notes", async () => {
    const { section } = await corpusOf({
      "7.xml": `<container ${ns} id="City of Oakville, Cal., Municipal Code"><prefix>Title</prefix><num>7</num><heading>Health</heading>
        <annotation>For the authority of cities see the charter.</annotation>
        <section><num>7.01.010</num><heading>Wells.</heading><text>A well is deep.</text>
          <annotations><text type="Repeal of Law">Law 1 was repealed.</text><annotation type="History">Law 2</annotation></annotations></section>
        <section><num>7.01.020</num><heading>Pumps.</heading><text>A pump is loud.</text></section></container>`
    })

    expect(section("us-ca/oakville/code/7.01.010").notes).toBe(
      "Repeal of Law\nLaw 1 was repealed.\nHistory\nLaw 2\nFor the authority of cities see the charter."
    )
    expect(section("us-ca/oakville/code/7.01.020").notes).toBe("")
  })
})
