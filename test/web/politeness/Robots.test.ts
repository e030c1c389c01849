import { expect, test } from "vitest"
import * as Robots from "#web/politeness/Robots"

const site = "https://example.com/robots.txt"
const parse = (text: string) => Robots.fromAnswer({ status: 200, text }, site)
const allows = (text: string, path: string, agent = "MillraceBot/1.0 (+https://millrace.dev)"): boolean =>
  parse(text).allows(`https://example.com${path}`, agent)

test("the longest pattern decides, and Allow wins a tie", () => {
  const text = "User-agent: *\nDisallow: /a/\nAllow: /a/public\nDisallow: /b\nAllow: /b"
  expect([allows(text, "/a/x"), allows(text, "/a/public/x"), allows(text, "/b"), allows(text, "/c")]).toEqual([
    false,
    true,
    true,
    true
  ])
})

test("the group that names the crawler counts alone, and groups of one name are one", () => {
  const text =
    "user-agent: other\nuser-agent: MILLRACEBOT/2.0\ndisallow: /x\n\nuser-agent: *\ndisallow: /\n\nuser-agent: millracebot\ndisallow: /y"
  expect([allows(text, "/x"), allows(text, "/y"), allows(text, "/z"), allows(text, "/z", "Else")]).toEqual([
    false,
    false,
    true,
    false
  ])
})

test("lines that are no rules neither end a group nor count", () => {
  const text =
    "disallow: /early\nUser-agent: a\nSitemap: /s.xml\nFoo: bar\nnonsense\nUser-agent: *\nDisallow: /x # why\nDisallow:\n"
  expect([allows(text, "/x", "a"), allows(text, "/early"), allows(text, "/y")]).toEqual([false, true, true])
})

test("stars stand for anything and a dollar for the end", () => {
  const text = "User-agent: *\nDisallow: /*.php$\nDisallow: /a*b*c\nDisallow: /q?*id="
  expect(allows(text, "/x/y.php")).toBe(false)
  expect(allows(text, "/x.php?z")).toBe(true)
  expect(allows(text, "/axxbyyc/more")).toBe(false)
  expect(allows(text, "/acb")).toBe(true)
  expect(allows(text, "/q?a=1&id=2")).toBe(false)
})

test("paths are compared in one spelling", () => {
  expect(allows("User-agent: *\nDisallow: /ツ", "/%e3%83%84")).toBe(false)
  expect(allows("User-agent: *\nDisallow: /%7euser", "/~user/x")).toBe(false)
  expect(allows("User-agent: *\nDisallow: /a%2fb", "/a/b")).toBe(true)
  expect(allows("User-agent: *\nDisallow: /X", "/x")).toBe(true)
})

test("a star and a dollar that are escaped stand for themselves", () => {
  const text = "User-agent: *\nDisallow: /foo%2Abar\nDisallow: /a$b\nDisallow: /end%24"
  expect(["/foo*bar", "/foo%2abar", "/a$b/c", "/a%24b", "/end$/x"].map((path) => allows(text, path))).toEqual(
    Array.from({ length: 5 }, () => false)
  )
  expect(allows(text, "/foo/bar")).toBe(true)
})

test("every kind of line end and a byte order mark are read", () => {
  expect(allows("\ufeffUser-agent: *\r\nDisallow: /a\rDisallow: /b\nDisallow: /c", "/b")).toBe(false)
})

test("rules written as people write them count", () => {
  expect(allows("User agent: *\ndisalow /a", "/a")).toBe(false)
})

test("robots.txt itself is always allowed", () => {
  expect(allows("User-agent: *\nDisallow: /", "/robots.txt")).toBe(true)
})

test("a pattern full of stars is matched without trying every way", () => {
  const pattern = "*a".repeat(5000)
  expect(allows(`User-agent: *\nDisallow: /${pattern}b`, `/${"a".repeat(10_000)}`)).toBe(true)
})

test("what stands behind 500 KiB is not read", () => {
  expect(allows(`User-agent: *\n${"#".repeat(600 * 1024)}\nDisallow: /`, "/x")).toBe(true)
})

test("crawl delays are seconds of the own group", () => {
  const robots = parse("User-agent: a\nCrawl-delay: 2.5\nUser-agent: *\nCrawl-delay: soon")
  expect([robots.crawlDelay("A/1"), robots.crawlDelay("b")]).toEqual([2.5, undefined])
})

test("sitemaps are absolute addresses of the web, each once", () => {
  expect(
    parse("Sitemap: https://cdn.example.com/s.xml\nsitemap: /t.xml\nSitemap: /t.xml\nSitemap: file:///etc\nSitemap:")
      .sitemaps
  ).toEqual(["https://cdn.example.com/s.xml", "https://example.com/t.xml"])
})

test("a missing file allows everything, a site that cannot answer nothing", () => {
  const url = "https://example.com/x"
  const by = (answer: Parameters<typeof Robots.fromAnswer>[0]): boolean =>
    Robots.fromAnswer(answer, site).allows(url, "a")
  const rules = "User-agent: *\nDisallow: /"
  expect([404, 403, 429, 302].map((status) => by({ status, text: rules }))).toEqual([true, true, true, true])
  expect([by({ status: 503, text: "" }), by({ status: 500, text: "" }), by(undefined)]).toEqual([false, false, false])
  expect(by({ status: 200, text: rules })).toBe(false)
})

test("an html page in the place of the file has no rules", () => {
  expect(allows("\n<!doctype html><p>User-agent: *\nDisallow: /", "/x")).toBe(true)
})
