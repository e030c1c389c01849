import { expect, test } from "vitest"
import * as Page from "#page/Page"
import { scriptedLinks } from "#page/scriptedLinks"

const linksOf = (html: string) => {
  const body = new TextEncoder().encode(html)
  const { links } = Page.parse({ url: "https://example.com/a/b", body, contentType: "text/html" }, Page.defaults)
  return links.map((link) => link.replace("https://example.com", ""))
}

test.each([
  ["location.href='/x'", ["/x"]],
  ['window.location = "x.html"; return false', ["x.html"]],
  ["document.location.replace('/x')", ["/x"]],
  ["window.open('/x', '_blank')", ["/x"]],
  ["if (a) location.assign('/x'); else location.assign('/y')", ["/x", "/y"]],
  ["location.href = '/x?id=' + id", []],
  ["location.href = base + '/x'", []],
  ["location == '/x'", []],
  ["relocation = '/x'", []],
  ["go('/x')", []]
])("%s leads to %j", (code, hrefs) => {
  expect(scriptedLinks(code)).toEqual(hrefs)
})

test("what a click opens by a script is a link, and none of another site", () => {
  const card = `<div data-href="/card">Card</div><div data-href="https://social.example.net/like">Like</div>`
  const row = `<table><tr onclick="window.location.href='/row'"><td>Row</td></tr></table>`
  const link = `<a href="javascript:location='/old'">Old</a><a href="#" onclick="window.open('https://share.example.net/')">Share</a>`
  expect(linksOf(card + row + link)).toEqual(["/card", "/row", "/old", "/a/b#"])
})

test("a page or a file in an object is a link, and a picture is not", () => {
  const objects =
    '<object data="/in.html"></object><embed src="/d.pdf" type="application/pdf"><object data="/x.svg" type="image/svg+xml"></object>'
  expect(linksOf(objects)).toEqual(["/in.html", "/d.pdf"])
})

test("a page that is only a script that goes elsewhere leads there", () => {
  const redirect =
    "<html><head><title>Moved</title><script>if (de) location.href='/de/'; else location.href='/en/';</script></head></html>"
  expect(linksOf(redirect)).toEqual(["/de/", "/en/"])
  const shell = '<script src="/app.js"></script><script>if (old) location.href="/old"</script><div id="root"></div>'
  expect(linksOf(shell)).toEqual([])
  const page = `<p>${"Words of a page. ".repeat(20)}</p><script>if (old) location.href="/old"</script>`
  expect(linksOf(page)).toEqual([])
})
