import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const md = (html: string): string | undefined =>
  parse(
    { url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
    { ...defaults, onlyMainContent: false }
  ).markdown

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

test("images that are said for several screens alone, or loaded late, are those that they say first", () => {
  expect(
    md(
      '<img alt=a srcset="/a.jpg 480w, /b.jpg 800w"><img alt=b data-srcset="/c,1.jpg"><img alt=c src="" data-lazy-src=/d.jpg>' +
        '<img alt=d src="data:image/gif;base64,R0" srcset="/e.jpg, /f.jpg 2x"><img alt=e srcset=" , "><img alt=f src=/g.jpg srcset="/h.jpg 2x">'
    )
  ).toBe(["a", "c,1", "d", "e", "g"].map((name, at) => `![${"abcdf"[at]}](https://example.com/${name}.jpg)`).join(""))
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

test("an arrow that leads back from a footnote is not written, and its mark is", () => {
  expect(md('<p>Text<a href="#fn1">†</a></p><p id=fn1>Note. <a href="#fnref1" class="x">↩︎</a></p>')).toBe(
    "Text[†](https://example.com/a/b#fn1)\n\nNote."
  )
  expect(md('<p><a href="/next">→</a></p>')).toBe("[→](https://example.com/next)")
})

test("formulas in scripts for MathJax are written as TeX", () => {
  expect(md('<p>If <script type="math/tex">a^2 + b_1</script>, then</p><script>var a</script>')).toBe(
    "If $a^2 + b_1$, then"
  )
})
