import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const md = (html: string): string | undefined =>
  parse(
    { url: "https://example.com/a/b", body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
    { ...defaults, onlyMainContent: false }
  ).markdown

test("spaces and breaks stand outside of marks, and empty marks leave nothing", () => {
  expect(md("<p>a<b> b </b>c <i></i><em> </em>d<strong>e<br></strong>f")).toBe("a **b** c d**e**  \nf")
})

test("how a word is read stands in brackets behind it, where the page has none of its own", () => {
  expect(md("<p>私は<ruby>東京<rt>とうきょう</ruby>に<ruby>行<rp>(</rp><rt>い</rt><rp>)</rp></ruby>った")).toBe(
    "私は東京(とうきょう)に行(い)った"
  )
  expect(md("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>と<ruby><b>空</b><rt> </rt></ruby>")).toBe(
    "漢(かん)字(じ)と**空**"
  )
})

test("marks of one kind are one mark", () => {
  expect(md("<b>a<strong>b</strong></b><b>c</b> <i>d</i>")).toBe("**abc** *d*")
})

test("a mark that spans paragraphs is written in each of them", () => {
  expect(md("<b><p>a</p><p>b</b>c</p>")).toBe("**a**\n\n**b**c")
})

test("two breaks make a paragraph, one breaks the line", () => {
  expect(md("a<br>b<br><br>c<br>")).toBe("a  \nb\n\nc")
})
