import { describe, expect, it } from "vitest"
import { Page } from "#extract/page/Page"
import { contentOf } from "#page/Dom"

const page = (html: string) => new Page(html, "https://docs.test/guide")

describe("permalinks", () => {
  it.each([
    '<h2>Alpha<a class="headerlink" href="#alpha" title="Permalink to this heading">#</a></h2>',
    '<h2>Alpha<a class="headerlink" href="#alpha">¶</a></h2>',
    '<h2>Alpha<a class="hash-link" href="#alpha" title="Direct link to Alpha">&#8203;</a></h2>',
    '<h2><a class="anchor" href="#alpha"><svg><path/></svg></a>Alpha</h2>',
    '<h2>Alpha <a href="https://docs.test/guide#alpha" aria-label="Link to this heading"></a></h2>',
    '<dt>Alpha<a href="#alpha"><span class="sr">Permalink to “Alpha”</span></a></dt>',
    '<div><h2>Alpha</h2><a class="anchor" href="#alpha" aria-label="Permalink: Alpha"><svg></svg></a></div>'
  ])("are no part of the text of %s", (html) => {
    const { permalinks, root } = page(html)

    expect(contentOf(root)).toBe("Alpha")
    expect([...permalinks.values()]).toEqual(["#alpha"])
  })

  it.each([
    '<h2><a class="anchor" href="#alpha">Alpha</a></h2>',
    '<h2><a href="/alpha">Alpha</a></h2>',
    '<p>Alpha<a href="#alpha"><img src="a.png"></a></p>',
    '<p>Alpha <a href="#"></a></p>',
    '<p><a href="#alpha">Alpha</a></p>'
  ])("are not the links of %s", (html) => {
    expect(page(html).permalinks.size).toBe(0)
  })

  it("to another page stay", () => {
    expect(contentOf(page('<h2>Alpha <a class="permalink" href="/posts/1">#</a></h2>').root)).toBe("Alpha #")
  })
})
