/**
 * Blocks of Markdown in the order they were finished, inside their lists and quotes.
 *
 * A block remembers how far it must stand from the one before and which region of the page it came from, so that what
 * is left out can be decided at the end, when the whole page has been seen.
 */

/** How far two blocks stand apart; the larger wish wins. */
export const LINE = 1
/** A blank line, unless the block only ends a list item. */
export const SOFT = 2
export const BLANK = 3

interface Container {
  readonly lead: string
  readonly rest: string
  readonly count: number
}

export class Blocks {
  private readonly texts: Array<string> = []
  private readonly gaps: Array<number> = []
  private readonly quotes: Array<string> = []
  private readonly regions: Array<number> = []
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

  get count(): number {
    return this.texts.length
  }

  /** Wishes for a distance between what was written last and what comes next. */
  request(gap: number): void {
    if (this.texts.length === this.freshAt) return
    if (this.gap === 0 || this.rest.length < this.quote.length) this.quote = this.rest
    if (gap > this.gap) this.gap = gap
  }

  /** Enters a list item or a quote. */
  enter(first: string, rest: string): void {
    this.containers.push({ lead: this.lead, rest: this.rest, count: this.texts.length })
    this.lead += first
    this.rest += rest
    this.freshAt = this.texts.length
    this.afterList = false
  }

  leave(): void {
    const container = this.containers.pop()
    if (container === undefined) return
    this.rest = container.rest
    this.lead = this.texts.length === container.count ? container.lead : container.rest
    this.freshAt = this.containers[this.containers.length - 1]?.count ?? 0
    this.afterList = false
  }

  /** The item ends: what follows in the list may follow at once. */
  endItem(): void {
    if (this.gap === SOFT) this.gap = LINE
    this.leave()
    this.request(LINE)
  }

  /** A nested list has ended: text after it must not be taken for its last item. */
  endList(): void {
    this.afterList = true
  }

  /** Adds to the mark of the item that was just entered. */
  mark(text: string): void {
    if (this.texts.length === this.freshAt) this.lead += text
  }

  write(text: string, region: number, heavy = false): void {
    if (this.afterList) this.request(BLANK)
    this.afterList = false
    if (heavy) this.heavy = true
    const body = this.rest !== "" && text.includes("\n") ? indent(text, this.rest) : text
    this.texts.push(this.lead + body)
    this.gaps.push(this.gap)
    this.quotes.push(this.quote)
    this.regions.push(region)
    this.lead = this.rest
    this.gap = 0
    this.quote = ""
  }

  /** Takes over the blocks of a cell, as if they had been written here. */
  absorb(other: Blocks): void {
    if (other.heavy) this.heavy = true
    for (let i = 0; i < other.texts.length; i++) {
      this.request(i === 0 ? BLANK : (other.gaps[i] ?? BLANK))
      if (i > 0) this.quote = this.rest + (other.quotes[i] ?? "")
      this.write(other.texts[i] ?? "", other.regions[i] ?? 0)
    }
  }

  join(keeps: (region: number) => boolean): string {
    const parts: Array<string> = []
    for (let i = 0; i < this.texts.length; i++) {
      if (!keeps(this.regions[i] ?? 0)) continue
      if (parts.length > 0) parts.push((this.gaps[i] ?? 0) > LINE ? `\n${(this.quotes[i] ?? "").trimEnd()}\n` : "\n")
      parts.push(this.texts[i] ?? "")
    }
    return parts.join("")
  }
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
