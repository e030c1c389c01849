import { expect, test } from "vitest"
import * as Page from "#page/Page"

const page = (html: string, header: { readonly link?: string; readonly refresh?: string }) =>
  Page.parse(
    { url: "https://example.com/a/b", body: new TextEncoder().encode(html), contentType: "text/html", ...header },
    Page.defaults
  )

test("the next page of a list is a link where only the header names it", () => {
  const link =
    '</style.css>; rel=preload; as=style, <?page=2>; title="x, y"; rel="next last" , </a/0>;rel=prev,<mailto:x@y.z>;rel=next'
  expect(page('<a href="/z">z</a>', { link }).links).toEqual([
    "https://example.com/z",
    "https://example.com/a/b?page=2",
    "https://example.com/a/0"
  ])
})

test("the header names the canonical address, unless the page does", () => {
  const link = '<https://example.com/c>; rel="canonical"'
  expect(page("<p>x</p>", { link }).metadata["canonical"]).toBe("https://example.com/c")
  expect(page("<link rel=canonical href=/own>", { link }).metadata["canonical"]).toBe("https://example.com/own")
})

test("versions in other languages that the header names are versions and links", () => {
  const { hreflang, links } = page("<link rel=alternate hreflang=en href=/en>", {
    link: '</de>; rel="alternate"; hreflang="de", </feed>; rel=alternate; type="application/rss+xml"'
  })
  expect(hreflang).toEqual([
    { lang: "en", href: "https://example.com/en" },
    { lang: "de", href: "https://example.com/de" }
  ])
  expect(links).toEqual(["https://example.com/en", "https://example.com/de"])
})

test("a refresh of the header leads where it says, unless the page has its own", () => {
  expect(page("", { refresh: "0;url=/next" }).refresh).toBe("https://example.com/next")
  expect(page("", { refresh: "5; URL='https://example.org/'" }).refresh).toBe("https://example.org/")
  expect(page("", { refresh: "300" }).refresh).toBeUndefined()
  expect(page("<meta http-equiv=refresh content='0;url=/own'>", { refresh: "0;url=/n" }).refresh).toBe(
    "https://example.com/own"
  )
})
