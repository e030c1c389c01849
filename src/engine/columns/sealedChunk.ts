/** Makes a chunk of ended pages: compresses those that are not compressed yet, and adds the headers. */

import * as Codec from "../ColumnCodec.ts"
import type { Chunk } from "./Chunk.ts"
import type { EndedChunk } from "./LeafWriter.ts"
import * as PageHeader from "./PageHeader.ts"

export const sealed = (chunk: EndedChunk): Chunk =>
  withHeaders(
    chunk,
    chunk.pages.map(({ body, isCompressed }) => (isCompressed ? body : Codec.compress(body, chunk.compression)))
  )

/** As `sealed`, but pages are compressed on other threads. */
export const sealedAside = async (chunk: EndedChunk): Promise<Chunk> => {
  const bodies = chunk.pages.map(({ body, isCompressed }) =>
    isCompressed ? Promise.resolve(body) : Codec.compressAside(body, chunk.compression)
  )
  return withHeaders(chunk, await Promise.all(bodies))
}

const withHeaders = (ended: EndedChunk, bodies: ReadonlyArray<Uint8Array>): Chunk => {
  const { bounds, compression, distinct, entries, leaf, nulls } = ended
  let [bytes, rawBytes, dictionaryBytes] = [0, 0, 0]
  const parts = ended.pages.flatMap((page, at) => {
    const body = bodies[at] ?? page.body
    const header = PageHeader.write({ ...page, bytes: body.length })
    bytes += header.length + body.length
    rawBytes += header.length + page.rawBytes
    if (page.isDictionary) dictionaryBytes = bytes
    return [header, body]
  })
  const codec = Codec.Codec[compression.codec]
  return { leaf, codec, entries, parts, bytes, rawBytes, dictionaryBytes, nulls, bounds, distinct }
}
