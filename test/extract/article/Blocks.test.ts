import { describe, expect, it } from "vitest"
import * as Blocks from "../../../src/extract/article/Blocks.ts"
import * as Draft from "../../../src/extract/article/Draft.ts"
import * as Dom from "../../../src/html/Dom.ts"

const blocks = (html: string) => Blocks.of(Draft.of(Dom.parse(html)))

describe("Blocks", () => {
  it("names what each block is", () => {
    const found = blocks(
      "<h2>Head</h2><p>Text</p><ul><li>Item</li></ul><blockquote><p>Quote</p></blockquote><pre>a\n  b</pre><table><tr><td>Cell</td></tr></table><figure><figcaption>Below</figcaption></figure>"
    )

    expect(found.map(({ kind, text }) => [kind, text])).toEqual([
      ["heading", "Head"],
      ["paragraph", "Text"],
      ["item", "Item"],
      ["quote", "Quote"],
      ["code", "a\n  b"],
      ["cell", "Cell"],
      ["caption", "Below"]
    ])
  })

  it("keeps a line together over marks and sets it apart from what stands around", () => {
    expect(blocks("before<div>one <b>two</b>three<br>four</div>after").map(({ text }) => text)).toEqual([
      "before",
      "one twothree four",
      "after"
    ])
  })

  it("says which characters of the page a block stands in", () => {
    const html = "<div><p>a <b>bold</b> word</p><p>next</p></div>"

    expect(blocks(html).map(({ span }) => html.slice(...span))).toEqual(["a <b>bold</b> word", "next"])
  })
})
