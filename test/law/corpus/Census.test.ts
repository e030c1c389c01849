import { describe, expect, it } from "vitest"
import { counterFor } from "#law/corpus/Census"
import type { GovSection } from "#law/GovText"
import { section } from "../index/library.ts"

const of = (line: number, text: string): GovSection => ({
  ...section({ document: "d", identity: `s${line}`, citation: "§ 9-1-1", heading: "Dogs", text }),
  line
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
  for (const text of texts) counter.took(text)
  // In pieces, which may end within a tag.
  for (let at = 0; at < page.length; at += 7) counter.write(page.slice(at, at + 7))
  return counter.end()
}
const left = { _tag: "Skipped", file: "a.html", line: 7, why: "a heading without text" } as const

describe("the census of a file", () => {
  it("counts headings and words from the tags, and finds no difference if all was read", () => {
    expect(census([of(3, `${first} ${second}`), of(6, "Acts 1990."), left])).toMatchObject({
      headings: 3,
      sections: 2,
      exceptions: 1,
      differences: []
    })
  })

  it("says the line of a section that lost text, and of a heading that is no section", () => {
    expect(census([of(3, first)]).differences).toEqual([
      "3: 24 of 44 words: 9-1-1. Dogs.",
      "6: a heading that is no section: 9-2-1 — 9-2-4. Repealed.",
      "7: a heading that is no section: 9-2-5. [Reserved]"
    ])
  })

  it("takes a heading without text for an entry of a table of contents if another one has its number", () => {
    const counter = counterFor("html", "a.html")
    counter.write("<h3>1.2.3 Dogs</h3>\n<h3>1.2.3 Dogs</h3><p>They bark.</p>")
    counter.took(of(2, "They bark."))

    expect(counter.end()).toMatchObject({ headings: 1, sections: 1, differences: [] })
  })

  it("counts the sections of XML, and none that is quoted in another", () => {
    const counter = counterFor("uslm", "a.xml")
    counter.write(`<main><toc><section/></toc>\n<section><num>§ 1.</num><content>One <quotedContent><section>two</section>
      </quotedContent> three</content></section>\n<uslm:section><num>§ 2.</num></uslm:section></main>`)
    counter.took(of(2, "One two three"))

    expect(counter.end()).toMatchObject({
      headings: 2,
      sections: 1,
      differences: ["4: a heading that is no section: § 2."]
    })
  })
})
