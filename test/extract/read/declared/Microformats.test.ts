import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/declared/Microformats"
import { outline } from "../outline.ts"

const things = (html: string) => read(new Page(html, "https://site.test/a/")).map(outline)

describe("microformats", () => {
  it("become things with names without prefixes", () => {
    expect(
      things(`<div class=h-entry><h1 class=p-name>Title</h1><a class=u-url href=b>link</a><p class=e-content>Some <b>text</b></p>
        <time class=dt-published datetime=2024-05-01>May</time><div class="p-author h-card"><img class=u-photo src=c.png alt=C> <b>Jo</b></div></div>`)
    ).toEqual([
      {
        type: "entry",
        name: "Title",
        url: "https://site.test/a/b",
        content: "Some text",
        published: "2024-05-01",
        author: { type: "card", photo: "https://site.test/a/c.png", name: "C Jo" }
      }
    ])
  })

  it("have items that are no property as children", () => {
    expect(
      things(
        "<ul class=h-feed><li class=h-entry><b class=p-name>A</b></li><li class=h-entry><b class=p-name>B</b></li></ul>"
      )
    ).toEqual([
      {
        type: "feed",
        children: [
          { type: "entry", name: "A" },
          { type: "entry", name: "B" }
        ]
      }
    ])
  })

  it("are read in the form of the first ones", () => {
    expect(
      things(`<div class=vcard><b class=fn>Jo</b><a class=url href=/jo>me</a><i class=tel><b class=type>home</b><b class=value>5</b></i>
        <p class=adr><b class=locality>Ulm</b></p></div>`)
    ).toEqual([
      { type: "card", name: "Jo", url: "https://site.test/jo", tel: "5", adr: { type: "adr", locality: "Ulm" } }
    ])
    expect(
      things(
        '<div class=hreview><b class=rating>5</b><b class=summary>Good</b><b class="reviewer vcard"><i class=fn>Jo</i></b><a rel=tag href=x>tea</a></div>'
      )
    ).toEqual([{ type: "review", rating: "5", name: "Good", author: { type: "card", name: "Jo" }, category: "tea" }])
  })

  it("include what a first one names elsewhere, and never in a circle", () => {
    expect(things("<div class=vcard itemref=o><b class=fn>Jo</b></div><p id=o class=org>Acme</p>")).toEqual([
      { type: "card", name: "Jo", org: "Acme" }
    ])
    expect(things('<div class=vcard id=x><b class=fn>Jo</b><a class=include href="#x"></a></div>')).toHaveLength(1)
  })

  it("are not what only looks like one", () => {
    expect(things('<p class="h-6 h-Full h- h">x</p><template><p class=h-card>x</p></template>')).toEqual([])
  })
})
