import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { hrefIn, linesOf, spanOf } from "#extract/read/shown/Lines"

const read = (html: string) => {
  const page = new Page(html, "https://site.test/")
  return { page, lines: linesOf(page.root) }
}

describe("lines", () => {
  it("end at blocks and at line breaks, and go through marks", () => {
    const { lines } = read("<p>a <b>b</b> c<br>d</p><div>e<p>f</p>g<span><div>h</div></span><img>i</div>")

    expect(lines.map(({ text }) => text)).toEqual(["a b c", "d", "e", "f", "g", "h", "i"])
    expect(lines.map(({ block }) => block.name)).toEqual(["p", "p", "div", "p", "div", "div", "div"])
  })

  it("leave out what is not seen", () => {
    expect(read("<p>a<span hidden>b</span></p><script>c</script><div style='display:none'>d</div>").lines).toHaveLength(
      1
    )
  })

  it("know the characters of a part, whole pieces where references stand in them", () => {
    const html = "<p>Price: <b>5 EUR</b> &amp; more</p>"
    const [line] = read(html).lines
    if (line === undefined) throw new Error("no line")

    expect(line.text).toBe("Price: 5 EUR & more")
    expect(html.slice(...spanOf(line, 7, 12))).toBe("5 EUR")
    expect(html.slice(...spanOf(line, 9, 12))).toBe("EUR")
    expect(html.slice(...spanOf(line, 13, 14))).toBe(" &amp; more")
  })

  it("know where the first link in a part leads", () => {
    const { page, lines } = read("<p>by <a href=/jo>Jo</a>, <a href=/mo>Mo</a></p>")
    const [line] = lines
    if (line === undefined) throw new Error("no line")

    expect([hrefIn(page, line, 0, 20), hrefIn(page, line, 6, 20), hrefIn(page, line, 0, 2)]).toEqual([
      "https://site.test/jo",
      "https://site.test/mo",
      undefined
    ])
  })

  it("are cut where one has no end", () => {
    expect(read("<b>word </b>".repeat(10_000)).lines.every(({ text }) => text.length < 5000)).toBe(true)
  })
})
