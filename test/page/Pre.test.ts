import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const md = (html: string): string | undefined =>
  parse(
    { url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
    { ...defaults, onlyMainContent: false }
  ).markdown

test("code keeps its lines, and its language wherever it is named", () => {
  expect(md('<div class="language-ruby highlighter-rouge"><pre><code>\n  a\n\n b &lt;\n</code></pre></div>')).toBe(
    "```ruby\n  a\n\n b <\n```"
  )
  expect(md('<pre class="brush: js">a<br>b<div>c</div><div>d</div></pre>')).toBe("```js\na\nb\nc\nd\n```")
})

test("line numbers beside code are not code", () => {
  const table =
    '<figure class="highlight js"><table><tr><td class=gutter><pre>1\n2</pre></td><td class=code><pre>a\nb</pre></td></tr></table></figure>'
  const page = parse({ url: "https://example.com/", body: Buffer.from(table), contentType: "text/html" }, defaults)
  expect(page.markdown).toBe("```js\na\nb\n```")
})

test("fences are longer than any run of backticks inside", () => {
  expect(md("<pre>a\n````\nb</pre><p><code>x `` y</code> <code>`z</code> <kbd>Ctrl</kbd><code> </code>")).toBe(
    "`````\na\n````\nb\n`````\n\n`x `` y` `` `z `` `Ctrl`"
  )
})
