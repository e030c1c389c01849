/**
 * The pages of an answer: which documents of its blocks they are, and what was decided of each when the crawl had ended.
 */
import * as Schema from "effect/Schema"
import type { PageDocument } from "../api/PageDocument.ts"
import * as PageBlock from "./PageBlock.ts"

/** A page: the block, which document of it, and what the page is. */
export const PlacedPage = Schema.Struct({
  /** Which block of the answer, and which document of that block. */
  at: Schema.Tuple([Schema.Int, Schema.Int]),
  url: Schema.String,
  /** The URL that was asked for, where it is another. */
  source: Schema.optionalKey(Schema.String),
  depth: Schema.Int,
  from: Schema.optionalKey(Schema.String)
})
export type PlacedPage = typeof PlacedPage.Type

/** The documents of the pages, each with the identity that its page has in the end. */
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
