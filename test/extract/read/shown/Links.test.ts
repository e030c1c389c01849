import { expect, test } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/shown/Links"
import { pairs } from "../outline.ts"

test("links are addresses under their texts; menus, scripts and long texts are left out", () => {
  const page = new Page(
    `<p><a href=/src>Source code</a> <a href=/x aria-label="Report"></a></p><nav><a href=/>Home</a></nav>
    <a href="javascript:go()">Go</a><a href=/y>${"word ".repeat(50)}</a>`,
    "https://site.test/"
  )

  expect(pairs(read(page))).toEqual({ "Source code": "https://site.test/src", Report: "https://site.test/x" })
})
