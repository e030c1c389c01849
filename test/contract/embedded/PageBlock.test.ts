import { describe, expect, it } from "vitest"
import * as PageBlock from "#contract/PageBlock"
import type { PageDocument } from "#contract/PageDocument"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import { documentsOf } from "#contract/PlacedPage"

const metadata = { sourceURL: "http://site.test/a", url: "http://site.test/a", statusCode: 200, scrapeId: "1" }

const documents: ReadonlyArray<PageDocument> = [
  {
    markdown: "# grüße 🦉\n",
    links: ["http://site.test/b", "http://site.test/ü"],
    metadata: { ...metadata, title: "ä" }
  },
  { metadata },
  {
    markdown: "",
    html: "<p>",
    rawHtml: "<html>",
    links: [],
    json: { deep: [1, null] },
    metadata: { ...metadata, og: ["x"] }
  }
]

const blockOf = (all: ReadonlyArray<PageDocument>) => PageBlock.encode(all.map(PageDocumentBytes.encode))

const again = (all: ReadonlyArray<PageDocument>) => {
  const block = PageBlock.decode(blockOf(all))
  return Array.from({ length: block.count }, (_, at) => block.document(at))
}

describe("a block of pages", () => {
  it("gives each document again as it was: what is absent, empty, and of any script", () => {
    expect(again(documents)).toEqual(documents)
    expect(again([])).toEqual([])
  })

  it("is read out of the middle of other bytes", () => {
    const bytes = blockOf(documents)
    const within = new Uint8Array(Buffer.concat([Buffer.from("abc"), bytes]).subarray(3))

    expect(PageBlock.decode(within).document(2)).toEqual(documents[2])
  })

  it("of another kind is refused", () => {
    const bytes = blockOf(documents)
    bytes.writeUInt32LE(99, 0)

    expect(() => PageBlock.decode(bytes)).toThrow("a block of pages of an unknown kind: 99")
  })
})

describe("a page of an answer", () => {
  it("is its document with the identity that was decided", () => {
    const contents = [blockOf(documents.slice(0, 1)), blockOf(documents.slice(1))]
    const pages = [
      { at: [1, 1], url: "http://site.test/z", source: "http://site.test/y", depth: 2, from: "http://site.test/" },
      { at: [0, 0], url: "http://site.test/a", depth: 0 }
    ] as const
    const [last, first] = documentsOf(pages, contents)

    expect(last?.rawHtml).toBe("<html>")
    expect(last?.metadata).toMatchObject({
      url: "http://site.test/z",
      sourceURL: "http://site.test/y",
      depth: 2,
      discoveredFrom: "http://site.test/"
    })
    expect(first?.metadata).toEqual({ ...documents[0]?.metadata, depth: 0 })
  })
})
