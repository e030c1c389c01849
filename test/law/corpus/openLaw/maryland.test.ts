/** The Code of Maryland Regulations: a file a chapter, whose sections count inside it. */
import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"
import { comar } from "./comar.ts"

describe("a code whose sections count inside their chapters", () => {
  it("names each by title, subtitle and chapter, as the indexes around its file say them", async () => {
    const { documents, section, sections, skipped } = await corpusOf(comar())

    expect(sections.map(({ identity }) => identity)).toEqual([
      "us-md/code/21.03.03.01",
      "us-md/code/21.03.03.02",
      "us-md/code/21.03.04.01",
      "us-md/code/21.03.04.01-1",
      "us-md/code/21.03.04.02",
      "us-md/code/22.03.04.01"
    ])
    expect(new Set(sections.map(({ url }) => url)).size).toBe(6)
    const { citation, document, heading, number, path, text } = section("us-md/code/21.03.04.01")
    expect([citation, number, document]).toEqual([
      "Code of Maryland Regulations § 21.03.04.01",
      "21.03.04.01",
      "us-md/code/t21"
    ])
    expect(heading).toBe("Purpose of chapter 04")
    expect(path).toEqual(["Title 21 Procurement", "Subtitle 03 Contracts", "Chapter 04 Bonds"])
    expect(text).toBe("Of chapter 04 of title 21.")
    expect(new Set(documents.map(({ identity, jurisdiction }) => `${identity} ${jurisdiction}`))).toEqual(
      new Set(["us-md/code/t21 Maryland", "us-md/code/t22 Maryland"])
    )
    expect(skipped.map(({ why }) => why)).toEqual(["a list of other files"])
  })

  it("takes title and subtitle from the folders of a file where no index says them", async () => {
    const chapters = Object.fromEntries(Object.entries(comar()).filter(([name]) => !name.endsWith("index.xml")))
    const { sections, documents } = await corpusOf(chapters, { jurisdiction: "Maryland", collectionName: "COMAR" })

    expect(sections.map(({ citation, identity }) => [identity, citation]).slice(0, 3)).toEqual([
      ["us-md/code/21.03.03.01", "COMAR § 21.03.03.01"],
      ["us-md/code/21.03.03.02", "COMAR § 21.03.03.02"],
      ["us-md/code/21.03.04.01", "COMAR § 21.03.04.01"]
    ])
    expect(sections).toHaveLength(6)
    expect(new Set(documents.map(({ identity }) => identity))).toEqual(new Set(["us-md/code/t21", "us-md/code/t22"]))
  })

  it("reads numbers that say their kind again, and containers in one file", async () => {
    const { sections } = await corpusOf({
      "08.xml": `<container xmlns="https://open.law/schemas/library" containing-doc="Code of Maryland Regulations">
        <prefix>Title</prefix><num>Title 08</num><heading>NATURAL RESOURCES</heading>
        <container><prefix>Subtitle</prefix><num>Subtitle 02</num><heading>FISHERIES</heading>
          <container><prefix>Chapter</prefix><num>Chapter 01</num><heading>General</heading>
            <section><num>01</num><heading>Plans.</heading><text>One.</text></section>
            <section><num>12</num><heading>Days.</heading><text>Two.</text></section></container>
          <container><prefix>Chapter</prefix><num>08.02.03</num><heading>Crabs</heading>
            <section><num>.01</num><heading>Crabs.</heading><text>Three.</text></section></container></container></container>`
    })

    expect(sections.map(({ identity }) => identity)).toEqual([
      "us-md/code/08.02.01.01",
      "us-md/code/08.02.01.12",
      "us-md/code/08.02.03.01"
    ])
  })

  it("puts a plain number behind its title and chapter, and leaves a whole one as it is", async () => {
    const of = (title: string, chapter: string, number: string) =>
      `<container><prefix>Chapter</prefix><num>${chapter}</num><heading>C</heading>
        <section><num>${number}</num><heading>H.</heading><text>${title} ${chapter} ${number}.</text></section></container>`
    const { sections } = await corpusOf({
      "5.xml": `<container xmlns="https://open.law/schemas/library" containing-doc="City of Oakville, Cal., Code">
        <prefix>Title</prefix><num>5</num><heading>T</heading>${of("5", "1", "2")}${of("5", "2", "2")}${of("5", "5.12", "5.12.010")}
        ${of("5", "9", "5-901")}</container>`
    })

    expect(sections.map(({ citation, identity, number }) => [identity, number, citation])).toEqual([
      ["us-ca/oakville/code/t5/ch1/2", "2", "Oakville Municipal Code, Title 5, Chapter 1, § 2"],
      ["us-ca/oakville/code/t5/ch2/2", "2", "Oakville Municipal Code, Title 5, Chapter 2, § 2"],
      ["us-ca/oakville/code/5.12.010", "5.12.010", "Oakville Municipal Code § 5.12.010"],
      ["us-ca/oakville/code/5-901", "5-901", "Oakville Municipal Code § 5-901"]
    ])
  })

  it("rejects what is still one, naming both files, and has the rest", async () => {
    const files = comar()
    const twin = (files["comar/21/03/04.xml"] ?? "").replace("Of chapter 04", "Of another chapter 04")
    const { sections, texts } = await corpusOf(
      { ...files, "comar/21/03/zz/21/03/04.xml": twin },
      { jurisdiction: "Maryland" }
    )

    expect(sections.filter(({ identity }) => identity === "us-md/code/21.03.04.01")).toHaveLength(1)
    expect(texts.flatMap((text) => (text._tag === "Rejected" ? [text.why] : []))).toEqual([
      expect.stringMatching(
        /^two sections are us-md\/code\/21\.03\.04\.01 .*comar\/21\/03\/04\.xml:\d+, which is loaded, and comar\/21\/03\/zz\/21\/03\/04\.xml:\d+, which is not/
      )
    ])
  })
})

/**
 * Chapters of regulations in the layouts that libraries have: every section is one, or is rejected with what it clashes with.
 */
const ns = `xmlns="https://open.law/schemas/library" xmlns:xi="http://www.w3.org/2001/XInclude"`
const level = (prefix: string, num: string, content: string, attributes = ""): string =>
  `<container ${attributes}><prefix>${prefix}</prefix><num>${num}</num><heading>H</heading>${content}</container>`
const section = (num: string, heading: string, text: string): string =>
  `<section><num>${num}</num><heading>${heading}</heading>${text === "" ? "" : `<text>${text}</text>`}</section>`
const chapter = (num: string, what: string): string =>
  level("Chapter", num, section(".01", "A.", `${what} one.`) + section(".02", "B.", `${what} two.`), ns)
const include = (href: string): string => `<xi:include href="./${href}"/>`
const code = (content: string): string => `<document ${ns} id="Code of Maryland Regulations">${content}</document>`
const identities = (sections: ReadonlyArray<{ readonly identity: string }>) =>
  sections.map(({ identity }) => identity.replace("us-md/code/", ""))

describe("regulations that count inside their chapters", () => {
  it("are all there out of containers in containers: letters, dashes, ranges, reserved and repealed ones, parts", async () => {
    const { sections, texts } = await corpusOf({
      "comar.xml": code(
        level(
          "Title",
          "21",
          level(
            "Subtitle",
            "03",
            level(
              "Chapter",
              "04",
              section(".01", "Scope.", "One.") +
                section(".02", "Reserved.", "") +
                section(".03—.05", "Repealed.", "") +
                section(".06-1", "Forms.", "Six.") +
                section(".9999", "Administrative History.", "Since 1990.") +
                level("Part", "A", section(".07", "In A.", "Seven.")) +
                level("Part", "B", section(".07", "In B.", "Seven too."))
            ) +
              level("Chapter", "05A", section(".01", "Awards.", "Awards.") + section(".01A", "Letter.", "Lettered.")) +
              level("Chapter", "06", "")
          )
        ) + level("Title", "22", section("22.05.01.03", "Whole.", "Whole."))
      )
    })

    expect(sections.map(({ identity, status }) => [identity.replace("us-md/code/", ""), status])).toEqual([
      ["21.03.04.01", "in force"],
      ["21.03.04.02", "historical"],
      ["21.03.04.03—.05", "historical"],
      ["21.03.04.06-1", "in force"],
      ["21.03.04.9999", "in force"],
      ["21.03.04.07", "in force"],
      ["21.03.05A.01", "in force"],
      ["21.03.05A.01A", "in force"],
      ["22.05.01.03", "in force"]
    ])
    expect(texts.flatMap((text) => (text._tag === "Rejected" ? [text.why] : []))).toEqual([
      expect.stringMatching(/^two sections are us-md\/code\/21\.03\.04\.07 /)
    ])
  })

  it("are named by the dotted name of a file where no index says them", async () => {
    const { sections } = await corpusOf(
      { "21.03.04.xml": chapter("04", "x"), "21.03.05.xml": chapter("05", "y"), "22.03.04.xml": chapter("04", "z") },
      { jurisdiction: "Maryland" }
    )
    expect(identities(sections)).toEqual([
      "21.03.04.01",
      "21.03.04.02",
      "21.03.05.01",
      "21.03.05.02",
      "22.03.04.01",
      "22.03.04.02"
    ])
  })

  it("are listed by a file that is named as their folder is, or as the beginning of their file", async () => {
    const nested = await corpusOf({
      "index.xml": code(include("21.xml")),
      "21.xml": level("Title", "21", include("21/03.xml"), ns),
      "21/03.xml": level("Subtitle", "03", include("03/04.xml"), ns),
      "21/03/04.xml": chapter("04", "x")
    })
    const flat = await corpusOf({
      "index.xml": code(include("21.xml")),
      "21.xml": level("Title", "21", include("21.03.xml"), ns),
      "21.03.xml": level("Subtitle", "21.03", include("21.03.04.xml"), ns),
      "21.03.04.xml": chapter("21.03.04", "x")
    })
    for (const { sections } of [nested, flat]) expect(identities(sections)).toEqual(["21.03.04.01", "21.03.04.02"])
    expect(nested.sections[0]?.citation).toBe("Code of Maryland Regulations § 21.03.04.01")
  })
})
