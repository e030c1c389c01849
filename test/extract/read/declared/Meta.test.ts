import { expect, test } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/declared/Meta"
import { pairs } from "../outline.ts"

const meta = (html: string) => read(new Page(html, "https://site.test/a/b"))

test("the title, the language and what meta says are read under their names", () => {
  expect(
    pairs(
      meta(`<html lang="de-AT"><head><title>One\n two</title><meta name=description content=" three ">
      <meta name="DC.creator" content="Four"><meta http-equiv=content-language content=de>
      <meta name=keywords content=""><svg><title>no</title></svg></head>`)
    )
  ).toEqual({
    language: "de-AT",
    title: "One two",
    description: "three",
    "DC.creator": "Four",
    "content-language": "de"
  })
})

test("OpenGraph keeps its prefixes, a name that comes again is a list, and addresses are absolute", () => {
  const found = meta(`<meta property="og:image" content="/1.png"><meta property="og:image" content="2.png">
    <meta property="product:price:amount" content="5.00"><meta name="twitter:title" content="T">
    <meta property="og:title twitter:title" content="both">`)

  expect(pairs(found)).toEqual({
    "og:image": ["https://site.test/1.png", "https://site.test/a/2.png"],
    "product:price:amount": "5.00",
    "twitter:title": ["T", "both"],
    "og:title": "both"
  })
  expect(new Set(found.map(({ value }) => value.source.kind))).toEqual(new Set(["opengraph"]))
})

test("relations of links are read, settings of browsers and services are not", () => {
  expect(
    pairs(
      meta(`<link rel=canonical href="/c"><link rel="author license" href="d"><link rel=stylesheet href="e.css">
      <link rel="shortcut icon" href="f.ico"><meta name=viewport content="width=1"><meta name="google-site-verification" content="x">`)
    )
  ).toEqual({ canonical: "https://site.test/c", author: "https://site.test/a/d", license: "https://site.test/a/d" })
})

test("each value says its tag", () => {
  const html = '<head><meta name="a" content="b"></head>'
  const [found] = meta(html)

  expect(found?.value.source).toMatchObject({ kind: "meta", path: "a" })
  expect(html.slice(...(found?.value.source.span ?? [0, 0]))).toBe('<meta name="a" content="b">')
})
