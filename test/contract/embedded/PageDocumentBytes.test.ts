import { expect, test } from "vitest"
import type { PageDocument } from "#contract/PageDocument"
import * as PageDocumentBytes from "#contract/PageDocumentBytes"

const metadata = { title: "Grüße", statusCode: 200, sourceURL: "http://a.test/", url: "http://a.test/b", scrapeId: "1" }

test.each<readonly [string, PageDocument]>([
  ["no texts", { metadata }],
  ["empty texts", { markdown: "", html: "", links: [], metadata }],
  [
    "all texts",
    { markdown: "日本 🎉 é", html: "<p>é", rawHtml: "<P>é", links: ["http://a.test/é", "http://b.test/"], metadata }
  ],
  ["more than texts", { markdown: "a", warning: "w", images: ["http://a.test/i.png"], metadata }]
])("a document with %s is the same again after it was bytes", (_, document) => {
  expect(PageDocumentBytes.decode(PageDocumentBytes.encode(document))).toEqual(document)
})

test("bytes lie in a buffer of their own, so that they can be handed over", () => {
  const bytes = PageDocumentBytes.encode({ markdown: "x", metadata })

  expect(bytes.byteLength).toBe(bytes.buffer.byteLength)
})
