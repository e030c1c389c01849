import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { read } from "#extract/read/declared/Microdata"
import { outline, pairs } from "../outline.ts"

const outlines = (html: string): ReadonlyArray<unknown> =>
  read(new Page(html, "https://shop.test/a/b")).things.map(outline)

describe("microdata", () => {
  it("becomes things with their parts", () => {
    expect(
      outlines(`<div itemscope itemtype="https://schema.org/Product" itemid="/it"><h1 itemprop="name"> The
        <b>anvil</b></h1><div itemprop=offers itemscope itemtype="https://schema.org/Offer"><i itemprop="price lowPrice">5</i></div></div>`)
    ).toEqual([
      {
        type: "Product",
        id: "https://shop.test/it",
        name: "The anvil",
        offers: { type: "Offer", price: "5", lowPrice: "5" }
      }
    ])
  })

  it("is read from an element with more children than a function takes arguments", () => {
    const many = "<i></i>".repeat(200_000)
    const list = `<ul id=list>${many}<li itemprop=b>two</li></ul>`

    expect(outlines(`<div itemscope itemref=list><b itemprop=a>one</b>${many}</div>${list}`)).toEqual([
      { a: "one", b: "two" }
    ])
  })

  it("takes the value that the element is for", () => {
    expect(
      outlines(`<base href="https://cdn.test/x/"><div itemscope>
        <meta itemprop=a content=" one "><img itemprop=b src=" b.png "><link itemprop=c href="https://schema.org/InStock">
        <object itemprop=d data=d.pdf></object><data itemprop=e value=5>five</data><meter itemprop=f value=0.5>half</meter>
        <time itemprop=g datetime=2024-01-01>New Year</time><time itemprop=h>2024</time><span itemprop=i content=USD>$</span>
        <span itemprop=j hidden>k<script>l</script></span></div>`)
    ).toEqual([
      {
        a: "one",
        b: "https://cdn.test/x/b.png",
        c: "https://schema.org/InStock",
        d: "https://cdn.test/x/d.pdf",
        e: "5",
        f: "0.5",
        g: "2024-01-01",
        h: "2024",
        i: "USD",
        j: "k"
      }
    ])
  })

  it("gives a link its text and where it leads, and the address where the name says so", () => {
    const [item] = read(
      new Page('<p itemscope><a itemprop="author url" href="/jo">Jo</a></p>', "https://shop.test/a/b")
    ).things

    expect(item?.properties.map(({ value }) => value)).toMatchObject([
      { data: "Jo", href: "https://shop.test/jo" },
      { data: "https://shop.test/jo" }
    ])
  })

  it("says where a value stands: the element, or the tag of the attribute", () => {
    const html =
      '<p itemscope itemtype="https://schema.org/Offer"><i itemprop=price>5</i><b itemprop=unit content=kg>kilo</b></p>'
    const [item] = read(new Page(html, "https://shop.test/")).things
    const sources = item?.properties.map(({ value }) => value.source) ?? []

    expect(sources.map(({ kind, path }) => [kind, path])).toEqual([
      ["microdata", "Offer/price"],
      ["microdata", "Offer/unit"]
    ])
    expect(sources.map(({ span }) => html.slice(...span))).toEqual([
      "<i itemprop=price>5</i>",
      "<b itemprop=unit content=kg>"
    ])
  })

  it("follows references, in the order of the page, and never into the item itself", () => {
    expect(
      outlines(
        '<p id=x itemprop=a>1</p><div itemscope itemref="x y z"><p itemprop=a>2</p></div><div id=y><p itemprop=a>3</p></div>'
      )
    ).toEqual([{ a: ["1", "2", "3"] }])
    expect(outlines("<div itemscope id=x><p itemprop=a itemscope itemref=x id=y></p></div>")).toEqual([{ a: {} }])
  })

  it("reads items that nobody refers to, and keeps values without an item apart", () => {
    const html = "<div itemprop=offers itemscope><i itemprop=price>5</i></div><b itemprop=name>Anvil</b>"
    const { things, loose } = read(new Page(html, "https://shop.test/"))

    expect(things.map(outline)).toEqual([{ price: "5" }])
    expect(pairs(loose)).toEqual({ name: "Anvil" })
  })

  it("ends soon where many items refer to one another", () => {
    const html = Array.from(
      { length: 300 },
      (_, i) =>
        `<div id=i${i} itemprop=p itemscope itemref="${Array.from({ length: 50 }, (_, k) => `i${(i + k + 1) % 300}`).join(" ")}">`
    ).join("</div>")

    expect(read(new Page(html, "https://shop.test/")).things.length).toBeLessThan(301)
  })
})
