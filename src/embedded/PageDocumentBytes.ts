/**
 * A page document as bytes: each of its texts once as UTF-8, and everything else as JSON.
 *
 * It crosses from a thread without being copied, and lies in a store as it is; a row is made of it only where one is asked
 * for. Nothing but this file knows what the bytes are.
 */
import type { PageDocument } from "../api/PageDocument.ts"

export const encode = (document: PageDocument): Uint8Array<ArrayBuffer> => {
  const { html, links, markdown, rawHtml, ...rest } = document
  // Links are URLs, and none of them has a line feed.
  const texts = [markdown, html, rawHtml, links?.join("\n"), JSON.stringify(rest)]
  const lengths = texts.map((text) => (text === undefined ? absent : Buffer.byteLength(text)))
  const size = lengths.reduce<number>((sum, length) => sum + (length === absent ? 0 : length), headBytes)
  // Of its own, so that it can be handed over.
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
/** The length of a text that is not there. */
const absent = 0xffffffff
