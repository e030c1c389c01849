import { expect, it } from "vitest"
import * as Page from "#page/Page"

it("addresses that run something are left out of Markdown and html, and pictures stay", () => {
  const body = `<body><p>A page <a href="javascript:alert(1)">one</a> <a href=" jaVascript:alert(1)">two</a>
    <a href="data:text/html,<script>alert(1)</script>">three</a> <a href="/four">four</a>
    <img src="javascript:alert(1)" alt=five><img src="data:text/html,six" alt=six><img src="data:image/png;base64,AAAA" alt=seven>
    <img srcset="javascript:alert(1) 1x, /b.png 2x" src=/a.png alt=eight><a href="data:image/svg+xml,<svg onload=alert(1)>">nine</a></p>`
  const { html = "", markdown = "" } = Page.parse(
    { url: "https://a.example/", body: Buffer.from(body), contentType: "text/html" },
    { ...Page.defaults, html: true, onlyMainContent: false, removeBase64Images: false }
  )

  expect(`${html}${markdown}`).not.toMatch(/javascript:|data:text|svg\+xml/i)
  expect(markdown).toContain("[four](https://a.example/four)")
  expect(markdown).toContain("![seven](data:image/png;base64,AAAA)")
  expect(html).toContain(`srcset="https://a.example/b.png 2x"`)
})
