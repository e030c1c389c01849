import { expect, test } from "vitest"
import { tokenize } from "#page/Tokenizer"
import { type Element, Tree } from "#page/tree/Tree"

const shape = (html: string, xhtml = false): string => {
  let out = ""
  const tree = new Tree(
    {
      open: (element) => (out += `<${element.name}>`),
      close: (element) => (out += `</${element.name}>`),
      text: (value) => (out += value)
    },
    xhtml
  )
  tokenize(html, tree)
  tree.end()
  return out
}

test("a paragraph ends where a block begins, also inside a mark", () => {
  expect(shape("<p>a<p>b<div>c</div>")).toBe("<p>a</p><p>b</p><div>c</div>")
  expect(shape("<p><span>a<p>b")).toBe("<p><span>a</span></p><p>b</p>")
})

test("list items, terms and table parts end each other", () => {
  expect(shape("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>")).toBe(
    "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"
  )
  expect(shape("<dl><dt>a<dd>b<dt>c</dl>")).toBe("<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>")
  expect(shape("<table><tr><td>a<td>b<tr><th>c</table>")).toBe(
    "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>"
  )
})

test("an end tag in a cell does not close what is outside of the table", () => {
  expect(shape("<div><table><tr><td>a</div></p>b</td></tr></table>c</div>")).toBe(
    "<div><table><tr><td>a<p></p>b</td></tr></table>c</div>"
  )
})

test("a mark closed out of order is closed alone", () => {
  const closed: Array<string> = []
  const tree = new Tree(
    { open: () => {}, close: (element: Element) => closed.push(element.name), text: () => {} },
    false
  )
  tokenize("<b><p>x</b>y</p>", tree)
  tree.end()
  expect(closed).toEqual(["b", "p"])
})

test("a link ends where the next one begins", () => {
  expect(shape("<a>x<a>y</a>")).toBe("<a>x</a><a>y</a>")
})

test("any end tag of a heading ends a heading", () => {
  expect(shape("<h1>a</h2>b")).toBe("<h1>a</h1>b")
})

test("void elements have no content and stray end tags do nothing", () => {
  expect(shape("a<br>b<img>c</img></section></b>d")).toBe("a<br></br>b<img></img>cd")
})

test("a drawing that is never closed ends at the next paragraph", () => {
  expect(shape("<svg><path><p>x")).toBe("<svg><path></path></svg><p>x</p>")
})

test("a slash closes an element in XHTML and in drawings only", () => {
  expect(shape("<div/>a")).toBe("<div>a</div>")
  expect(shape("<div/>a", true)).toBe("<div></div>a")
  expect(shape("<svg><g/><path/></svg>a")).toBe("<svg><g></g><path></path></svg>a")
})

test("depth is limited, and every element that opens closes once", () => {
  let depth = 0
  let deepest = 0
  let opened = 0
  const tree = new Tree(
    {
      open: () => {
        opened++
        deepest = Math.max(deepest, ++depth)
      },
      close: () => depth--,
      text: () => {}
    },
    false
  )
  tokenize("<div><b>".repeat(50_000), tree)
  tree.end()
  expect({ opened, depth }).toEqual({ opened: 100_000, depth: 0 })
  expect(deepest).toBeLessThanOrEqual(257)
})

test("an element of XHTML that closes itself has no content, also where HTML has raw text", () => {
  expect(shape("<script/><title/><p>a</p>", true)).toBe("<script></script><title></title><p>a</p>")
  expect(shape("<script/><p>a</p></script>b")).toBe("<script><p>a</p></script>b")
})
