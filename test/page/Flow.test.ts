import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

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

test("lists are tight, nested ones are indented, and numbers start where they say", () => {
  expect(
    md("<ul><li>a<ul><li>b</ul>c<li><p>d</p><li><p>e</p><p>f</p><li>g</ul><ol start=9><li>h<li><pre>x\ny</pre></ol>")
  ).toBe("- a\n  - b\n\n  c\n- d\n- e\n\n  f\n\n- g\n\n9. h\n10. ```\n    x\n    y\n    ```")
})

test("letters, Roman numbers and numbers below zero are written as a reader sees them", () => {
  expect(md("<ol type=a start=25><li>x<li>y<li>z</ol>")).toBe("- y. x\n- z. y\n- aa. z")
  expect(md('<ol type="A"><li>x<ol style="list-style-type: lower-roman"><li>i<li value=9>j</ol><li>y</ol>')).toBe(
    "- A. x\n  - i. i\n  - ix. j\n- B. y"
  )
  expect(md('<ol style="list-style: upper-latin"><li>x</ol><ol type=I start=4000><li>y</ol>')).toBe(
    "- A. x\n\n- 4000. y"
  )
  expect(md("<ol start=-1><li>a<li>b<li>c</ol>")).toBe("- -1. a\n- 0. b\n- 1. c")
  expect(md("<ul type=a><li>x</ul>")).toBe("- x")
})

test("a list that counts down ends with one, or counts from where it says", () => {
  expect(md("<ol reversed><li>a<ol><li>x<li>y</ol><li>b<li>c</ol><ol reversed start=8><li>d<li>e</ol>")).toBe(
    "3. a\n   1. x\n   2. y\n2. b\n1. c\n\n8. d\n7. e"
  )
  expect(md("<ol reversed type=a><li>a<ol reversed><li>x<li>y</ol><li value=4>b<li>c</ol>")).toBe(
    "- c. a\n  2. x\n  1. y\n- d. b\n- c. c"
  )
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

test("a heading that is never ended ends where a list or another heading begins", () => {
  expect(md("<h2>A<ul><li>b</ul><h3>C<h4>D</h4>")).toBe("## A\n\n- b\n\n### C\n\n#### D")
})

test("blocks inside a heading are parts of it", () => {
  expect(md("<h1><div>a</div><p><b>b</b><br>c #</h1>")).toBe("# a b c \\#")
})

test("a list between the items of a list belongs to the item before it", () => {
  expect(md("<ul><li>a</li><ul><li>b</li><ol><li>c</li></ol></ul><li>d</li></ul>")).toBe("- a\n  - b\n    1. c\n- d")
  expect(md("<ol><li>a</li><ol><li>b</li></ol><li>c</li></ol>")).toBe("1. a\n   1. b\n2. c")
  expect(md("<ul><ul><li>a</li></ul><li>b</li></ul>")).toBe("- a\n- b")
  expect(md("<ul><li>a</li><ul><li>b</li></ul><ul><li>c</li></ul><p>note</p><ol><li>d</li></ol></ul>")).toBe(
    "- a\n  - b\n  - c\n\nnote\n\n1. d"
  )
})
