/**
 * The blocks of a PDF as HTML: for those who want it, and for the rules that read data of pages.
 *
 * A table that goes on at the top of the next page is one table, and the head that it has there again is not one of its rows.
 */
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

/** In points: the gap between two columns has another middle where other cells stand. */
const slack = 30

const isItem = (block: Block | undefined): boolean => block !== undefined && !isTable(block) && block.bullet

const ofTable = ({ rows }: Table): string =>
  `<table>\n${rows.map((row) => `<tr>${row.map((text) => `<td>${escaped(text)}</td>`).join("")}</tr>`).join("\n")}\n</table>`

const ofText = ({ bullet, level, text }: PdfText): string => {
  const tag = bullet ? "li" : level === undefined ? "p" : `h${level}`
  return `<${tag}>${escaped(text).replaceAll("\n", "<br>\n")}</${tag}>`
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (char) => (char === "&" ? "&amp;" : char === "<" ? "&lt;" : "&gt;"))
