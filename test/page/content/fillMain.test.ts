import { describe, expect, it } from "vitest"
import { fillMain } from "#page/content/fillMain"
import { readDom } from "#page/content/readDom"
import * as Dom from "#page/Dom"

/** The texts that are kept of a page of which those with a + are chosen. */
const filled = (html: string): ReadonlyArray<string> => {
  const { blocks, outline } = readDom(Dom.parse(`<body>${html}</body>`))
  const kept = Uint8Array.from(blocks, ({ text }) => (text.includes("+") ? 1 : 0))
  fillMain(outline, kept)
  return blocks.flatMap(({ text }, i) => (kept[i] === 1 ? text.replace("+", "").trim() : []))
}

const long = "words of a paragraph that say what the page is about and go on"

describe("the main element of a manual", () => {
  it("keeps notes, code and tables between what is kept", () => {
    const page = `<div id=page><p>+${long} one</p><div class=note><h4>Note</h4><em>short</em></div>
      <pre>code</pre><table><tr><td>cell</table><p>+${long} two</p></div>`
    expect(filled(page)).toEqual([`${long} one`, "Note", "short", "code", "cell", `${long} two`])
  })

  it("keeps its title, and what follows in the parts and in the manner of what is kept", () => {
    const page = `<div id=page><div class=crumbs>Home</div><h1>Title</h1><p>+${long} one</p>
      <section><p>+${long} two</p><pre>an example</pre></section><p>the end</p><div class=last>changed today</div></div>`
    expect(filled(page)).toEqual(["Title", `${long} one`, `${long} two`, "an example", "the end"])
  })

  it("leaves navigation, asides, footers, parts named so and lists of links where they are", () => {
    const page = `<div id=page><p>+${long} one</p><nav>next</nav><aside>by the way</aside><div class=sidebar>beside</div>
      <ol><li><a href=1>Chapter 1</a><li><a href=2>Chapter 2</a><li><a href=3>Chapter 3</a><li><a href=4>Chapter 4</a></ol>
      <p>+${long} two</p><footer>me</footer></div>`
    expect(filled(page)).toEqual([`${long} one`, `${long} two`])
  })

  it("keeps a box of text in the middle, though a book names it a sidebar, but no offer, no links and nothing at the end", () => {
    const text = `${long}, and ${long}`
    const link = `<a href=/more>${long} and further, and further</a>`
    const page = `<div id=page><p>+${text} one</p><div class=sidebar><h4>History</h4><p>${long} and further on, and on</p></div>
      <p>+${text} two</p><div class=sidebar><p>${link}</p></div><p>+${text} three</p>
      <div class="sidebar newsletter"><p>${long} and further on, and on</p></div><p>+${text} four</p>
      <div class=sidebar><p>${long} and further on, and on</p></div></div>`
    const box = ["History", `${long} and further on, and on`]
    expect(filled(page)).toEqual([`${text} one`, ...box, `${text} two`, `${text} three`, `${text} four`])
  })

  it("keeps lists of links where they are what there is", () => {
    const links = (from: number, sign: string) =>
      [0, 1, 2, 3].map((i) => `<li><a href=${from + i}>${sign}chapter ${from + i} of the manual</a>`).join("")
    const page = `<div id=page><ul>${links(1, "+")}</ul><ol>${links(5, "")}</ol><ul>${links(9, "+")}</ul></div>`
    expect(filled(page)).toHaveLength(12)
  })

  it("keeps the sections that come after what is kept", () => {
    const page = `<div id=page><section><h2>Summary</h2><p>+${long} one</p><p>+${long} two</p></section>
      <section class=details><h2>Details</h2><ul><li><h3>Thing</h3><pre>Thing(value)</pre>It makes a thing of a value.</ul></section>
      <section class=comments><h2>Comments</h2><div>It did not work here for me at all.</div></section>
      <section><h2>More</h2><ul><li><a href=1>Another page of these</a></ul></section></div>`
    expect(filled(page)).toEqual([
      "Summary",
      `${long} one`,
      `${long} two`,
      "Details",
      "Thing",
      "Thing(value)",
      "It makes a thing of a value."
    ])
  })

  it("keeps who said a quotation", () => {
    const page = `<div id=page><p>+${long} one</p><blockquote><p>+${long} two</p><footer>Somebody</footer></blockquote><p>+${long} three</p></div>`
    expect(filled(page)).toContain("Somebody")
  })

  it("is the body where sections stand in it, as far as what is kept goes, and nothing from beside the content between them", () => {
    const sections = (between: string) =>
      `<h1>Title</h1><p>+${long} one</p>${between}<div><h2>Synopsis</h2><p>+${long} two</p></div><p>Copyright</p>`
    expect(filled(sections("<p>by somebody</p>"))).toEqual([
      "Title",
      `${long} one`,
      "by somebody",
      "Synopsis",
      `${long} two`
    ])
    expect(filled(sections("<p>by somebody</p><nav>menu</nav>"))).toEqual([`${long} one`, `${long} two`])
  })

  it("is not an element of which most is left out", () => {
    expect(filled(`<div><p>+one</p><div>${long} ${long}</div><p>+two</p></div>`)).toEqual(["one", "two"])
  })

  it("does not grow over what has navigation beside it", () => {
    const page = `<div><nav>menu</nav><div>teaser</div><div id=main><p>+${long}</p></div></div>`
    expect(filled(page)).toEqual([long])
  })
})
