/**
 * A fetched or uploaded file as a page: PDF and Word are read, other known kinds are refused by name.
 */
import * as Effect from "effect/Effect"
import type * as Page from "../../html/Page.ts"
import { FetchError } from "../fetch/Fetch.ts"
import { type FileKind, nameOf, readable } from "../files/FileKind.ts"
import { FileReader } from "../files/FileReader.ts"
import type { PdfRead } from "../files/readPdf.ts"
import { parseAside } from "./parsePage.ts"
import type { ScrapePlan } from "./ScrapePlan.ts"

/** What reading a file gives, in the words of `PageDocuments.Reading`. */
export interface FileReading {
  readonly page: Page.Page
  readonly credits: number
  readonly numPages?: number
  readonly pages?: ReadonlyArray<{ readonly pageNumber: number; readonly markdown: string }>
  readonly warnings: ReadonlyArray<string>
}

export const readFile = Effect.fnUntraced(function* (
  kind: FileKind,
  file: { readonly url: string; readonly body: Uint8Array },
  plan: ScrapePlan
): Effect.fn.Return<FileReading, FetchError, FileReader> {
  const fail = (code: string, message: string) => new FetchError({ url: file.url, code, message, retryable: false })
  if (!readable.has(kind)) {
    return yield* fail("SCRAPE_UNSUPPORTED_FILE_ERROR", `${nameOf(kind)} cannot be read here; HTML, PDF and DOCX can`)
  }
  if (kind === "pdf" && plan.pdf === undefined) return asBase64(file.body)
  const reader = yield* FileReader
  const read = yield* reader
    .read({ kind: kind === "pdf" ? "pdf" : "docx", bytes: file.body, maxPages: plan.pdf?.maxPages ?? 1 })
    .pipe(Effect.mapError(({ code, message }) => fail(code, message)))
  if (read.kind === "pdf") return ofPdf(read, plan)
  const body = new TextEncoder().encode(`<html><body>${read.html}</body></html>`)
  const { page } = yield* parseAside({ url: file.url, body, contentType: "text/html; charset=utf-8" }, plan.page)
  return { page, credits: 1, warnings: [] }
})

/** A PDF that nobody wants read travels as it is, wherever text would stand. */
const asBase64 = (body: Uint8Array): FileReading => {
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64")
  return {
    page: { markdown: base64, html: base64, rawHtml: base64, links: [], metadata: {} },
    credits: 1,
    warnings: []
  }
}

const ofPdf = (read: PdfRead, plan: ScrapePlan): FileReading => {
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
      ...(plan.page.html ? { html: paragraphs(markdown) } : {}),
      ...(plan.page.rawHtml ? { rawHtml: paragraphs(markdown) } : {}),
      links: linksOf(markdown),
      metadata: read.title === undefined ? {} : { title: read.title }
    },
    credits: read.pages.length,
    numPages: read.numPages,
    ...(plan.pdf?.pages === true ? { pages } : {}),
    warnings: [
      ...(read.numPages > read.pages.length
        ? [`the PDF has ${read.numPages} pages; the first ${read.pages.length} were read`]
        : []),
      ...(empty ? ["the PDF holds no text: its pages are pictures, which this service does not read"] : [])
    ]
  }
}

/** A PDF has no HTML: its blocks stand for it. */
const paragraphs = (markdown: string): string =>
  markdown
    .split(/\n{2,}/)
    .map((block) => {
      const text = block.replace(/[&<>]/g, (char) => (char === "&" ? "&amp;" : char === "<" ? "&lt;" : "&gt;"))
      const heading = /^(#{1,6}) (.*)$/s.exec(text)
      const level = heading?.[1]?.length
      return level === undefined ? `<p>${text}</p>` : `<h${level}>${heading?.[2] ?? ""}</h${level}>`
    })
    .join("\n")

/** Addresses that a PDF writes out. */
const linksOf = (markdown: string): ReadonlyArray<string> => [
  ...new Set(
    (markdown.match(/https?:\/\/[^\s<>"')\]]+/g) ?? []).flatMap((found) => {
      const url = URL.parse(found.replaceAll("\\", "").replace(/[.,;:]+$/, ""))
      return url === null ? [] : [url.href]
    })
  )
]
