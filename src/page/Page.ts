/**
 * Reads the bytes of an answer as a page: Markdown, HTML, links and metadata.
 *
 * `parse` throws only `TooCostly`, takes linear time, and does not trust what the page says about its size, charset or
 * structure.
 */
import { decoded } from "./Charset.ts"
import { contentKind, essence } from "./ContentKind.ts"
import { readHtml } from "./Document.ts"
import { fenced } from "./markdown/Pre.ts"
import type { Page, PageOptions } from "./PageOptions.ts"
import { type PageHeader, withHeader } from "./parts/HeaderLinks.ts"

export type { Page, PageOptions } from "./PageOptions.ts"
export { TooCostly } from "./tree/Budget.ts"

export interface PageInput extends PageHeader {
  /** The URL that answered. Links resolve against it, or against `<base href>`. */
  readonly url: string
  /** Already decompressed. */
  readonly body: Uint8Array
  /** The header `Content-Type`, as sent. */
  readonly contentType: string | undefined
}

export const defaults: PageOptions = {
  markdown: true,
  html: false,
  rawHtml: false,
  onlyMainContent: true,
  removeBase64Images: true
}

export const parse = (input: PageInput, options: PageOptions): Page =>
  withHeader(parseBody(input, options), input, input.url)

const parseBody = (input: PageInput, options: PageOptions): Page => {
  const kind = contentKind(input.contentType, input.body)
  if (kind === "other") return { links: [], metadata: {} }
  const { charset, text } = decoded(input.body, input.contentType, kind)
  const raw = options.rawHtml ? { rawHtml: text } : undefined
  if (kind === "html") {
    const page = readHtml(text, input.url, options, essence(input.contentType) === "application/xhtml+xml", charset)
    return raw === undefined ? page : { ...page, ...raw }
  }
  const trimmed = text.trim()
  const markdown = kind === "text" || trimmed === "" ? trimmed : fenced(kind, trimmed)
  return { ...(options.markdown ? { markdown } : undefined), ...raw, links: [], metadata: {} }
}
