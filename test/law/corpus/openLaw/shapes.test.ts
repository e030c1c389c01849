/** Chapters of regulations in the layouts that libraries have: every section is one, or is rejected with what it clashes with. */
import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

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
