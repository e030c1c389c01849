import { describe, expect, it } from "vitest"
import * as Published from "../../../src/extract/article/Published.ts"
import type { Source } from "../../../src/extract/Candidates.ts"
import { Page } from "../../../src/extract/read/Page.ts"

const source: Source = { kind: "meta", path: "", span: [0, 0] }

describe("Published", () => {
  it.each([
    ["2026-05-03", "2026-05-03"],
    ["2026-05-03T09:00:00+02:00", "2026-05-03T09:00:00+02:00"],
    ["3 May 2026", "2026-05-03"],
    ["May 3, 2026 9:30 am", "2026-05-03T09:30:00Z"],
    ["two hours ago", undefined],
    ["0001-01-01T00:00:00Z", undefined],
    ["1970-01-01", undefined]
  ])("%s is %s", (text, date) => {
    expect(Published.normal({ text, source }, "en")?.text).toBe(date)
  })

  const shown = (html: string, from = 0, to = html.length) =>
    Published.shown(new Page(html, "http://site.test/"), from, to, "en")?.text

  it("takes the first time of the page before one that only its name tells", () => {
    expect(shown('<p class="date">1 May 2026</p><time datetime="2026-05-03">x</time>')).toBe("2026-05-03")
    expect(shown('<p class="date">1 May 2026</p><p>2 May 2026</p>')).toBe("2026-05-01")
  })

  it("looks only where it is told to, and never at what is hidden", () => {
    const html = '<time datetime="2026-05-03">x</time>'

    expect(shown(html, 5)).toBeUndefined()
    expect(shown(`<div hidden>${html}</div>`)).toBeUndefined()
  })

  it.each([
    ["http://site.test/2026/05/03/mill", "2026-05-03"],
    ["http://site.test/a-2026-05-03-b", "2026-05-03"],
    ["http://site.test/2026/15/03/mill", undefined],
    ["http://site.test/12026/05/03/", undefined]
  ])("the address %s tells %s", (url, date) => {
    expect(Published.inAddress(url, source)?.text).toBe(date)
  })
})
