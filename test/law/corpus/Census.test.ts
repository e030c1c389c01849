import { describe, expect, it } from "vitest"
import { counterFor } from "#law/corpus/Census"
import type { GovSection } from "#law/GovText"
import { section } from "../index/library.ts"

/** A section that begins in that line. */
const of = (
  line: number,
  number: string,
  heading: string,
  text: string,
  more: Partial<GovSection> = {}
): GovSection => ({
  ...section({ document: "d", identity: `s${line}`, citation: `§ ${number}`, heading, text }),
  number,
  line,
  ...more
})

const page = `<html><head><title>T 1</title></head><body><nav><h3>9-9-9. A menu</h3></nav>
<h1>Title 9</h1>
<h3>9-1-1. Dogs.</h3><p>No dog <b>ba</b>rks at night in the town of &#79;akville, but for a dog of the fire brigade on duty.</p>
<h4>Article II</h4><p>It may bark twice &amp; no more, and its keeper pays what the council has fixed for the year.</p>
<h2>Chapter 2</h2><p>A note of the chapter.</p>
<h3>9-2-1 — 9-2-4. Repealed.</h3><p>Acts 1990.</p>
<h3>9-2-5. [Reserved]</h3>
</body></html>`

const first = "No dog barks at night in the town of Oakville, but for a dog of the fire brigade on duty."
const second = "Article II It may bark twice & no more, and its keeper pays what the council has fixed for the year."

/** The census of that page if its reader says these. */
const census = (texts: ReadonlyArray<Parameters<ReturnType<typeof counterFor>["took"]>[0]>) => {
  const counter = counterFor("html", "a.html")
  // In pieces, which may end within a tag.
  for (let at = 0; at < page.length; at += 7) counter.write(page.slice(at, at + 7))
  for (const text of texts) counter.took(text)
  return counter.end()
}
const left = { _tag: "Skipped", file: "a.html", line: 7, why: "a heading without text" } as const
const dogs = of(3, "9-1-1", "Dogs", `${first} ${second}`, { path: ["Title 9"] })
const repealed = of(6, "9-2-1 — 9-2-4", "Repealed", "Acts 1990.", {
  path: ["Title 9", "Chapter 2"],
  notes: "A note of the chapter."
})

describe("the census of a file", () => {
  it("counts headings and words from the tags, and finds no difference if all was read", () => {
    const found = census([dogs, repealed, left])

    expect(found).toMatchObject({ headings: 3, sections: 2, exceptions: 1, differences: [] })
    // The head of the page and its menu have no law; the heading that is left out has four words.
    expect([found.words, found.wordsRead, found.wordsFurniture, found.wordsLeft]).toEqual([73, 62, 7, 4])
  })

  it("says the line of words that a section lost, and of a heading that is no section", () => {
    expect(census([{ ...dogs, text: first }, repealed]).differences).toEqual([
      '4: 2 of 2 words of "9-1-1. Dogs." are lost: Article II',
      '4: 18 of 18 words of "9-1-1. Dogs." are lost: It may bark twice no more, and its keeper pays what the council has fixed for th',
      "7: a heading that is no section: 9-2-5. [Reserved]"
    ])
  })

  it("says the line of a word that is lost within a sentence", () => {
    const text = `${first} ${second}`.replace("fire brigade", "brigade")

    expect(census([{ ...dogs, text }, repealed, left]).differences).toEqual([
      `3: 1 of 20 words of "9-1-1. Dogs." are lost: ${first.slice(0, 80)}`
    ])
  })

  it("says the line of words between sections that are in no section, path or title", () => {
    expect(census([dogs, { ...repealed, notes: "", path: ["Title 9"] }, left]).differences).toEqual([
      "5: 2 of 2 words between sections are lost: Chapter 2",
      "5: 5 of 5 words between sections are lost: A note of the chapter."
    ])
  })

  it("counts the words of what is left out with its reason, and takes nothing that repeats a section for an exception", () => {
    const again = { _tag: "Skipped", file: "a.html", line: 6, why: "the same text again", isAgain: true } as const
    const chapter = { _tag: "Skipped", file: "a.html", line: 5, why: "a level without sections" } as const

    expect(census([dogs, again, chapter, left])).toMatchObject({
      headings: 2,
      sections: 1,
      exceptions: 1,
      wordsLeft: 20,
      differences: []
    })
  })

  it("takes a heading without text for an entry of a table of contents if another one has its number", () => {
    const counter = counterFor("html", "a.html")
    counter.write("<h3>1.2.3 Dogs</h3>\n<h3>1.2.3 Dogs</h3><p>They bark.</p>")
    counter.took(of(2, "1.2.3", "Dogs", "They bark."))

    expect(counter.end()).toMatchObject({ headings: 1, sections: 1, differences: [] })
  })

  it("counts the sections of XML, and none that is quoted", () => {
    const counter = counterFor("uslm", "a.xml")
    counter.write(`<main><toc><section/></toc>\n<section><num>§ 1.</num><content>One <quotedContent><section>two</section>
      </quotedContent> three<ref class="footnoteRef">1</ref></content></section>\n<uslm:section><num>§ 2.</num></uslm:section>
      <notes><quotedContent><section>Four</section></quotedContent></notes></main>`)
    counter.took(of(2, "1", "", "One two three", { notes: "Four" }))

    expect(counter.end()).toMatchObject({
      headings: 2,
      sections: 1,
      differences: ["4: a heading that is no section: § 2."]
    })
  })
})
