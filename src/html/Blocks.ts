/**
 * Blocks of Markdown in the order they were finished, inside their lists and quotes.
 *
 * A block remembers how far it must stand from the one before and which blocks of the page it was written from, so that
 * what is left out can be decided at the end, when the whole page has been seen.
 */
import type { Budget } from "./Budget.ts"
import type { Keeps } from "./content/MainContent.ts"

/** The blocks of the page (`content/Outline.ts`) that something was written from: the first and the last. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** How far two blocks stand apart; the larger wish wins. */
export const LINE = 1
/** A blank line, unless the block only ends a list item. */
export const SOFT = 2
export const BLANK = 3

interface Block {
  readonly text: string
  /** What its first line begins with, and what it would begin with if something stood before it in its item. */
  readonly lead: string
  readonly rest: string
  readonly gap: number
  /** What a blank line before it begins with: the marks of the quote that both blocks stand in. */
  readonly quote: string
  readonly span: Span
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
  /** What the first and the later lines of the next block begin with. */
  private lead = ""
  private rest = ""
  private gap = 0
  private quote = ""
  private freshAt = 0
  private afterList = false
  /** Whether a block is here that a table cell cannot hold. */
  heavy = false

  constructor(budget: Budget) {
    this.budget = budget
  }

  get count(): number {
    return this.blocks.length
  }

  /** Wishes for a distance between what was written last and what comes next. */
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

  /** The item ends: unless it holds several paragraphs, the next one may follow at once. */
  endItem(): void {
    const written = this.blocks.length - (this.containers[this.containers.length - 1]?.count ?? 0)
    if (this.gap === SOFT || written <= 1) this.gap = Math.min(this.gap, LINE)
    this.leave()
    this.request(LINE)
  }

  /** A nested list has ended: text after it must not be taken for its last item. */
  endList(): void {
    this.afterList = true
  }

  /** Adds to the mark of the item that was just entered. */
  mark(text: string): void {
    if (this.blocks.length === this.freshAt) this.lead += text
  }

  write(text: string, span: Span, heavy = false): void {
    if (this.afterList) this.request(BLANK)
    this.afterList = false
    if (heavy) this.heavy = true
    this.budget.write(text.length + this.lead.length + this.rest.length * newlines(text))
    const body = this.rest !== "" && text.includes("\n") ? indent(text, this.rest) : text
    this.blocks.push({ text: body, lead: this.lead, rest: this.rest, gap: this.gap, quote: this.quote, span })
    this.lead = this.rest
    this.gap = 0
    this.quote = ""
  }

  /** Takes over the blocks of a cell, as if they had been written here. */
  absorb(other: Blocks): void {
    if (other.heavy) this.heavy = true
    let first = true
    for (const block of other.blocks) {
      this.request(first ? BLANK : block.gap)
      if (!first) this.quote = this.rest + block.quote
      this.write(block.lead + block.text, block.span)
      first = false
    }
  }

  /** The only block, where it is short enough to share a line with others. */
  get phrase(): string | undefined {
    const [only] = this.blocks
    const text = only === undefined ? "" : this.blocks.length === 1 && !this.heavy ? only.lead + only.text : undefined
    return text !== undefined && text.length <= maxPhrase && !text.includes("\n") ? text : undefined
  }

  /** What the blocks were written from; undefined where there is none. */
  get span(): Span | undefined {
    const first = this.blocks[0]
    const last = this.blocks[this.blocks.length - 1]
    return first === undefined || last === undefined ? undefined : { from: first.span.from, to: last.span.to }
  }

  join(keeps: Keeps): string {
    const parts: Array<string> = []
    /** The mark of an item whose first block is left out: the next block of the item has it. */
    let mark: { readonly lead: string; readonly rest: string } | undefined
    for (const { gap, lead, quote, rest, span, text } of this.blocks) {
      if (!keeps.most(span.from, span.to)) {
        if (lead !== rest) mark = { lead, rest }
        continue
      }
      if (parts.length > 0) parts.push(gap > LINE ? `\n${quote.trimEnd()}\n` : "\n")
      parts.push((mark !== undefined && lead === rest && mark.rest === rest ? mark.lead : lead) + text)
      mark = undefined
    }
    return parts.join("")
  }
}

const maxPhrase = 80

/** Lists and quotes nested deeper than this lose their marks: each level would be written again on every line. */
const maxIndent = 64

const newlines = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** Blank lines keep their quote marks but no spaces. */
const indent = (text: string, rest: string): string => {
  if (!text.includes("\n\n")) return text.replaceAll("\n", `\n${rest}`)
  const bare = rest.trimEnd()
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? line : line === "" ? bare : rest + line))
    .join("\n")
}
