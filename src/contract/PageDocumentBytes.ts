/**
 * A page document as bytes: each of its texts once as UTF-8, and everything else as JSON.
 *
 * A thread hands it over without a copy, and a store keeps it unchanged. It is decoded only where a row is needed. Only
 * this file knows the encoding.
 */
import type { PageDocument } from "./PageDocument.ts"

export const encode = (document: PageDocument): Uint8Array<ArrayBuffer> => {
  const { html, links, markdown, rawHtml, ...rest } = document
  // Links are URLs, so none contains a line feed.
  const texts = [markdown, html, rawHtml, links?.join("\n"), JSON.stringify(rest)]
  const lengths = texts.map((text) => (text === undefined ? absent : Buffer.byteLength(text)))
  const size = lengths.reduce<number>((sum, length) => sum + (length === absent ? 0 : length), headBytes)
  // A buffer of its own, so that it can be transferred.
  const bytes = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const length of lengths) at = bytes.writeUInt32LE(length, at)
  for (const text of texts) if (text !== undefined) at += bytes.write(text, at)
  return new Uint8Array(bytes.buffer)
}

export const decode = (encoded: Uint8Array): PageDocument => {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  let at = headBytes
  const [markdown, html, rawHtml, links, rest = "{}"] = Array.from({ length: 5 }, (_, index) => {
    const length = bytes.readUInt32LE(4 * index)
    return length === absent ? undefined : bytes.toString("utf8", at, (at += length))
  })
  return {
    ...(markdown === undefined ? {} : { markdown }),
    ...(html === undefined ? {} : { html }),
    ...(rawHtml === undefined ? {} : { rawHtml }),
    ...(links === undefined ? {} : { links: links === "" ? [] : links.split("\n") }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encode` wrote it of a document
    ...(JSON.parse(rest) as PageDocument)
  }
}

/** The lengths of four texts and of the rest. */
const headBytes = 20
/** The length that marks a missing text. */
const absent = 0xffffffff
