import { describe, expect, test } from "vitest"
import * as PageUrl from "#contract/PageUrl"

const key = (href: string, ignoreQuery = false) => PageUrl.key(new URL(href), ignoreQuery)

describe("the key of a page", () => {
  test.each([
    "https://site.test/docs",
    "http://www.site.test/docs",
    "http://WWW.SITE.test/docs",
    "http://site.test:80/docs",
    "https://site.test:443/docs",
    "http://site.test/docs/",
    "http://site.test/docs/index.html",
    "http://site.test/docs/INDEX.HTM",
    "http://site.test/docs/index.php",
    "http://site.test/docs#part",
    "http://site.test/docs#",
    "http://site.test/docs?",
    "http://site.test/%64ocs",
    "http://site.test/a/../docs",
    "http://user:secret@site.test/docs"
  ])("of %s is that of http://site.test/docs", (variant) => {
    expect(key(variant)).toBe(key("http://site.test/docs"))
  })

  test.each([
    "http://site.test/Docs",
    "http://site.test:8080/docs",
    "http://api.site.test/docs",
    "http://site.test/docs?a=1",
    "http://site.test/docs#/route",
    "http://site.test/docs#!/route",
    "http://site.test/docs//",
    "http://site.test/docs/index.html.bak",
    "http://site.test/docs/default.html",
    "http://site.test/docs/default.aspx",
    "http://site.test/docs%2F",
    "http://site.test/"
  ])("of %s is another than that of http://site.test/docs", (other) => {
    expect(key(other)).not.toBe(key("http://site.test/docs"))
  })

  test("takes escapes in either case for the same, and does not undo those that matter", () => {
    expect(key("http://site.test/caf%c3%a9")).toBe(key("http://site.test/café"))
    expect(key("http://site.test/a%2fb")).not.toBe(key("http://site.test/a/b"))
    expect(key("http://site.test/a%3Fb")).not.toBe(key("http://site.test/a?b"))
  })

  test("of the root is the same with every index file", () => {
    expect(new Set(["", "/", "/index.html", "/#top"].map((path) => key(`http://site.test${path}`))).size).toBe(1)
  })

  test("leaves the query out where that is asked, and hash routes in", () => {
    expect(key("http://site.test/a?x=1&y", true)).toBe(key("http://site.test/a", true))
    expect(key("http://site.test/a?x=1#/r", true)).not.toBe(key("http://site.test/a", true))
  })
})

describe("a link", () => {
  test.each([
    ["/a#part", "http://site.test/a"],
    ["a b", "http://site.test/docs/a%20b"],
    ["?q", "http://site.test/docs/?q"],
    ["//other.test", "http://other.test/"],
    ["HTTP://SITE.test:80/A", "http://site.test/A"],
    ["#/route", "http://site.test/docs/#/route"],
    ["#part", "http://site.test/docs/"],
    ["http://user:secret@site.test/", "http://site.test/"]
  ])("%s is the page %s", (href, page) => {
    expect(PageUrl.normalize(href, "http://site.test/docs/")?.href).toBe(page)
  })

  test.each([
    "mailto:a@b.test",
    "javascript:void(0)",
    "data:text/html,x",
    "tel:+1",
    "ftp://site.test/",
    "file:///etc/passwd",
    "http://",
    "https://[broken",
    "http://site.test:99999/",
    "about:blank",
    "blob:http://site.test/1",
    "ws://site.test/"
  ])("%s is no page", (href) => {
    expect(PageUrl.normalize(href, "http://site.test/docs/")).toBeUndefined()
  })

  test("that is relative is no page without a base", () => {
    expect(PageUrl.normalize("/a")).toBeUndefined()
  })
})

test.each([
  ["/a#part", false, "/a"],
  ["/a#/route", false, "/a"],
  ["/a#/route", true, "/a#/route"],
  ["/a#!route", true, "/a#!route"],
  ["/a#part", true, "/a"],
  ["/a", true, "/a"]
])("the page of %s, with routes %s, is %s", (href, routes, page) => {
  expect(PageUrl.withoutPlace(href, routes)).toBe(page)
})

test("the pages that links lead to are named once each, in the order of the links", () => {
  const links = ["/b#one", "/a", "/b#two", "/a#", "/app#/route", "/app#/other", "/b"]

  expect(PageUrl.pagesOf(links)).toEqual(["/b", "/a", "/app#/route", "/app#/other"])
})
