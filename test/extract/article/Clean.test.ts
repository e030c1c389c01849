import { describe, expect, it } from "vitest"
import * as Blocks from "../../../src/extract/article/Blocks.ts"
import { clean } from "../../../src/extract/article/Clean.ts"
import { weigh } from "../../../src/extract/article/Container.ts"
import * as Draft from "../../../src/extract/article/Draft.ts"
import * as Dom from "../../../src/html/Dom.ts"

const left = (html: string, strict = true) => {
  const root = Draft.of(Dom.parse(`<section>${html}</section>`))
  clean(root, weigh, strict)
  return Blocks.of(root).map(({ text }) => text)
}

describe("clean", () => {
  it("takes forms and their parts out", () => {
    expect(left("<p>Text</p><form><input><input>Name</form><button>Send</button><select><option>A</select>")).toEqual([
      "Text"
    ])
  })

  it("takes footers and asides out", () => {
    expect(left("<p>Text</p><footer>Foot</footer><aside>Aside</aside>")).toEqual(["Text"])
  })

  it("takes what is there to be shared with out, where it holds little", () => {
    expect(left('<p>Text</p><div class="share"><p>Send it to a friend</p></div>')).toEqual(["Text"])
    expect(left(`<p>Text</p><div class="share"><p>${"long text ".repeat(60)}</p></div>`, false)).toHaveLength(2)
  })

  it("takes a division out that is mostly links, and keeps it where it looks for the content", () => {
    const links = "<p>Read <a href='/a'>this other story of ours</a> now</p>"

    expect(left(`<p>Text</p><div>${links}</div>`)).toEqual(["Text"])
    expect(left(`<p>Text</p><div>${links}</div>`, false)).toHaveLength(2)
  })

  it("keeps a quote of another page", () => {
    const quote = `<blockquote><p>quoted <a href="https://other.test/">May 3, 2026</a></p></blockquote>`

    expect(left(`<p>Text</p><div class="media">${quote}</div>`)).toHaveLength(2)
  })

  it("keeps a list of few links in long items", () => {
    expect(
      left(`<ul><li>An item that says something <a href="/a">here</a></li><li>And another</li></ul>`)
    ).toHaveLength(2)
  })

  it("keeps tables of data and what is in them", () => {
    const table = `<table><tr><th>Name<th>Link</tr><tr><td>A<td><div><a href="/a">a</a></div></tr></table>`

    expect(left(table)).toEqual(["Name", "Link", "A", "a"])
  })

  it.each(["Advertisement", "Werbung", "Loading...", "Chargement…", "广告"])("takes the notice %s out", (notice) => {
    expect(left(`<p>Text</p><div><p>${notice}</p></div>`)).toEqual(["Text"])
  })
})
