import { describe, expect, it } from "vitest"
import { linkTexts } from "#extract/linkTexts"

const texts = (html: string) => Object.fromEntries(linkTexts(html, "http://site.test/a/b"))

describe("linkTexts", () => {
  it("says what leads where, by absolute addresses without fragments", () => {
    expect(texts(`<a href="c#top">Closing a <b>gate</b></a><a href="/d">All</a><a>none</a>`)).toEqual({
      "http://site.test/a/c": "Closing a gate",
      "http://site.test/d": "All"
    })
  })

  it("takes the longest text of all links to one page, and the title where there is no text", () => {
    expect(texts(`<a href="/c">c</a><a href="/c">Ash lamp</a><a href="/e" title="Elm"><img src=e></a>`)).toEqual({
      "http://site.test/c": "Ash lamp",
      "http://site.test/e": "Elm"
    })
  })

  it("reads a page of very many open links in time", () => {
    expect(linkTexts("<a href=/x>".repeat(60_000), "http://site.test/").size).toBe(1)
  })
})
