import { describe, expect, it } from "vitest"
import * as Declared from "#extract/article/Declared"
import { Page } from "#extract/page/Page"
import * as JsonLd from "#extract/read/declared/JsonLd"
import * as Meta from "#extract/read/declared/Meta"
import * as Microdata from "#extract/read/declared/Microdata"
import { thing } from "../offered.ts"

const read = (html: string) => {
  const page = new Page(html, "http://site.test/")
  const { things, loose } = Microdata.read(page)
  const { title, authors, published, modified } = Declared.of({
    jsonLd: JsonLd.read(page),
    microdata: things,
    loose,
    meta: Meta.read(page)
  })
  return {
    title: title?.text,
    authors: authors.map(({ text }) => text),
    published: published?.text,
    modified: modified?.text
  }
}

const ld = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

describe("Declared", () => {
  it("believes JSON-LD before meta", () => {
    const html = `${ld({ "@type": "NewsArticle", headline: "Right", datePublished: "2026-01-02", author: { name: "Ada" } })}<meta property="og:title" content="Other"><meta name="author" content="Other"><meta property="article:published_time" content="2020-01-01"><meta property="article:modified_time" content="2026-01-03">`

    expect(read(html)).toEqual({ title: "Right", authors: ["Ada"], published: "2026-01-02", modified: "2026-01-03" })
  })

  it("reads nothing of a thing that is no article", () => {
    expect(read(ld({ "@type": "Organization", name: "Site", author: "Nobody" }))).toMatchObject({
      title: undefined,
      authors: []
    })
  })

  it("takes the headline where the name is that of the site", () => {
    const html = `<title>The mill turns again</title>${ld({ "@type": "Article", name: "Site", headline: "The mill turns again" })}`

    expect(read(html).title).toBe("The mill turns again")
  })

  it("takes the names of authors and no addresses", () => {
    const html = ld({ "@type": "Article", author: ["Ada", { name: "Bo" }, "https://site.test/people/3"] })

    expect(read(html).authors).toEqual(["Ada", "Bo"])
    expect(read('<meta property="article:author" content="https://social.test/ada">').authors).toEqual([])
  })

  it("knows the names of Dublin Core and of pages without a vocabulary", () => {
    const html = `<meta name="DC.title" content="Title"><meta name="dc.creator" content="Ada"><meta name="dcterms.created" content="2026-01-02">`

    expect(read(html)).toMatchObject({ title: "Title", authors: ["Ada"], published: "2026-01-02" })
  })

  it("takes dates of microdata", () => {
    const html = `<div itemscope itemtype="http://schema.org/BlogPosting"><time itemprop="datePublished" datetime="2026-01-02">x</time></div>`

    expect(read(html).published).toBe("2026-01-02")
  })
})

const nothing = { jsonLd: [], microdata: [], loose: [], meta: [] }
const named = (readings: Partial<Parameters<typeof Declared.of>[0]>) => {
  const { authors, publishers } = Declared.of({ ...nothing, ...readings })
  return { authors: authors.map(({ text }) => text), publishers: publishers.map(({ text }) => text) }
}

it("authors of a thing are texts and things with a name, and whether they are organizations", () => {
  const article = thing({
    "@type": "Article",
    author: ["Ada Stone", { "@type": "Organization", name: "Valley News" }, "https://valley.test/ada"]
  })

  expect(named({ jsonLd: [article] })).toEqual({ authors: ["Ada Stone"], publishers: ["Valley News"] })
})

it("authors of a head are all that the first known meta names, else what a card says under a label", () => {
  const { properties } = thing({ author: ["Ada Stone", "Bo Wood"], "article:author": "Cleo Reed" }, "meta")
  const card = thing({ "twitter:label1": "Written by", "twitter:data1": "Ada Stone" }, "meta").properties

  expect(named({ meta: properties }).authors).toEqual(["Ada Stone", "Bo Wood"])
  expect(named({ meta: card }).authors).toEqual(["Ada Stone"])
  expect(named({}).authors).toEqual([])
})
