/**
 * A page: the bytes of an answer as Markdown, HTML, links and metadata.
 *
 * The law: `parse` never throws, takes time in proportion to its input, and trusts nothing that the page says about
 * its own size, charset or structure.
 */
import { decode } from "./Charset.ts"
import { contentKind, essence } from "./ContentKind.ts"
import { readHtml } from "./Document.ts"
import { fenced } from "./Pre.ts"
import type { Choice, Found } from "./Selection.ts"

export interface PageInput {
  /** The URL that answered; links resolve against it, or against `<base href>`. */
  readonly url: string
  /** Already decompressed. */
  readonly body: Uint8Array
  /** The header as sent. */
  readonly contentType: string | undefined
}

export interface PageOptions {
  readonly markdown: boolean
  readonly html: boolean
  readonly rawHtml: boolean
  readonly onlyMainContent: boolean
  readonly removeBase64Images: boolean
  readonly images?: boolean
  /** Elements and attributes that are picked by selector. */
  readonly choice?: Choice | undefined
}

export interface Page {
  /** Markdown of the main content or of all, with absolute links and images. */
  readonly markdown?: string
  /** Clean HTML: nothing that runs, main content only if asked, absolute links. */
  readonly html?: string
  /** The decoded text as it was. */
  readonly rawHtml?: string
  /** Every link of the whole page that leads to the web: absolute, unique, in the order of the page. */
  readonly links: ReadonlyArray<string>
  /** Every picture of the whole page, if asked. */
  readonly images?: ReadonlyArray<string>
  /** What was picked by selector, in the order asked for. */
  readonly attributes?: ReadonlyArray<Found>
  readonly metadata: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** Where `<meta http-equiv=refresh>` leads, absolute. */
  readonly refresh?: string
}

export const defaults: PageOptions = {
  markdown: true,
  html: false,
  rawHtml: false,
  onlyMainContent: true,
  removeBase64Images: true
}

export const parse = (input: PageInput, options: PageOptions): Page => {
  const kind = contentKind(input.contentType, input.body)
  if (kind === "other") return { links: [], metadata: {} }
  const text = decode(input.body, input.contentType, kind)
  const raw = options.rawHtml ? { rawHtml: text } : undefined
  if (kind === "html") {
    const page = readHtml(text, input.url, options, essence(input.contentType) === "application/xhtml+xml")
    return raw === undefined ? page : { ...page, ...raw }
  }
  const trimmed = text.trim()
  const markdown = kind === "text" || trimmed === "" ? trimmed : fenced(kind, trimmed)
  return { ...(options.markdown ? { markdown } : undefined), ...raw, links: [], metadata: {} }
}
