import { describe, expect, it } from "vitest"
import { candidates } from "#extract/read/candidates"
import { outline, pairs } from "./outline.ts"

describe("candidates", () => {
  it("have the things that a page declares, and what it says of itself", () => {
    const { things, page } = candidates(
      `<title>Shop</title><script type="application/ld+json">{"@type": "Product", "name": "A"}</script>
      <div itemscope itemtype="https://schema.org/Offer"><b itemprop=price>5</b></div>`,
      "https://shop.test/"
    )

    expect(things.map(outline)).toEqual([
      { type: "Product", name: "A" },
      { type: "Offer", price: "5" }
    ])
    expect(page.id).toBe("https://shop.test/")
    expect(pairs(page.properties)).toMatchObject({ title: "Shop" })
  })

  it("have declared things of one type as a group, each once", () => {
    const { groups } = candidates(
      `<script type="application/ld+json">{"@graph": [
        {"@type": "ItemList", "item": [{"@id": "#1"}, {"@id": "#2"}]},
        {"@type": "Product", "@id": "#1", "name": "A"}, {"@type": "Product", "@id": "#2", "name": "B"}]}</script>`,
      "https://shop.test/"
    )

    expect(groups.map(({ name, things }) => [name, things.map(outline)])).toEqual([
      [
        "Product",
        [
          { type: "Product", id: "https://shop.test/#1", name: "A" },
          { type: "Product", id: "https://shop.test/#2", name: "B" }
        ]
      ]
    ])
  })

  it.each(["", "no markup", "<<<>>>", "<table><tr><td>"])("are there for any text: %j", (html) => {
    expect(candidates(html, "not an address").things).toEqual([])
  })
})
