/** Codes of titles in the shapes that they are published in: every section is one, or it is said why it is none. */
import { describe, expect, it } from "vitest"
import { corpusOf } from "../corpusOf.ts"

const page = (body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><title>Code</title></head><body>${body}</body></html>`
const vermont = { jurisdiction: "Vermont" }
const numbers = (sections: ReadonlyArray<{ readonly citation: string }>) => sections.map(({ citation }) => citation)

describe("a code of titles in HTML", () => {
  it("has its sections in the items of a list, a chapter a page", async () => {
    const chapter = (items: string) =>
      page(`<h2>Title 9: Commerce and Trade</h2><h3>Chapter 063: CONSUMER PROTECTION</h3><ul>${items}</ul>`)
    const { section, sections, skipped } = await corpusOf(
      {
        "chapter/09/062.html": page(
          `<h2>Title 9: Commerce and Trade</h2><h3>Chapter 062: OTHER</h3><ul><li><p><b>§ 2401. Other</b></p><p>Other.</p></li></ul>`
        ),
        "chapter/09/063.html": chapter(
          `<li><p><strong>§ 2451. Purpose</strong></p><p>The purpose.</p><ul><li>an item of it</li></ul></li>
           <li><p><b>§ 2451a. Definitions</b></p><p>As used here.</p></li>
           <li><p><b>§ 2456a.1. Odd number</b></p><p>Odd.</p></li><li><p><b>§ 2457: Colon</b></p><p>Colon.</p></li>
           <li><p><b>§§ 2458-2460. Repealed. 1973, No. 1.</b></p></li><li><p><b>§ 2461. [Reserved]</b></p></li>`
        )
      },
      vermont
    )

    expect(numbers(sections)).toEqual([
      "9 V.S.A. § 2401",
      "9 V.S.A. § 2451",
      "9 V.S.A. § 2451a",
      "9 V.S.A. § 2456a.1",
      "9 V.S.A. § 2457",
      "9 V.S.A. § 2458",
      "9 V.S.A. § 2461"
    ])
    expect(section("us-vt/code/t9/s2458")).toMatchObject({ status: "historical", text: "" })
    expect(section("us-vt/code/t9/s2458").alsoCited).toContain("9 V.S.A. § 2460")
    expect(section("us-vt/code/t9/s2451").text).toBe("The purpose.\nan item of it")
    expect(section("us-vt/code/t9/s2461")).toMatchObject({ status: "historical", text: "" })
    expect(skipped).toEqual([])
  })

  it("has a section behind every section sign, whatever its number, and none of them in another", async () => {
    const { sections, skipped } = await corpusOf(
      {
        "title-9.html": page(`<h1>TITLE 9 Commerce</h1><h2>CHAPTER 1. GENERAL</h2>
          <h3>§ 2 . Blank</h3><p>Two.</p><h3>§3. Tight</h3><p>Three.</p><h3>Sec. 4. Word</h3><p>Four.</p>
          <h3>§ 5-101. Dash</h3><p>Five.</p><h3>§§ 7–9. Repealed</h3><p>[Repealed 1990.]</p>
          <h3>§ 10. Table</h3><table><tr><td>a</td><td>b</td></tr></table><h3>§ 13. No text at all</h3>
          <h3>§ 14(a). Paragraph</h3><p>Fourteen.</p><h3>§ 15½. Half</h3><p>Half.</p><h3>§ 17. Bare</h3>Bare text.`)
      },
      vermont
    )

    expect(sections.map(({ number, text }) => [number, text])).toEqual([
      ["2", "Two."],
      ["3", "Three."],
      ["4", "Four."],
      ["5-101", "Five."],
      ["7", "[Repealed 1990.]"],
      ["10", "a | b"],
      ["14(a)", "Fourteen."],
      ["15½", "Half."],
      ["17", "Bare text."]
    ])
    expect(skipped.map(({ why }) => why)).toEqual(["a heading without text: 13"])
  })

  it("finds each number of a list or a range, however they are joined, and names the section by the first", async () => {
    const headings = {
      "9-5-12, 9-5-13. Repealed.": ["9-5-12", "9-5-13"],
      "9-6-4 — 9-6-8. Repealed.": ["9-6-4", "9-6-5", "9-6-6", "9-6-7", "9-6-8"],
      "9-7-1 through 9-7-3. Old matters. [Repealed by Acts 1990.]": ["9-7-1", "9-7-2", "9-7-3"],
      "§§ 9-8-1 to 9-8-2. (Repealed)": ["9-8-1", "9-8-2"],
      "§§ 9-9-1–9-9-3 Repealed": ["9-9-1", "9-9-2", "9-9-3"],
      "9-10-1 – 9-10-2. Redesignated": ["9-10-1", "9-10-2"],
      "9-11-1 - 9-11-2. Renumbered as 9-12-1.": ["9-11-1", "9-11-2"],
      "9-13-1, 9-13-2 and 9-13-4. Things.": ["9-13-1", "9-13-2", "9-13-4"],
      "9-14-1; 9-14-2. Things.": ["9-14-1", "9-14-2"],
      "9-15-1. — 9-15-3. Repealed.": ["9-15-1", "9-15-2", "9-15-3"],
      "9-16-1 thru 9-16-2. [Obsolete.]": ["9-16-1", "9-16-2"],
      "25.5-1-501 to 25.5-1-503. (Repealed)": ["25.5-1-501", "25.5-1-502", "25.5-1-503"],
      "31-20-10. Fees.": ["31-20-10"],
      "31-20-10.1, 31-20-10.2. [Reserved.]": ["31-20-10.1", "31-20-10.2"],
      "Secs. 02.10.060 — 02.10.062. Penalties; title. [Repealed, § 14 ch 56 SLA 2001.]": [
        "02.10.060",
        "02.10.061",
        "02.10.062"
      ],
      "§ 7-1. 12 persons or more": ["7-1"],
      "§§ 40, 41 and 43. Repealed": ["40", "41", "43"],
      "§§ 50-52. Repealed": ["50", "51", "52"],
      "§ 60-62. Numbers": ["60-62"],
      "Sec. 70. 5 to 10 members": ["70"]
    }
    const { sections, skipped } = await corpusOf(
      {
        "a.html": page(
          Object.keys(headings)
            .map((heading) => `<h3>${heading}</h3><p>Text.</p>`)
            .join("")
        )
      },
      { jurisdiction: "West Virginia" }
    )
    const found = sections.map(({ alsoCited, number }) => [number, ...alsoCited.map((cited) => cited.split("§ ")[1])])

    expect(found).toEqual(Object.values(headings))
    expect(skipped).toEqual([])
  })

  it("takes a section for history where its heading says so, and not where the word is of its subject", async () => {
    const law = [
      "Expired licenses; renewal.",
      "Effect of repealed statutes.",
      "Reserved powers.",
      "Repealed laws.",
      "Tax. [Repealed effective July 1, 2040.]",
      "Contracts; void.",
      "Abolished offices.",
      "Repealed and reenacted sections."
    ]
    const history = [
      "Repealed.",
      "Use of revenue. [Repealed, § 2 ch 8 SLA 1968.]",
      "Fees; (Repealed)",
      "Renumbered as AS 04.21.055.",
      "Duties — Repealed by Acts 1970, c. 1",
      "Board. Expired.",
      "REPEALED Retirement Board",
      "Recodified at § 4-5-6.",
      "[Blank]",
      "Abolished.",
      "Held unconstitutional."
    ]
    const { sections } = await corpusOf(
      {
        "a.html": page(
          [...law, ...history].map((heading, at) => `<h3>9-5-${at + 1}. ${heading}</h3><p>Text.</p>`).join("")
        ),
        "b.html": page(
          `<h3>9-6-1. Law.</h3><p>Text.</p><h3>9-6-2. Old. [Repealed 1990.]</h3><h3>9-6-3. [Reserved]</h3>`
        )
      },
      { jurisdiction: "West Virginia" }
    )

    expect(sections.map(({ status }) => status)).toEqual([
      ...law.map(() => "in force"),
      ...history.map(() => "historical"),
      "in force",
      "historical",
      "historical"
    ])
    expect(sections.slice(-2)).toMatchObject([
      { number: "9-6-2", text: "" },
      { number: "9-6-3", text: "" }
    ])
  })

  it("closes the section before a heading of several chapters, and opens a level whose number is spelled", async () => {
    const { sections } = await corpusOf(
      {
        "a.html": page(
          `<h1>Title 4</h1><h2>Chapter 3. Dogs</h2><h3>4-3-1. Barking.</h3><p>None.</p><h2>Chapters 5 through 9. [Reserved.]</h2><p>Kept free.</p><h2>ARTICLE ONE GENERAL</h2><h3>4-10-1. Cats.</h3><p>Some.</p>`
        )
      },
      { jurisdiction: "West Virginia" }
    )

    expect(sections.map(({ path, text }) => [path.at(-1), text])).toEqual([
      ["Chapter 3 Dogs", "None."],
      ["Article ONE General", "Some."]
    ])
  })

  it("takes a range of reserved numbers without text for history that is found by each of them", async () => {
    const { sections, skipped } = await corpusOf(
      { "a.html": page(`<h3>31-20-10. Fees.</h3><p>Fees.</p><h3>31-20-10.1, 31-20-10.2. [Reserved.]</h3>`) },
      { jurisdiction: "West Virginia" }
    )

    expect(sections.map(({ alsoCited, number, status }) => [number, status, alsoCited])).toEqual([
      ["31-20-10", "in force", []],
      ["31-20-10.1", "historical", ["West Virginia Code § 31-20-10.2"]]
    ])
    expect(skipped).toEqual([])
  })

  it("lets a section of its own in a range be found by its number", async () => {
    const { sections } = await corpusOf(
      { "a.html": page(`<h3>9-6-4 — 9-6-6. Repealed.</h3><p>Acts.</p><h3>9-6-5. New.</h3><p>New.</p>`) },
      { jurisdiction: "West Virginia" }
    )

    expect(sections.map(({ alsoCited, number }) => [number, alsoCited])).toEqual([
      ["9-6-4", ["West Virginia Code § 9-6-6"]],
      ["9-6-5", []]
    ])
  })

  it("has headings of nothing but section signs in time that grows with them", async () => {
    const { sections } = await corpusOf(
      {
        "title-9.html": page(
          `<h1>TITLE 9</h1><h3>§ § 14(a). Two</h3><p>Two.</p><h3>${"§".repeat(200_000)}x</h3><p>Signs.</p>`
        )
      },
      vermont
    )

    expect(sections.map(({ number }) => number)).toEqual(["14(a)"])
  })

  it("has sections in items and cells that begin with a bold number", async () => {
    const { sections } = await corpusOf(
      {
        "9.html":
          page(`<h1>TITLE 9</h1><ul><li><b>§ 1. Aim.</b> Text of A.</li><li><b>§ 2. Bar.</b> Text of B.</li></ul>
          <table><tr><td><strong>§ 3. Car.</strong> Text of C.</td></tr></table><p>See <b>§ 1</b> of it.</p>`)
      },
      vermont
    )
    expect(sections.map(({ heading, number, text }) => [number, heading, text])).toEqual([
      ["1", "Aim", "Text of A."],
      ["2", "Bar", "Text of B."],
      ["3", "Car", "Text of C.\nSee § 1 of it."]
    ])
  })

  it("says where a section is by the anchor before it, and that of no other", async () => {
    const { sections } = await corpusOf(
      { "9.html": page(`<h1>TITLE 9</h1><a name="one"></a><h3>§ 1. A</h3><p>A.</p><h3>§ 2. B</h3><p>B.</p>`) },
      { ...vermont, baseUrl: "https://law.test" }
    )
    expect(sections.map(({ url }) => url)).toEqual(["https://law.test/9.html#one", "https://law.test/9.html#2"])
  })
})
