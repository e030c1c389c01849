/**
 * A fetched or uploaded file as a page: PDF and Word are read, other known kinds are refused by name.
 */
import * as Effect from "effect/Effect"
import { firstNot } from "#base/firstNot"
import type * as Page from "#page/Page"
import { FetchError } from "./Fetch.ts"
import { type FileKind, nameOf, readable } from "./FileKind.ts"
import { FileReader } from "./FileReader.ts"
import { parseAside } from "./PageReader.ts"
import type { PdfRead } from "./readPdf.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"

/** The part of `PageDocuments.Reading` that reading a file gives. */
interface FileReading {
  readonly page: Page.Page
  readonly credits: number
  readonly numPages?: number
  readonly totalPages?: number
  readonly pages?: ReadonlyArray<{ readonly pageNumber: number; readonly markdown: string }>
  readonly warnings: ReadonlyArray<string>
}

export const readFile = Effect.fnUntraced(function* (
  kind: FileKind,
  file: { readonly url: string; readonly body: Uint8Array },
  plan: ScrapePlan
): Effect.fn.Return<FileReading, FetchError, FileReader> {
  const fail = (code: string, message: string) => new FetchError({ url: file.url, code, message, retryable: false })
  if (kind === "locked") {
    return yield* fail("SCRAPE_FILE_ENCRYPTED_ERROR", "the document is encrypted and needs a password")
  }
  if (!readable.has(kind)) {
    return yield* fail("SCRAPE_UNSUPPORTED_FILE_ERROR", `${nameOf(kind)} cannot be read here; HTML, PDF and DOCX can`)
  }
  if (kind === "pdf" && plan.pdf === undefined) return asBase64(file.body)
  const reader = yield* FileReader
  const read = yield* reader
    .read({ kind: kind === "pdf" ? "pdf" : "docx", bytes: file.body, maxPages: plan.pdf?.maxPages ?? 1 })
    .pipe(Effect.mapError(({ code, message }) => fail(code, message)))
  if (read.kind === "pdf") return ofPdf(read, file.url, plan)
  const body = new TextEncoder().encode(`<html><body>${read.html}</body></html>`)
  // A document has no navigation around its text.
  const options = { ...plan.page, onlyMainContent: false }
  const contentType = "text/html; charset=utf-8"
  const { page } = yield* parseAside({ url: file.url, body, contentType, status: 200 }, options)
  return { page: { ...page, metadata: { ...page.metadata, ...read.facts } }, credits: 1, warnings: read.warnings }
})

/** A PDF that is not to be read is returned as base64 in place of text. */
const asBase64 = (body: Uint8Array): FileReading => {
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64")
  return {
    page: { markdown: base64, html: base64, rawHtml: base64, links: [], metadata: {} },
    credits: 1,
    warnings: []
  }
}

const ofPdf = (read: PdfRead, url: string, plan: ScrapePlan): FileReading => {
  const pages = read.pages.map((markdown, i) => ({ pageNumber: i + 1, markdown }))
  const markdown = pages
    .map(({ pageNumber, markdown }) =>
      plan.pdf?.markers === true && pageNumber > 1 ? `---\n\n<!-- page ${pageNumber} -->\n\n${markdown}` : markdown
    )
    .filter((markdown) => markdown !== "")
    .join("\n\n")
  const empty = pages.every((page) => page.markdown === "")
  return {
    page: {
      markdown,
      ...(plan.page.html ? { html: read.html } : {}),
      ...(plan.page.rawHtml ? { rawHtml: read.html } : {}),
      links: linksOf(read, markdown, url),
      metadata: { ...read.facts }
    },
    credits: read.pages.length,
    numPages: read.pages.length,
    totalPages: read.numPages,
    ...(plan.pdf?.pages === true ? { pages } : {}),
    warnings: [
      ...(read.numPages > read.pages.length
        ? [`the PDF has ${read.numPages} pages; the first ${read.pages.length} were read`]
        : []),
      ...(read.unknownEncodings.length > 0 ? [`text of the PDF is left out: ${unknownText(read)}`] : []),
      ...(empty && read.unknownEncodings.length === 0
        ? ["the PDF holds no text: its pages are pictures, which this service does not read"]
        : [])
    ]
  }
}

const unknownText = ({ unknownEncodings }: PdfRead): string =>
  `its letters are numbers in the encoding ${unknownEncodings.join(", ")}, whose table is not in the file`

/**
 * The targets of its links, and the URLs in its text. A URL that continues in the next line is known completely only by
 * its link.
 */
const linksOf = ({ links }: PdfRead, markdown: string, url: string): ReadonlyArray<string> => {
  const linked = links.flatMap((written) => webAddress(written, url))
  // Sorted, so that a URL's longer forms follow it directly.
  const ordered = linked.toSorted()
  const isBegin = (href: string) => ordered[firstNot(ordered, (other) => other <= href)]?.startsWith(href) === true
  const written = (markdown.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [])
    .flatMap((address) => webAddress(address.replaceAll("\\", "").replace(/[.,;:]+$/, "")))
    .filter((href) => !isBegin(href))
  return [...new Set([...linked, ...written])]
}

const webAddress = (written: string, base?: string): ReadonlyArray<string> => {
  const url = URL.parse(written, base)
  return url !== null && /^https?:$/.test(url.protocol) ? [url.href] : []
}
