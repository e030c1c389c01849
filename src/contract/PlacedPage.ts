/**
 * The pages of an answer: the documents in its blocks, and what the end of the crawl decided about each.
 */
import * as Schema from "effect/Schema"
import * as PageBlock from "./PageBlock.ts"
import type { PageDocument } from "./PageDocument.ts"

/** A page: where its document is, and what was decided about it. */
export const PlacedPage = Schema.Struct({
  /** The block in the answer, and the document in that block. */
  at: Schema.Tuple([Schema.Int, Schema.Int]),
  url: Schema.String,
  /** The URL that was asked for, if it differs. */
  source: Schema.optionalKey(Schema.String),
  depth: Schema.Int,
  from: Schema.optionalKey(Schema.String)
})
export type PlacedPage = typeof PlacedPage.Type

/** The documents of the pages, each with the final identity of its page. */
export const documentsOf = (
  pages: ReadonlyArray<PlacedPage>,
  contents: ReadonlyArray<Uint8Array>
): ReadonlyArray<PageDocument> => {
  const blocks = contents.map(PageBlock.decode)
  return pages.map(({ at: [number, at], depth, from, source, url }) => {
    const block = blocks[number]
    if (block === undefined) throw new Error(`an answer names block ${number} of ${blocks.length}`)
    const { metadata, ...formats } = block.document(at)
    const { sourceURL: _, url: __, ...rest } = metadata
    return {
      ...formats,
      metadata: {
        ...rest,
        sourceURL: source ?? url,
        url,
        depth,
        ...(from === undefined ? {} : { discoveredFrom: from })
      }
    }
  })
}
