/** The blocks of a page of a PDF as Markdown. */
import { escapeLines, escapeText } from "#page/Escape"
import type { Block, PdfText } from "./PdfLayout.ts"
import { isTable, type Table } from "./PdfTables.ts"

export const pdfMarkdown = (blocks: ReadonlyArray<Block>): string => {
  let text = ""
  let before: Block | undefined
  for (const block of blocks) {
    text += isItem(block) && isItem(before) ? "\n" : "\n\n"
    text += isTable(block) ? ofTable(block) : ofText(block)
    before = block
  }
  return text.trim()
}

const isItem = (block: Block | undefined): boolean => block !== undefined && !isTable(block) && block.bullet

const ofText = ({ bullet, level, text: raw }: PdfText): string => {
  const text = escapeText(bullet ? raw.replaceAll("\n", "\n  ") : raw, 0, false)
  const written =
    level === undefined ? escapeLines(text) : `${"#".repeat(level)} ${text.replace(/(^|\s)(#+)$/, "$1\\$2")}`
  return `${bullet ? "- " : ""}${written}`
}

/** With an empty head, like a table of a Word document: a PDF does not say which row is the head. */
const ofTable = ({ rows }: Table): string => {
  const width = rows[0]?.length ?? 0
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const cell = (text: string) => escapeText(text, 0, false).replaceAll("|", "\\|")
  const head = [line(Array.from({ length: width }, () => "")), line(Array.from({ length: width }, () => "---"))]
  return [...head, ...rows.map((row) => line(row.map(cell)))].join("\n")
}
