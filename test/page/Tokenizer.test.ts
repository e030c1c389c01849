import { expect, test } from "vitest"
import { tokenize } from "#page/Tokenizer"

const tokens = (
  html: string,
  options?: { readonly xml: boolean; readonly foreign?: boolean }
): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  tokenize(
    html,
    {
      foreign: options?.foreign ?? false,
      open: (name, attributes) => {
        const pairs = Array.from({ length: attributes.length }, (_, i) => [attributes.nameAt(i), attributes.valueAt(i)])
        found.push(attributes.selfClosing ? [name, pairs, "/"] : [name, pairs])
      },
      close: (name) => found.push(`/${name}`),
      text: (value) => found.push(value)
    },
    options
  )
  return found
}

test("names are lower case, values are decoded, the first of two equal attributes counts", () => {
  expect(tokens(`<A HREF='?a=1&amp;b' href=z CHECKED>x &lt; y</A >`)).toEqual([
    [
      "a",
      [
        ["href", "?a=1&b"],
        ["checked", ""]
      ]
    ],
    "x < y",
    "/a"
  ])
})

test("a less-than sign that starts no tag is text", () => {
  expect(tokens("1 < 2 <3 a<")).toEqual(["1 < 2 <3 a<"])
})

test("an ampersand that starts no reference is text, and an attribute keeps legacy names that go on", () => {
  expect(tokens('<a href="?x&copy=1">AT&T &notit;')).toEqual([["a", [["href", "?x&copy=1"]]], "AT&T ¬it;"])
})

test("a slash that ends a bare value is part of it", () => {
  expect(tokens("<a href=/x/><br/>")).toEqual([
    ["a", [["href", "/x/"]]],
    ["br", [], "/"]
  ])
})

test("comments end where browsers end them", () => {
  expect(tokens("a<!-->b<!--->c<!-- > -- --!>d<!x>e<?php ?>f</ g>h<!--")).toEqual(["a", "b", "c", "d", "e", "f", "h"])
})

test("a script is not markup, even where it holds its own end tag in a comment", () => {
  expect(tokens("<script>if (a<b) '<p>'</script>x")).toEqual([["script", []], "if (a<b) '<p>'", "/script", "x"])
  expect(tokens("<script><!--<script></script>--></script>x")).toEqual([
    ["script", []],
    "<!--<script></script>-->",
    "/script",
    "x"
  ])
})

test("a title is text with references, and a longer name does not end it", () => {
  expect(tokens("<title>a &amp; <b></titles></title>")).toEqual([["title", []], "a & <b></titles>", "/title"])
})

test("a tag that the page cuts off is left out with what was read of it", () => {
  expect(tokens('x<a href="y')).toEqual(["x"])
  expect(tokens("x<p")).toEqual(["x"])
})

test("CDATA is text in drawings and in XML, a comment elsewhere", () => {
  expect(tokens("<![CDATA[a<b]]>c")).toEqual(["c"])
  expect(tokens("<![CDATA[a<b]]>c", { xml: false, foreign: true })).toEqual(["a<b", "c"])
  expect(tokens("<t><![CDATA[a&amp;b]]>&#x41;&copy;</t>", { xml: true })).toEqual([
    ["t", []],
    "a&amp;b",
    "A&copy;",
    "/t"
  ])
})
