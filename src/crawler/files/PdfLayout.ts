/**
 * The lines of a PDF as Markdown.
 *
 * A PDF knows letters and places, no paragraphs: what is larger than the text is a heading, what stands further below
 * than lines do begins a paragraph, and what stands on most pages at their edge (a running title, a page number) is
 * left out. A line that ends before the margin stays a line of its own, so that lists and tables keep their rows.
 */
import { escapeLines, escapeText } from "../../html/Escape.ts"

export interface Line {
  readonly text: string
  /** Of the letters, in points. */
  readonly size: number
  /** From the left, and from the bottom of the page. */
  readonly x: number
  readonly y: number
  /** Where it ends, from the left. */
  readonly end: number
}

export interface PdfPage {
  readonly width: number
  readonly lines: ReadonlyArray<Line>
}

/** Each page's Markdown. */
export const toMarkdown = (pages: ReadonlyArray<PdfPage>): ReadonlyArray<string> => {
  const kept = withoutEdges(pages.map(({ lines }) => lines))
  const body = commonest(kept)
  const sizes = [...new Set(kept.flatMap((page) => page.map(({ size }) => size)).filter((size) => size >= body * 1.15))]
  const levels = new Map(sizes.sort((a, b) => b - a).map((size, i) => [size, Math.min(i + 1, maxLevel)]))
  return kept.map((lines, i) => pageMarkdown(lines, levels, fullLine(lines, pages[i]?.width ?? 0)))
}

const maxLevel = 4
/** A heading longer than this is text in large letters. */
const maxHeading = 200

interface Block {
  text: string
  readonly level: number | undefined
  readonly bullet: boolean
}

/** Where a line ends that goes on in the next: near the right margin, which is as wide as the left one. */
const fullLine = (lines: ReadonlyArray<Line>, width: number): number =>
  (width - lines.reduce((least, { x }) => Math.min(least, x), width)) * 0.8

const pageMarkdown = (lines: ReadonlyArray<Line>, levels: ReadonlyMap<number, number>, full: number): string => {
  const pitch = median(lines)
  const blocks: Array<Block> = []
  let before: Line | undefined
  for (const line of lines) {
    const level = line.text.length <= maxHeading ? levels.get(line.size) : undefined
    const bullet = bullets.test(line.text)
    const last = blocks[blocks.length - 1]
    const text = bullet ? line.text.replace(bullets, "") : line.text
    if (last !== undefined && before !== undefined && !bullet && continues(before, line, last, level, pitch)) {
      last.text = join(last.text, text, level !== undefined || before.end >= full)
    } else blocks.push({ text, level, bullet })
    before = line
  }
  return blocks.map(write).join("").trim()
}

const bullets = /^[•◦▪‣●○■·]\s*/

const continues = (before: Line, line: Line, block: Block, level: number | undefined, pitch: number): boolean => {
  if (level !== block.level || Math.abs(before.size - line.size) > 0.6) return false
  const gap = before.y - line.y
  return gap > 0 && gap <= Math.max(pitch * 1.35, level === undefined ? 0 : line.size * 1.6)
}

/** A word that was divided at the end of its line is one word. */
const join = (text: string, next: string, flows: boolean): string =>
  /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(next) ? text.slice(0, -1) + next : `${text}${flows ? " " : "\n"}${next}`

const write = (block: Block, index: number, all: ReadonlyArray<Block>): string => {
  const text = escapeText(block.bullet ? block.text.replaceAll("\n", "\n  ") : block.text, 0, false)
  const written =
    block.level === undefined
      ? escapeLines(text)
      : `${"#".repeat(block.level)} ${text.replace(/(^|\s)(#+)$/, "$1\\$2")}`
  const gap = block.bullet && all[index - 1]?.bullet === true ? "\n" : "\n\n"
  return `${gap}${block.bullet ? "- " : ""}${written}`
}

/** The distance between two lines of a paragraph: what most lines keep. */
const median = (lines: ReadonlyArray<Line>): number => {
  const gaps = lines.flatMap((line, i) => {
    const gap = (lines[i - 1]?.y ?? 0) - line.y
    return i > 0 && gap > line.size * 0.5 && gap < line.size * 4 ? [gap] : []
  })
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
}

/** The size that most letters have. */
const commonest = (pages: ReadonlyArray<ReadonlyArray<Line>>): number => {
  const letters = new Map<number, number>()
  for (const page of pages) {
    for (const { size, text } of page) letters.set(size, (letters.get(size) ?? 0) + text.length)
  }
  return [...letters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]
}

/** Without what stands apart from the text on most pages, as the first or the last line, whatever its numbers. */
const withoutEdges = (pages: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<ReadonlyArray<Line>> => {
  if (pages.length < 3) return pages
  const seen = new Map<string, number>()
  for (const page of pages) {
    for (const key of new Set([edgeKey(page, 0, 1), edgeKey(page, page.length - 1, page.length - 2)])) {
      if (key !== undefined) seen.set(key, (seen.get(key) ?? 0) + 1)
    }
  }
  const isEdge = (key: string | undefined): boolean => key !== undefined && (seen.get(key) ?? 0) > pages.length / 2
  return pages.map((page) => {
    const first = isEdge(edgeKey(page, 0, 1)) ? 1 : 0
    const last = isEdge(edgeKey(page, page.length - 1, page.length - 2)) ? page.length - 1 : page.length
    return page.slice(first, last)
  })
}

/** What the lines of one edge have in common: their place and their words. Undefined for a line of the text. */
const edgeKey = (page: ReadonlyArray<Line>, index: number, next: number): string | undefined => {
  const line = page[index]
  const neighbour = page[next]
  if (line === undefined || neighbour === undefined || Math.abs(line.y - neighbour.y) < line.size * 2) return undefined
  return `${Math.round(line.y)} ${line.text.replaceAll(/\d+|\b[ivxl]+\b/g, "#")}`
}
