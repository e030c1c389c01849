/**
 * Reads a plain HTML page where it was fetched; undefined: it is something else, and the caller reads it.
 *
 * The document is made of the same parts as elsewhere, so the page does not show which thread has read it.
 */

import * as PageDocumentBytes from "#contract/PageDocumentBytes"
import * as PageUrl from "#contract/PageUrl"
import { botCheck } from "#page/botCheck"
import { decode } from "#page/Charset"
import { contentKind } from "#page/ContentKind"
import * as Page from "#page/Page"
import { mayBeFilled, maybeTemplate } from "#page/scriptShell"
import { fileKind } from "../FileKind.ts"
import * as PageDocuments from "../PageDocuments.ts"
import type { PageRequest, PageResult } from "../PageRequest.ts"
import type { FetchResult } from "../PlainGet.ts"
import { traitsOf } from "./traitsOf.ts"

export const readPage = (url: URL, fetched: FetchResult, order: PageRequest): PageResult | undefined => {
  const { bodyBytes, body, contentType, elapsedMillis, etag, lastModified, status, wireBytes: own } = fetched
  const { link, refresh } = fetched
  // Any other status may be a redirect, or be retried. A wrong length is a warning.
  if (status < 200 || status > 299 || fetched.isLengthWrong === true) return undefined
  if (fileKind(contentType, body, url.pathname) !== undefined || contentKind(contentType, body) !== "html") {
    return undefined
  }
  const { reading } = order
  const page = Page.parse({ url: url.href, body, contentType, link, refresh }, reading.page)
  // It may need a browser or a warning, or be a bot check instead of the page.
  if (page.markdown === "" || botCheck(page, body, contentType) !== undefined) return undefined
  if (maybeTemplate(page) && mayBeFilled(page, page.rawHtml ?? decode(body, contentType, "html"))) return undefined
  const wireBytes = own === undefined ? undefined : (order.wireBytesBefore ?? 0) + own
  const exchange = { elapsedMillis, etag, lastModified, wireBytes, bodyBytes }
  const origin = { url: order.requestedUrl, scrapeId: order.scrapeId }
  const read = { page, url, status, contentType, exchange, credits: 1, warnings: [] }
  const document = PageDocuments.of(read, { ...reading, tracksJson: false }, origin)
  return {
    document: PageDocumentBytes.encode(document),
    contentVersion: document.metadata.contentVersion,
    credits: PageDocuments.creditsOf(document),
    links: PageUrl.pagesOf(page.links).join("\n"),
    refresh: page.refresh,
    sketch: page.sketch,
    traits:
      order.traits === undefined
        ? undefined
        : traitsOf(
            order.requestedUrl,
            new URL(order.traits.landed),
            { document, markdown: page.markdown },
            order.traits
          )
  }
}
