import { expect, test } from "vitest"
import { Addresses } from "#page/Address"

test("the quick way gives what the URL standard gives", () => {
  const hrefs =
    "a|a/b.html|a/../b|./a|../a|/|/a//b|//h.org/x|#|#top|#a/b|?q|a?q=1&r|a b|a#b c|x:y|http:a|HTTP://H.org|..|.|a/.|a/..|/../x|.hidden|a.b|~u/|%2e%2e/x|\\a|é|#é|a;b|a//|-|_x#-|javascript:void(0)|http://[|  /x  |".split(
      "|"
    )
  for (const page of [
    "https://example.com/docs/guide/page.html?x=1#old",
    "http://example.com",
    "http://h.org:8080/a/"
  ]) {
    const addresses = new Addresses(page)
    for (const href of hrefs) {
      expect([page, href, addresses.resolve(href)]).toEqual([page, href, URL.parse(href, page)?.href])
    }
  }
})

test("the first base moves what follows it, a base that is not of the web does not", () => {
  const addresses = new Addresses("https://example.com/a/b")
  addresses.rebase("data:text/html,x")
  expect(addresses.resolve("c")).toBe("https://example.com/a/c")
  addresses.rebase("/root/")
  addresses.rebase("https://other.org/")
  expect(addresses.resolve("c")).toBe("https://example.com/root/c")
})

test("a page without a usable address of its own still has absolute links", () => {
  const addresses = new Addresses("nonsense")
  expect(addresses.resolve("/a")).toBeUndefined()
  expect(addresses.resolve("https://example.com/a")).toBe("https://example.com/a")
})
