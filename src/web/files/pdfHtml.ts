/**
 * The blocks of a PDF as HTML, for callers that want it and for the rules that extract data.
 *
 * A table that continues at the top of the next page is one table, and its repeated head is not a row.
 */
import { escapeText } from "#base/HtmlPage"
import type { Block, PdfText } from "./PdfLayout.ts"
import { isTable, type Table } from "./PdfTables.ts"

export const pdfHtml = (pages: ReadonlyArray<ReadonlyArray<Block>>): string => {
  const blocks: Array<Block> = []
  for (const page of pages) {
    const [first, ...rest] = page
    const joined = joinedTable(blocks.at(-1), first)
    if (joined === undefined) blocks.push(...page)
    else blocks.splice(-1, 1, joined, ...rest)
  }
  const written: Array<string> = []
  for (const [at, block] of blocks.entries()) {
    if (isItem(block) && !isItem(blocks[at - 1])) written.push("<ul>")
    written.push(isTable(block) ? ofTable(block) : ofText(block))
    if (isItem(block) && !isItem(blocks[at + 1])) written.push("</ul>")
  }
  return written.join("\n")
}

const joinedTable = (table: Block | undefined, next: Block | undefined): Table | undefined => {
  if (table === undefined || next === undefined || !isTable(table) || !isTable(next)) return undefined
  const isSame =
    table.columns.length === next.columns.length &&
    table.columns.every((x, i) => Math.abs(x - (next.columns[i] ?? 0)) < slack)
  if (!isSame) return undefined
  const head = JSON.stringify(table.rows[0])
  return { ...table, rows: [...table.rows, ...next.rows.slice(JSON.stringify(next.rows[0]) === head ? 1 : 0)] }
}

/** In points: the middle of the gap between two columns varies with their cells. */
const slack = 30

const isItem = (block: Block | undefined): boolean => block !== undefined && !isTable(block) && block.bullet

const ofTable = ({ rows }: Table): string =>
  `<table>\n${rows.map((row) => `<tr>${row.map((text) => `<td>${escapeText(text)}</td>`).join("")}</tr>`).join("\n")}\n</table>`

const ofText = ({ bullet, level, text }: PdfText): string => {
  const tag = bullet ? "li" : level === undefined ? "p" : `h${level}`
  return `<${tag}>${escapeText(text).replaceAll("\n", "<br>\n")}</${tag}>`
}
