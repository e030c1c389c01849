import { expect, test } from "vitest"
import { defaults, parse } from "#page/Page"

const sentence = "The council of Millbrook decided to close the old mill and to sell its machines before the spring. "
const article = sentence.repeat(12)
const around = (main: string, script: string) =>
  `<html><head><title>Mill closes</title></head><body><header><a href="/">Home</a> <a href="/news">News</a></header>${main}${script}<footer>The Daily Mill</footer></body></html>`
const warningsOf = (html: string) =>
  parse({ url: "https://news.test/", body: Buffer.from(html), contentType: "text/html; charset=utf-8" }, defaults)
    .warnings
const warning = "the scripts of the page have a text of 216 words that the page does not show: it is not read"

test("a page whose text is only in the data of its scripts warns", () => {
  const data = JSON.stringify({ props: { title: "Mill closes", body: `<p>${article}</p>` } })
  const teaser = `<main><h1>Mill closes</h1><p>The council has decided: all that workers and owners must know.</p><div class="article-body"></div></main>`
  for (const html of [
    around('<div id="root"></div>', `<script type="application/json">${data}</script>`),
    around("<main><h1>Mill closes</h1></main>", `<script>window.__STATE__ = ${data}</script>`),
    around(
      "<main></main>",
      `<script>let a = "b" + "c"; show({ "title": "x", body: ${JSON.stringify(article)} })</script>`
    )
  ])
    expect(warningsOf(html)).toEqual([warning])
  const inChinese = "市议会在星期二决定关闭老磨坊并在春天之前出售它的机器。".repeat(40)
  expect(
    warningsOf(around("<main></main>", `<script>window.state = ${JSON.stringify({ body: inChinese })}</script>`))
  ).toHaveLength(1)
  expect(warningsOf(around(teaser, `<script>window.__STATE__ = ${data}</script>`))).toHaveLength(1)
})

test("code, styles and a text that the page shows too are no text of scripts", () => {
  const code = "function (a, b) { return a.left < b.left ? a.right[0] : b.right[1] + 27 } ".repeat(20)
  const styles = ".head { margin: 0 auto; padding: 4px } .foot a:hover { color: #fff } ".repeat(20)
  for (const text of [code, styles, "aGVsbG8gd29ybGQ".repeat(100)])
    expect(warningsOf(around("<main></main>", `<script>eval(${JSON.stringify(text)})</script>`))).toBeUndefined()
  const shown = `<main><h1>Mill closes</h1><p>${article}</p></main>`
  const data = JSON.stringify({ body: article })
  expect(
    warningsOf(around(shown, `<script>window.__STATE__ = ${data};${"x();".repeat(2000)}</script>`))
  ).toBeUndefined()
})

test("scripts without an end and strings without an end take linear time", () => {
  const parts = ['<script>"', '<script>\\\\"', `<script>"${sentence}`]
  for (const part of parts) expect(warningsOf(`<html><body>${part.repeat(20_000)}</body></html>`) ?? []).toEqual([])
})
