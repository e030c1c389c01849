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
      "9 V.S.A. § 2457"
    ])
    expect(section("us-vt/code/t9/s2451").text).toBe("The purpose.\nan item of it")
    expect(skipped.map(({ why }) => why)).toEqual(["a heading without text: 2458-2460", "a heading without text: 2461"])
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
      ["7-9", "[Repealed 1990.]"],
      ["10", "a | b"],
      ["14(a)", "Fourteen."],
      ["15½", "Half."],
      ["17", "Bare text."]
    ])
    expect(skipped.map(({ why }) => why)).toEqual(["a heading without text: 13"])
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
