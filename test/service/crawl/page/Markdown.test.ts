import { expect, test } from "vitest"
import { defaults, parse } from "../../../../src/service/crawl/page/Page.ts"

const md = (html: string): string | undefined =>
  parse(
    { url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
    { ...defaults, onlyMainContent: false }
  ).markdown

test("blocks stand one blank line apart, and nothing stands around them", () => {
  expect(md("\n<h1>T</h1>\n\n<p>a\n b</p> text <div><div>c</div></div><hr><p></p><h3> </h3>")).toBe(
    "# T\n\na b\n\ntext\n\nc\n\n---"
  )
})

test("spaces and breaks stand outside of marks, and empty marks leave nothing", () => {
  expect(md("<p>a<b> b </b>c <i></i><em> </em>d<strong>e<br></strong>f")).toBe("a **b** c d**e**  \nf")
})

test("marks of one kind are one mark", () => {
  expect(md("<b>a<strong>b</strong></b><b>c</b> <i>d</i>")).toBe("**abc** *d*")
})

test("a mark that spans paragraphs is written in each of them", () => {
  expect(md("<b><p>a</p><p>b</b>c</p>")).toBe("**a**\n\n**b**c")
})

test("struck, raised and lowered text keep their meaning", () => {
  expect(md("<del>a</del> 10<sup>6</sup> H<sub>2</sub>O <q>b</q>")).toBe("~~a~~ 10<sup>6</sup> H<sub>2</sub>O “b”")
})

test("links are absolute, and those without text or use are none", () => {
  expect(
    md(
      '<a href="c">x</a> <a href=d></a><a>y</a> <a href="javascript:z()">z</a> <a href="mailto:a@b.c">m</a> <a href="/p (1)">q</a>'
    )
  ).toBe("[x](https://example.com/a/c) y z [m](mailto:a@b.c) [q](https://example.com/p%20(1))")
})

test("a card that is a link is linked once where it has words", () => {
  expect(md("<a href=/c><div><img src=i.png alt=I></div><h3>Title</h3><p>More</p></a>")).toBe(
    "[![I](https://example.com/a/i.png)](https://example.com/c)\n\n### [Title](https://example.com/c)\n\nMore"
  )
})

test("the text of a link cannot end it, and an exclamation mark makes no image of it", () => {
  expect(md("Hi!<a href=/c>[1] a_b</a>")).toBe("Hi\\![\\[1\\] a_b](https://example.com/c)")
})

test("permalinks of headings are dropped, and a heading that links to itself is a heading", () => {
  expect(
    md('<h2>A<a class="headerlink" href="#a">¶</a></h2><h2><a href="#b">B</a></h2><p>x <a class=anchor href="#c">#</a>')
  ).toBe("## A\n\n## B\n\nx")
})

test("images have their text, and those that only count or are embedded are dropped", () => {
  expect(
    md(
      '<img src="/i (1.png" alt="a [b]\n c"><img src=p.gif width=1 height=1><img src="data:image/png;base64,A" data-src=l.png>'
    )
  ).toBe("![a \\[b\\] c](https://example.com/i%20%281.png)![](https://example.com/a/l.png)")
})

test("embedded images are kept where they are asked for", () => {
  const page = parse(
    {
      url: "https://example.com/",
      body: Buffer.from('<img src="data:image/png;base64,AA==">'),
      contentType: "text/html"
    },
    { ...defaults, removeBase64Images: false }
  )
  expect(page.markdown).toBe("![](data:image/png;base64,AA==)")
})

test("lists are tight, nested ones are indented, and numbers start where they say", () => {
  expect(
    md("<ul><li>a<ul><li>b</ul>c<li><p>d</p><li><p>e</p><p>f</p><li>g</ul><ol start=9><li>h<li><pre>x\ny</pre></ol>")
  ).toBe("- a\n  - b\n\n  c\n- d\n- e\n\n  f\n\n- g\n\n9. h\n10. ```\n    x\n    y\n    ```")
})

test("boxes to tick are tasks", () => {
  expect(md("<ul><li><input type=checkbox checked> a<li><label><input type=checkbox>b</label></ul>")).toBe(
    "- [x] a\n- [ ] b"
  )
})

test("quotes hold blocks, and a blank line between two quotes is outside of both", () => {
  expect(md("<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote><blockquote>d</blockquote>")).toBe(
    "> a\n>\n> b\n>\n> > c\n\n> d"
  )
})

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

test("two breaks make a paragraph, one breaks the line", () => {
  expect(md("a<br>b<br><br>c<br>")).toBe("a  \nb\n\nc")
})

test("terms are bold and what explains them follows", () => {
  expect(md("<dl><dt><b>T</b><dd>a<dd>b</dl><details><summary>S</summary>c</details>")).toBe(
    "**T**\n\na\n\nb\n\n**S**\n\nc"
  )
})

test("figures keep their captions", () => {
  expect(md("<figure><img src=/i.png alt=a><figcaption>Cap</figcaption></figure>x")).toBe(
    "![a](https://example.com/i.png)\n\nCap\n\nx"
  )
})

test("what no reader sees is left out", () => {
  expect(
    md(
      "<p hidden>a</p><p aria-hidden=true>b</p><p style='color:red;DISPLAY : none'>c</p><script>d</script><video>e</video><svg><text>f</text></svg><button>g</button><template>h</template><p>i"
    )
  ).toBe("i")
})

test("a heading that is never ended ends where a list or another heading begins", () => {
  expect(md("<h2>A<ul><li>b</ul><h3>C<h4>D</h4>")).toBe("## A\n\n- b\n\n### C\n\n#### D")
})

test("blocks inside a heading are parts of it", () => {
  expect(md("<h1><div>a</div><p><b>b</b><br>c #</h1>")).toBe("# a b c \\#")
})

test("mathematics is written as its source", () => {
  expect(
    md('<math><mi>x</mi><annotation encoding="application/x-tex">x^2_1</annotation></math> and <math><mi>y</mi></math>')
  ).toBe("$x^2_1$ and y")
})

test("text that looks like markup is escaped, and other text is not", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["1. a", "1\\. a"],
    ["1.5 a", "1.5 a"],
    ["# a", "\\# a"],
    ["#a", "#a"],
    ["- a", "\\- a"],
    ["-a", "-a"],
    ["+ a<br>- b", "\\+ a  \n\\- b"],
    ["&gt; a", "\\> a"],
    ["---", "\\---"],
    ["===", "\\==="],
    ["*a* 2 * 3", "\\*a\\* 2 * 3"],
    ["snake_case __init__", "snake_case \\_\\_init\\_\\_"],
    ["[a](b) [c]", "[a\\](b) [c\\]"],
    ["`a`", "\\`a\\`"],
    ["a < b &lt;i>", "a < b \\<i>"],
    ["&amp;lt; a &amp; b", "\\&lt; a & b"],
    ["a~b ~~c~~", "a~b \\~\\~c\\~\\~"],
    ["C:\\dir \\*", "C:\\dir \\\\\\*"],
    ["a | b", "a | b"]
  ]
  for (const [html, markdown] of cases) expect(md(`<p>${html}</p>`)).toBe(markdown)
})
