/** The blocks of a page of a PDF as Markdown. */
import { escapeLines, escapeText } from "#page/Escape"
import type { Block, PdfText } from "./PdfLayout.ts"
import { isTable, type Table, textsOf } from "./PdfTable.ts"

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

/** Rows that name the columns together are the head, one word below the other; without them it is empty, as in Word documents. */
const ofTable = (table: Table): string => {
  const rows = textsOf(table)
  const width = rows[0]?.length ?? 0
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const cell = (text: string) => escapeText(text, 0, false).replaceAll("|", "\\|")
  const names = Array.from({ length: width }, (_, at) =>
    [...new Set(rows.slice(0, table.heads).map((row) => row[at] ?? ""))].filter((text) => text !== "").join(" ")
  )
  const head = [line(names.map(cell)), line(names.map(() => "---"))]
  return [...head, ...rows.slice(table.heads).map((row) => line(row.map(cell)))].join("\n")
}
