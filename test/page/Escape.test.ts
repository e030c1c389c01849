import { expect, test } from "vitest"
import { escapeText, escapeUrl } from "#page/Escape"
import { defaults, parse } from "#page/Page"

const md = (html: string): string | undefined =>
  parse(
    { url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
    { ...defaults, onlyMainContent: false }
  ).markdown

test("text that looks like markup is escaped, and other text is not", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["1. a", "1\\. a"],
    ["1.5 a", "1.5 a"],
    ["# a", "\\# a"],
    ["#a", "#a"],
    ["- a", "\\- a"],
    ["-a", "-a"],
    ["+ a<br>- b", "\\+ a  \n\\- b"],
    ["&gt; a", "\\> a"],
    ["---", "\\---"],
    ["===", "\\==="],
    ["*a* 2 * 3", "\\*a\\* 2 * 3"],
    ["snake_case __init__", "snake_case \\_\\_init\\_\\_"],
    ["[a](b) [c]", "[a\\](b) [c\\]"],
    ["`a`", "\\`a\\`"],
    ["a < b &lt;i>", "a < b \\<i>"],
    ["&amp;lt; a &amp; b", "\\&lt; a & b"],
    ["a~b ~~c~~", "a~b \\~\\~c\\~\\~"],
    ["C:\\dir \\*", "C:\\dir \\\\\\*"],
    ["a | b", "a | b"]
  ]
  for (const [html, markdown] of cases) expect(md(`<p>${html}</p>`)).toBe(markdown)
})

test("addresses cannot end the parentheses they stand in", () => {
  expect(escapeUrl("https://example.com/a_(b)?c=(d)")).toBe("https://example.com/a_(b)?c=(d)")
  expect(escapeUrl("https://example.com/a)b")).toBe("https://example.com/a%29b")
  expect(escapeUrl("https://example.com/(a))")).toBe("https://example.com/%28a%29%29")
  expect(escapeUrl("https://example.com/((a)")).toBe("https://example.com/%28%28a%29")
  expect(escapeUrl("mailto:a b<c>")).toBe("mailto:a%20b%3Cc%3E")
})

test("what a piece of text ends with is escaped when what follows could make markup of it", () => {
  expect(escapeText("[a]", 0, false)).toBe("[a\\]")
  expect(escapeText("a_", 0, false)).toBe("a\\_")
  expect(escapeText("a<", 0, false)).toBe("a\\<")
  expect(escapeText("_b", 97, false)).toBe("_b")
})
