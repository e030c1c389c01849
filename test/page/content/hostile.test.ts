import { expect, test } from "vitest"
import * as Page from "#page/Page"

const markdownOf = (html: string): string | undefined =>
  Page.parse({ url: "https://mill.example/", body: Buffer.from(html), contentType: "text/html" }, Page.defaults)
    .markdown

const words = "<p>Words of a page, many of them, that go on for a line or two and then end.</p>".repeat(20)

// Each would take minutes if its cost grew with the square of its size.
test("a page that opens noscripts and closes none is read", () => {
  expect(markdownOf(`<body>${words}${"<noscript>x".repeat(50_000)}`)).toContain("Words of a page")
})

test("a page of a hundred thousand pictures between its words is read", () => {
  expect(markdownOf(`<main>${words}${"<p><img src=a.png></p>".repeat(100_000)}</main>`)).toContain("Words of a page")
})

test("a page of a hundred thousand hidden parts is read", () => {
  expect(markdownOf(`<main>${words}</main>${"<div hidden><p>no</p></div>".repeat(100_000)}`)).toContain(
    "Words of a page"
  )
})
