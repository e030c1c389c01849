import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import * as Code from "#extract/read/shown/Code"
import { outline, pairs } from "../outline.ts"

const read = (html: string) => Code.read(new Page(html, "https://x.test/"))

describe("code", () => {
  it("is a value for each block, with its lines and blanks", () => {
    const { groups, properties } = read("<pre>\n<code>if a:\n  <b>b</b>()\n</code></pre><p>and</p><pre>c<br>d</pre>")

    expect(pairs(properties)).toEqual({ "code sample": ["if a:\n  b()", "c\nd"] })
    expect(groups.map(({ name, things }) => ({ name, things: things.length }))).toEqual([
      { name: "code samples", things: 2 }
    ])
  })

  it("has the language that a class says", () => {
    const { groups } = read(
      '<pre><code class="language-sh">ls</code></pre><div class="language-ruby hl"><pre>puts</pre></div>'
    )

    expect(groups[0]?.things.map(outline)).toEqual([
      { "code sample": "ls", language: "sh" },
      { "code sample": "puts", language: "ruby" }
    ])
  })

  it("is read in time that grows with it, whatever white space stands in it", () => {
    expect(pairs(read(`<pre>a${"\n".repeat(100_000)}b</pre>`).properties)).toEqual({ "code sample": "a" })
  })

  it("is no column of line numbers", () => {
    expect(read("<table><tr><td><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>").properties).toHaveLength(1)
  })
})
