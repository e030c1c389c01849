/**
 * Blocks of Markdown in the order in which they ended, inside their lists and quotes.
 *
 * A block knows its distance from the block before it, and the blocks of the page that it was written from. So the main
 * content can be chosen at the end, when the whole page was read.
 */

import type { Keeps } from "../content/MainContent.ts"
import type { Budget } from "../tree/Budget.ts"

/** The first and the last block of the page (`content/Outline.ts`) that a piece of Markdown was written from. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The distance between two blocks. If several are requested, the largest counts. */
export const LINE = 1
/** A blank line, unless the block only ends a list item. */
export const SOFT = 2
export const BLANK = 3

interface Block {
  readonly text: string
  /** The prefix of its first line, and the prefix that this line has if the block is not the first of its item. */
  readonly lead: string
  readonly rest: string
  readonly gap: number
  /** The prefix of a blank line before it: the marks of the quotes that hold both blocks. */
  readonly quote: string
  readonly span: Span
  /** The text in a cell of a table, if it differs: code has no fences there. */
  readonly inCell?: string | undefined
}

interface Container {
  readonly lead: string
  readonly rest: string
  readonly count: number
}

export class Blocks {
  private readonly budget: Budget
  private readonly blocks: Array<Block> = []
  private readonly containers: Array<Container> = []
  /** The prefixes of the first line and of the other lines of the next block. */
  private lead = ""
  private rest = ""
  private gap = 0
  private quote = ""
  private freshAt = 0
  private afterList = false
  /** Whether one of the blocks cannot be written in a table cell. */
  heavy = false
  /** Whether one of the blocks is code, which a cell of a table with headers can hold. */
  hasCode = false

  constructor(budget: Budget) {
    this.budget = budget
  }

  get count(): number {
    return this.blocks.length
  }

  /** Requests a distance between the last block and the next one. */
  request(gap: number): void {
    if (this.blocks.length === this.freshAt) return
    if (this.gap === 0 || this.rest.length < this.quote.length) this.quote = this.rest
    if (gap > this.gap) this.gap = gap
  }

  /** Enters a list item or a quote. */
  enter(first: string, rest: string): void {
    this.containers.push({ lead: this.lead, rest: this.rest, count: this.blocks.length })
    if (this.rest.length < maxIndent) {
      this.lead += first
      this.rest += rest
    }
    this.freshAt = this.blocks.length
    this.afterList = false
  }

  leave(): void {
    const container = this.containers.pop()
    if (container === undefined) return
    this.rest = container.rest
    this.lead = this.blocks.length === container.count ? container.lead : container.rest
    this.freshAt = this.containers[this.containers.length - 1]?.count ?? 0
    this.afterList = false
  }

  /** Ends a list item. The next item follows without a blank line, unless this one has several paragraphs. */
  endItem(): void {
    const written = this.blocks.length - (this.containers[this.containers.length - 1]?.count ?? 0)
    if (this.gap === SOFT || written <= 1) this.gap = Math.min(this.gap, LINE)
    this.leave()
    this.request(LINE)
  }

  /** Ends a nested list. A blank line separates it from later text, which would become part of its last item. */
  endList(): void {
    this.afterList = true
  }

  /** Adds a text to the prefix of the item, if nothing of the item is written yet. */
  mark(text: string): void {
    if (this.blocks.length === this.freshAt) this.lead += text
  }

  write(text: string, span: Span, heavy = false, inCell?: string): void {
    if (this.afterList) this.request(BLANK)
    this.afterList = false
    if (heavy) this.heavy = true
    this.budget.write(text.length + this.lead.length + this.rest.length * newlines(text))
    const body = this.rest !== "" && text.includes("\n") ? indent(text, this.rest) : text
    if (inCell !== undefined) this.hasCode = true
    this.blocks.push({ text: body, lead: this.lead, rest: this.rest, gap: this.gap, quote: this.quote, span, inCell })
    this.lead = this.rest
    this.gap = 0
    this.quote = ""
  }

  /** Writes the blocks of a table cell here. */
  absorb(other: Blocks): void {
    if (other.heavy) this.heavy = true
    let first = true
    for (const block of other.blocks) {
      this.request(first ? BLANK : block.gap)
      if (!first) this.quote = this.rest + block.quote
      this.write(block.lead + block.text, block.span, false, block.inCell)
      first = false
    }
  }

  /** The text, if it can share a line with other cells; empty: there are no blocks; undefined: it needs its own lines. */
  get phrase(): string | undefined {
    const [only] = this.blocks
    const text = only === undefined ? "" : this.blocks.length === 1 && !this.heavy ? only.lead + only.text : undefined
    return text !== undefined && text.length <= maxPhrase && !text.includes("\n") ? text : undefined
  }

  /** Undefined: there are no blocks. */
  get span(): Span | undefined {
    const first = this.blocks[0]
    const last = this.blocks[this.blocks.length - 1]
    return first === undefined || last === undefined ? undefined : { from: first.span.from, to: last.span.to }
  }

  join(keeps: Keeps, inCell = false): string {
    const parts: Array<string> = []
    /** The mark of an item whose first block is left out. The next block of the item gets it. */
    let mark: { readonly lead: string; readonly rest: string } | undefined
    for (const block of this.blocks) {
      const { gap, lead, quote, rest, span } = block
      if (!keeps.most(span.from, span.to)) {
        if (lead !== rest) mark = { lead, rest }
        continue
      }
      if (parts.length > 0) parts.push(gap > LINE ? `\n${quote.trimEnd()}\n` : "\n")
      const text = inCell ? (block.inCell ?? block.text) : block.text
      parts.push((mark !== undefined && lead === rest && mark.rest === rest ? mark.lead : lead) + text)
      mark = undefined
    }
    return parts.join("")
  }
}

const maxPhrase = 80

/** The maximum length of a prefix. Deeper lists and quotes lose their marks: every line would repeat all of them. */
const maxIndent = 64

const newlines = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** Adds the prefix to all lines but the first. A blank line gets it without the spaces at its end. */
const indent = (text: string, rest: string): string => {
  if (!text.includes("\n\n")) return text.replaceAll("\n", `\n${rest}`)
  const bare = rest.trimEnd()
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? line : line === "" ? bare : rest + line))
    .join("\n")
}
