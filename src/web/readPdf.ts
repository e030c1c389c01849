/**
 * Converts a PDF to Markdown, page by page, and to HTML, in the thread that reads files.
 *
 * Nothing in the file is run, and nothing is fetched for it. If it cannot be read, the failure says why. Its text is
 * read as a stream, and reading stops at a limit: 300 kB of drawing can write three million letters.
 */
import { escapeText } from "#base/HtmlPage"
import { attributeOf } from "#page/pdfPlaces"
import { rowKinds } from "#page/tableRows"
import { FileProblem } from "./FileProblem.ts"
import * as FileFacts from "./files/FileFacts.ts"
import * as PdfCMaps from "./files/PdfCMaps.ts"
import * as PdfDrawing from "./files/PdfDrawing.ts"
import * as PdfGlyphs from "./files/PdfGlyphs.ts"
import { gridsOf } from "./files/PdfGrid.ts"
import type { Block, PdfText } from "./files/PdfLayout.ts"
import { blocksOf, type PdfPage } from "./files/PdfLayout.ts"
import * as PdfLines from "./files/PdfLines.ts"
import * as PdfPlace from "./files/PdfPlace.ts"
import { isTable, type Table, type TableCell, textsOf } from "./files/PdfTable.ts"
import { getDocument } from "./files/pdfjs.ts"
import { pdfMarkdown } from "./files/pdfMarkdown.ts"

export interface PdfRead {
  readonly kind: "pdf"
  /** The Markdown of each page that was read. */
  readonly pages: ReadonlyArray<string>
  /** All pages together. */
  readonly html: string
  /** The same, where each text has its page and its box. */
  readonly rawHtml: string
  /** The targets of its links as written: some are relative to the file. */
  readonly links: ReadonlyArray<string>
  /** How many pages the file has, which may be more than were read. */
  readonly numPages: number
  readonly title: string | undefined
  /**
   * The Chinese, Japanese and Korean encodings whose text is left out, because neither the file nor we have their
   * tables.
   */
  readonly unknownEncodings: ReadonlyArray<string>
  /** The file's metadata, its title included. */
  readonly facts: FileFacts.FileFacts
}

/**
 * Pieces of text are letters, words or lines, as the file has them. The limit is 2,000 a page for 500 pages, which
 * takes some seconds.
 */
const maxPieces = 1_000_000

export const readPdf = async (bytes: Uint8Array, maxPages: number, most: number = maxPieces): Promise<PdfRead> => {
  const unknown = new Set<string>()
  const document = await getDocument({
    data: bytes,
    verbosity: 0,
    useSystemFonts: false,
    cMapPacked: false,
    BinaryDataFactory: tables(unknown),
    // Pictures are not read.
    maxImageSize: 1,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    disableFontFace: true
  }).promise.catch((cause: unknown) => {
    throw problemOf(cause)
  })
  const { links, pages } = await pagesOf(document, maxPages, most, unknown)
  const blocks = blocksOf(pages)
  const facts = await factsOf(document)
  return {
    kind: "pdf",
    pages: blocks.map(pdfMarkdown),
    html: pdfHtml(blocks),
    rawHtml: pdfHtml(blocks, true),
    links,
    numPages: document.numPages,
    title: facts.title,
    facts,
    unknownEncodings: [...unknown]
  }
}

const pagesOf = async (document: Document, maxPages: number, most: number, unknown: Set<string>) => {
  const pages: Array<PdfPage> = []
  const links = new Set<string>()
  let remainingPieces = most
  for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
    const page = await document.getPage(number)
    const operations = await page.getOperatorList()
    const boxes = PdfDrawing.boxesOf(operations)
    const edges = byTurn((turn) => PdfDrawing.edgesOf(boxes, turn))
    const unitOf = unitsOf(page)
    const placing = PdfPlace.placesOn(number, shownOf(page))
    let lines = PdfLines.create(edges, PdfGlyphs.gaps(operations, unitOf), placing)
    const text = textOf(page)
    let isSpacedOut = false
    for (let next = await text.read(); !next.done; next = await text.read()) {
      const pieces = piecesOf(next.value)
      remainingPieces -= pieces.length
      // The stream is abandoned: what nobody requests is not read. Cancelling it raises an error in the library that
      // cannot be caught, and closing the document may wait forever. If the thread is large by then, it is ended.
      if (remainingPieces < 0) throw tooMuch(most)
      lines.add(pieces.map((piece) => known(piece, unknown)))
      isSpacedOut ||= pieces.some((piece) => PdfGlyphs.isSpacedOut(stringOf(piece)))
    }
    const { again, letters } = lines.isFromRight() ? { again: 0, letters: [] } : PdfGlyphs.once(operations, unitOf)
    if (again >= PdfGlyphs.aWord || (isSpacedOut && letters.length > 0)) {
      lines = PdfLines.create(edges, [], placing)
      lines.add(letters.map((letter) => known(letter, unknown)))
    }
    const [from = 0, , to = 0] = page.view
    pages.push({ width: to - from, lines: lines.end(), grids: byTurn((turn) => gridsOf(edges(turn))) })
    for (const link of linksOf(await page.getAnnotations())) if (links.size < maxLinks) links.add(link)
    page.cleanup()
  }
  return { pages, links: [...links] }
}

const unitsOf = ({ commonObjs }: Page): PdfGlyphs.UnitOf => {
  const known = new Map<string, number>()
  return (name) => {
    const unit = known.get(name) ?? unitIn(commonObjs.has(name) ? commonObjs.get(name) : undefined)
    known.set(name, unit)
    return unit
  }
}

const unitIn = (font: unknown): number => {
  const matrix: unknown =
    typeof font === "object" && font !== null && "fontMatrix" in font ? font.fontMatrix : undefined
  return Array.isArray(matrix) && Number(matrix[0]) > 0 ? Number(matrix[0]) : 0.001
}

/** How points of a page become points of the page as it is shown, which may be turned or a part of it. */
const shownOf = (page: Page): PdfDrawing.Matrix => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(page.getViewport({ scale: 1 }).transform, Number)
  return [a, b, c, d, e, f]
}

/** What a page is for text of each rotation, found once. Text that is aslant is in no table. */
const byTurn = <A>(of: (turn: number) => A): ((turn: number) => A) => {
  const known = new Map<number, A>()
  return (turn) => {
    const there = known.get(turn)
    if (there !== undefined) return there
    const made = of(turn)
    known.set(turn, made)
    return made
  }
}

const tooMuch = (most: number) =>
  new FileProblem("SCRAPE_FILE_TOO_LARGE_ERROR", `the PDF has more than ${most.toLocaleString("en-US")} pieces of text`)

type Document = Awaited<ReturnType<typeof getDocument>["promise"]>
type Page = Awaited<ReturnType<Document["getPage"]>>

/** The text of a page as a stream. */
const textOf = (page: Page): ReadableStreamDefaultReader<unknown> => page.streamTextContent().getReader()

const piecesOf = (chunk: unknown): ReadonlyArray<unknown> =>
  typeof chunk === "object" && chunk !== null && "items" in chunk && Array.isArray(chunk.items) ? chunk.items : []

const stringOf = (piece: unknown): string =>
  typeof piece === "object" && piece !== null && "str" in piece && typeof piece.str === "string" ? piece.str : ""

/** The piece without letters of which only the real number is known. */
const known = (piece: unknown, unknown: Set<string>): unknown => {
  const written = stringOf(piece)
  const str = written.replaceAll(PdfCMaps.unknownLetters, "")
  if (str === written || typeof piece !== "object") return piece
  unknown.add("Identity")
  return { ...piece, str }
}

/** Gives the library the tables that old fonts need, and records the missing ones. */
const tables = (unknown: Set<string>) =>
  class {
    fetch({ filename, kind }: { readonly filename: string; readonly kind: string }): Promise<Uint8Array> {
      const table = kind === "cMapUrl" ? PdfCMaps.named(filename) : undefined
      if (table !== undefined) return Promise.resolve(table)
      if (kind === "cMapUrl") unknown.add(filename)
      return Promise.reject(new Error(`there is no ${filename}`))
    }
  }

/** The limit of one file: a web page may have as many. */
const maxLinks = 50_000

const linksOf = (annotations: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  annotations.flatMap((annotation) => {
    if (typeof annotation !== "object" || annotation === null || !("subtype" in annotation)) return []
    if (annotation.subtype !== "Link" || !("unsafeUrl" in annotation)) return []
    return typeof annotation.unsafeUrl === "string" ? [annotation.unsafeUrl] : []
  })

const problemOf = (cause: unknown): FileProblem => {
  const name = cause instanceof Error ? cause.name : ""
  return name === "PasswordException"
    ? new FileProblem("SCRAPE_FILE_ENCRYPTED_ERROR", "the PDF is encrypted and needs a password")
    : new FileProblem("SCRAPE_FILE_BROKEN_ERROR", "the PDF is broken: its structure cannot be read")
}

const factsOf = async (document: Document): Promise<FileFacts.FileFacts> => {
  const { info } = await document.getMetadata()
  const entries = new Map<string, unknown>(Object.entries(info))
  return FileFacts.of({
    title: entries.get("Title"),
    author: entries.get("Author"),
    description: entries.get("Subject"),
    keywords: entries.get("Keywords"),
    language: entries.get("Language"),
    dcTermsCreated: FileFacts.pdfTime(entries.get("CreationDate")),
    modifiedTime: FileFacts.pdfTime(entries.get("ModDate"))
  })
}

/**
 * The blocks of a PDF as HTML, for callers that want it and for the rules that extract data.
 *
 * A table that continues at the top of the next page is one table, and its repeated head is not a row.
 *
 * `isPlaced`: each text has its page and its box.
 */
export const pdfHtml = (pages: ReadonlyArray<ReadonlyArray<Block>>, isPlaced = false): string => {
  const at = ({ place }: PdfText | TableCell) => (isPlaced && place !== undefined ? attributeOf(place) : "")
  const blocks: Array<Block> = []
  for (const page of pages) {
    const [first, ...rest] = page
    const joined = joinedTable(blocks.at(-1), first)
    if (joined === undefined) blocks.push(...page)
    else blocks.splice(-1, 1, joined, ...rest)
  }
  const written: Array<string> = []
  for (const [number, block] of blocks.entries()) {
    if (isItem(block) && !isItem(blocks[number - 1])) written.push("<ul>")
    written.push(isTable(block) ? ofTable(block, at) : ofText(block, at))
    if (isItem(block) && !isItem(blocks[number + 1])) written.push("</ul>")
  }
  return written.join("\n")
}

const joinedTable = (table: Block | undefined, next: Block | undefined): Table | undefined => {
  if (table === undefined || next === undefined || !isTable(table) || !isTable(next)) return undefined
  const isSame =
    table.columns.length === next.columns.length &&
    table.columns.every((x, i) => Math.abs(x - (next.columns[i] ?? 0)) < slack)
  if (!isSame) return undefined
  const [own, others] = [textsOf(table), textsOf(next)].map((rows) => rows.map((row) => JSON.stringify(row)))
  const change = others?.findIndex((row, at) => row !== own?.[at]) ?? 0
  const repeated = change === -1 ? next.rows.length : Math.min(change, Math.max(table.heads, 1))
  return { ...table, heads: Math.max(table.heads, repeated), rows: [...table.rows, ...next.rows.slice(repeated)] }
}

/** In points: the middle of the gap between two columns varies with their cells. */
const slack = 30

const isItem = (block: Block | undefined): boolean => block !== undefined && !isTable(block) && block.bullet

/** The head of a group of rows, and the label of a total, are heads; totals at the end are the foot. */
const ofTable = ({ heads, rows }: Table, at: At): string => {
  const body = rows.slice(heads)
  const kinds = rowKinds(body.map((row) => row.map((cell) => cell ?? { text: "" })))
  const written = [
    ...rows.slice(0, heads).map((row) => ofRow(row, at, ({ across }) => (across > 1 ? "colgroup" : "col"))),
    ...body.map((row, number) => {
      const first = row.find((cell) => cell !== undefined && cell.text !== "")
      const scope = kinds[number] === "group" ? "rowgroup" : kinds[number] === "total" ? "row" : undefined
      return ofRow(row, at, (cell) => (cell === first ? scope : undefined))
    })
  ]
  const foot = kinds.findLastIndex((kind) => kind !== "total") + 1 + heads
  const end = foot < rows.length ? ["<tfoot>", ...written.slice(foot), "</tfoot>"] : []
  return ["<table>", ...written.slice(0, foot), ...end, "</table>"].join("\n")
}

/** The attribute that says where a text stands. */
type At = (text: PdfText | TableCell) => string

const ofRow = (row: Table["rows"][number], at: At, scopeOf: (cell: TableCell) => string | undefined): string =>
  `<tr>${row.map((cell) => (cell === undefined ? "" : ofCell(cell, at(cell), scopeOf(cell)))).join("")}</tr>`

const ofCell = ({ across, down, text }: TableCell, at: string, scope: string | undefined): string => {
  const spans = `${across > 1 ? ` colspan="${across}"` : ""}${down > 1 ? ` rowspan="${down}"` : ""}${at}`
  return scope === undefined
    ? `<td${spans}>${escapeText(text)}</td>`
    : `<th scope="${scope}"${spans}>${escapeText(text)}</th>`
}

const ofText = (block: PdfText, at: At): string => {
  const { bullet, level, text } = block
  const tag = bullet ? "li" : level === undefined ? "p" : `h${level}`
  return `<${tag}${at(block)}>${escapeText(text).replaceAll("\n", "<br>\n")}</${tag}>`
}
