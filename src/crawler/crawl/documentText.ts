/**
 * A page document as JSON text. It ends with the two URLs that the page was read with, so that a store can exchange them
 * without parsing megabytes.
 */
import type { PageDocument } from "../../api/PageDocument.ts"

export const documentText = ({ metadata, ...formats }: PageDocument): string => {
  const { sourceURL, url, ...rest } = metadata
  return JSON.stringify({ ...formats, metadata: { ...rest, sourceURL, url } })
}
