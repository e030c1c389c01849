/**
 * A PDF as Markdown, page by page, in the thread that reads files.
 *
 * Nothing in the file is run, and nothing is fetched for it; if a file cannot be read, the failure says why.
 */
import { getDocumentProxy } from "unpdf"
import { FileProblem } from "./FileProblem.ts"
import { type Line, type PdfPage, toMarkdown } from "./PdfLayout.ts"

export interface PdfRead {
  readonly kind: "pdf"
  readonly pages: ReadonlyArray<string>
  /** Pages that the file has; more than were read where it has too many. */
  readonly numPages: number
  readonly title: string | undefined
}

export const readPdf = async (bytes: Uint8Array, maxPages: number): Promise<PdfRead> => {
  const document = await getDocumentProxy(bytes, { verbosity: 0, useSystemFonts: false }).catch((cause: unknown) => {
    throw problemOf(cause)
  })
  const pages: Array<PdfPage> = []
  for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const [left = 0, , right = 0] = page.view
    pages.push({ width: right - left, lines: linesOf(items) })
    page.cleanup()
  }
  return { kind: "pdf", pages: toMarkdown(pages), numPages: document.numPages, title: await titleOf(document) }
}

const problemOf = (cause: unknown): FileProblem => {
  const name = cause instanceof Error ? cause.name : ""
  return name === "PasswordException"
    ? new FileProblem("SCRAPE_FILE_ENCRYPTED_ERROR", "the PDF is encrypted and needs a password")
    : new FileProblem("SCRAPE_FILE_BROKEN_ERROR", "the PDF is broken: its structure cannot be read")
}

const titleOf = async (document: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string | undefined> => {
  const { info } = await document.getMetadata()
  const title: unknown = "Title" in info ? info.Title : undefined
  return typeof title === "string" && title.trim() !== "" ? title.trim().slice(0, 1000) : undefined
}

interface Item {
  readonly str: string
  readonly width: number
  readonly transform: ReadonlyArray<number>
  readonly hasEOL: boolean
}

/** Pieces of text that stand on one line, in the order written. */
const linesOf = (items: ReadonlyArray<object>): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let text = ""
  let from: Item | undefined
  let end = 0
  const flush = () => {
    const words = text.replaceAll(/\s+/g, " ").trim()
    if (from !== undefined && words !== "")
      lines.push({ text: words, size: sizeOf(from), x: at(from, 4), y: at(from, 5), end })
    text = ""
    from = undefined
  }
  for (const item of items) {
    if (!isItem(item)) continue
    if (from !== undefined && Math.abs(at(item, 5) - at(from, 5)) > sizeOf(from) * 0.6) flush()
    if (from !== undefined && at(item, 4) - end > sizeOf(from) * 0.15) text += " "
    if (item.str.trim() !== "") from ??= item
    text += item.str
    end = at(item, 4) + item.width
    if (item.hasEOL) flush()
  }
  flush()
  return lines
}

const isItem = (item: object): item is Item => "str" in item && "transform" in item

const at = (item: Item, index: number): number => item.transform[index] ?? 0

/** In half points. */
const sizeOf = (item: Item): number => Math.round(Math.hypot(at(item, 2), at(item, 3)) * 2) / 2
