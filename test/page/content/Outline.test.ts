import { expect, test } from "vitest"
import { hashOfText } from "#page/content/letters"
import { readDom } from "#page/content/readDom"
import * as Dom from "#page/Dom"
import { NOSCRIPT, SHOWN, veilOf } from "#page/tree/Hidden"

const read = (html: string) => readDom(Dom.parse(html))
const texts = (html: string) => read(html).blocks.map(({ text }) => text.trim())

test("a block is the text between two borders", () => {
  expect(texts("<div>a <b>b</b><p>c</p>d</div>")).toEqual(["a b", "c", "d"])
  expect(texts("<p>a<br>b<br><br>c</p>")).toEqual(["a\nb", "c"])
})

test("white space makes no block", () => {
  expect(texts("<div> <p> </p>\n<p>a</p> </div>")).toEqual(["a"])
})

test("a part holds the blocks from its first to before its end", () => {
  const { outline } = read("<p>a</p><section><p>b</p><p>c</p></section><p>d</p>")
  const section = outline.parts.find(({ name }) => name === "section")
  expect([section?.first, section?.end, section?.counts.words]).toEqual([1, 3, 2])
})

test("a mark that ends out of order leaves the parts as they are", () => {
  const { outline } = read("<div><b><p>a</b></p><p>c</p></div>")
  expect(outline.parts.filter(({ name }) => name === "p").map(({ parent }) => parent?.name)).toEqual(["div", "div"])
})

test("what hides a part hides what is in it", () => {
  const { outline } = read('<div style="display:none"><p>a</p></div><p>b</p>')
  expect(outline.blocks.map(({ part }) => part.veil)).toEqual([
    veilOf("div", new Map([["style", "display:none"]])),
    SHOWN
  ])
})

test("a noscript is read where it is long enough to be the page", () => {
  const long = "<p>Words that only a browser without scripts shows.</p>".repeat(40)
  expect(read(`<body><noscript>${long}</noscript></body>`).outline.blocks[0]?.part.veil).toBe(NOSCRIPT)
  expect(texts("<body><noscript><p>Switch scripts on.</p></noscript></body>")).toEqual([])
})

test("a picture alone is a block without words", () => {
  const { outline } = read("<p>a</p><figure><img src=b.png></figure><p>c <img src=d.png></p>")
  expect(outline.blocks.map(({ counts, images }) => [counts.words, images])).toEqual([
    [1, 0],
    [0, 1],
    [1, 1]
  ])
})

test("the hash of a block is that of its letters and digits", () => {
  const { outline } = read("<h1>Hello, <i>World</i> 2!</h1>")
  expect(outline.blocks[0]?.text).toBe(hashOfText("hello world 2"))
  expect(outline.blocks[0]?.text).not.toBe(hashOfText("hello world 3"))
})

test("an anchor that is only a place in the page links nothing, even where nobody closes it", () => {
  const { counts } = read('<a name="top"><p>a b c</p><p><a href="/d">d</a> e</p>').outline.root
  expect([counts.words, counts.linkWords]).toEqual([5, 1])
})
