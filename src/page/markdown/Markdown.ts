/**
 * Writes elements as Markdown while they open and close: CommonMark with the tables, task lists and strikethrough of GitHub.
 *
 * `Flow` writes blocks, `Phrasing` writes the elements inside a line, and `Pre` writes code blocks.
 */
import type { Attributes } from "../Attributes.ts"
import type { Keeps } from "../content/MainContent.ts"
import { BLOCK } from "../Elements.ts"
import { escapeLabel, escapeUrl } from "../Escape.ts"
import type { Budget } from "../tree/Budget.ts"
import type { Element } from "../tree/Tree.ts"
import { Flow } from "./Flow.ts"
import { Inline, type Position } from "./Inline.ts"
import { languageOf } from "./Language.ts"
import { beginsLines, holdsLines, holdsNoCode, isPreformatted, Pre } from "./Pre.ts"

export class Markdown {
  private readonly inline = new Inline()
  private readonly flow: Flow
  private readonly phrasing = new Phrasing(this.inline)
  private pre: Pre | undefined
  /** A block that may hold code line by line: it has no text yet. */
  private mayBeLines: Element | undefined
  /** The open element whose text is not code, such as a column of line numbers. */
  private noCode: Element | undefined

  constructor(budget: Budget) {
    this.flow = new Flow(this.inline, budget)
  }

  /** The following text is in this block of the page. */
  place(block: number): void {
    this.flow.place(block)
  }

  text(value: string): void {
    if (this.mayBeLines !== undefined && value.trim() !== "") this.mayBeLines = undefined
    if (this.pre === undefined) this.phrasing.text(value)
    else this.pre.text(value)
  }

  /** Ends the paragraph. */
  separate(): void {
    if (this.pre !== undefined) return
    this.phrasing.endCode()
    this.flow.paragraph()
  }

  /** Writes the TeX of a formula between dollar signs. */
  math(source: string): void {
    if (this.pre === undefined) this.inline.put(`$${source}$`)
  }

  /** `address`: the absolute address of a link or an image; undefined: it has none, or one that is not useful. */
  open(element: Element, attributes: Attributes, address: string | undefined): void {
    if (this.pre !== undefined) return this.pre.open(element, attributes)
    if (element.as !== element.name && !this.flow.takes(element)) element.as = element.name
    if (!isBlock(element)) return this.openPhrase(element, attributes, address)
    this.phrasing.endCode()
    if (this.mayBeLines !== undefined && beginsLines(this.mayBeLines, element, attributes)) {
      this.pre = new Pre(this.mayBeLines, this.flow.language, true)
      this.mayBeLines = undefined
      return this.pre.open(element, attributes)
    }
    if (!this.flow.open(element, attributes)) return
    if (holdsNoCode(element, attributes)) this.noCode ??= element
    if (codeBlocks.has(element.name) || isPreformatted(element, attributes))
      this.pre = new Pre(element, languageOf(attributes) ?? this.flow.language)
    else if (holdsLines(attributes)) this.mayBeLines = element
    else if (!between.has(element.name)) this.mayBeLines = undefined
  }

  close(element: Element): void {
    if (this.mayBeLines === element) this.mayBeLines = undefined
    if (this.noCode === element) this.noCode = undefined
    if (this.pre !== undefined) {
      if (this.pre.element !== element) return this.pre.close(element)
      if (this.noCode === undefined) this.writeCode(this.pre)
      this.pre = undefined
    } else if (isBlock(element)) {
      this.phrasing.endCode()
      this.flow.close(element)
    } else this.phrasing.close(element)
  }

  finish(keeps: Keeps): string {
    this.phrasing.endCode()
    return this.flow.finish(keeps)
  }

  private writeCode(pre: Pre): void {
    const code = pre.finish()
    if (pre.isPhrase && !pre.content.trim().includes("\n")) return this.inline.code(pre.content)
    if (pre.isPhrase) this.flow.paragraph()
    this.flow.code(code)
    if (pre.isOfLines) this.flow.close(pre.element)
  }

  private openPhrase(element: Element, attributes: Attributes, address: string | undefined): void {
    switch (element.name) {
      case "br":
        if (this.flow.inHeading) this.inline.space()
        else if (!this.phrasing.break()) this.flow.paragraph()
        return
      case "input":
        if (attributes.get("type")?.toLowerCase() === "checkbox") this.flow.task(attributes.has("checked"))
        return
      case "code":
        if (isPreformatted(element, attributes)) {
          this.pre = new Pre(element, languageOf(attributes) ?? this.flow.language)
          return
        }
        this.flow.noteLanguage(element, attributes)
    }
    this.phrasing.open(element, attributes, address, this.flow.inHeading)
  }
}

const isBlock = ({ as, kind: { flags, name } }: Element): boolean => (flags & BLOCK) !== 0 || as !== name

const codeBlocks = new Set(["pre", "listing", "xmp"])
/** What may stand between a block of code and its lines. */
const between = new Set(["div", "table", "thead", "tbody", "tr", "td"])

/** An `<rt>`: the pronunciation above a word, as in `<ruby>漢字<rt>かんじ</rt></ruby>`. It is written in brackets. */
interface Reading {
  readonly element: Element
  hasText: boolean
}

interface OpenLink {
  readonly element: Element
  readonly before: Position
  readonly permalink: boolean
  /** Whether it leads to a place on the page. */
  readonly inPage: boolean
  /** The start of its text. */
  text: string
}

/** Writes the elements inside a line as Markdown: links, images, code, bold, italic. */
class Phrasing {
  private readonly inline: Inline
  private link: OpenLink | undefined
  private reading: Reading | undefined
  /** Whether the open `<ruby>` has its own brackets, in `<rp>`. */
  private hasBrackets = false
  private code: { readonly element: Element; text: string } | undefined

  constructor(inline: Inline) {
    this.inline = inline
  }

  text(value: string): void {
    if (this.reading?.hasText === false && value.trim() !== "") {
      this.reading.hasText = true
      this.text("(")
    }
    if (this.link !== undefined && this.link.text.length <= maxSymbol) this.link.text += value
    if (this.code === undefined) this.inline.text(value)
    else this.code.text += value
  }

  open(element: Element, attributes: Attributes, address: string | undefined, inHeading: boolean): void {
    // Markdown allows no marks inside code.
    if (this.code !== undefined) return
    const name = element.name
    if (name === "a") this.openLink(element, attributes, address, inHeading)
    else if (name === "img") this.image(attributes, address)
    else if (name === "q") this.text("“")
    else if (name === "ruby" || name === "rp") this.hasBrackets = name === "rp"
    else if (name === "rt" && !this.hasBrackets) this.reading = { element, hasText: false }
    else if (codes.has(name)) this.code = { element, text: "" }
    else {
      const mark = marks.get(name)
      // A heading is bold already.
      if (mark !== undefined) this.inline.open(element, mark === "**" && inHeading ? "" : mark, endOf(mark, inHeading))
    }
  }

  close(element: Element): void {
    const name = element.name
    if (this.code !== undefined) {
      if (this.code.element === element) this.endCode()
    } else if (name === "a") this.closeLink(element)
    else if (name === "q") this.text("”")
    else if (this.reading?.element === element) this.endReading(this.reading)
    else if (marks.has(name)) this.inline.close(element)
  }

  /** Writes the open code: its element ends, or a block begins inside it. */
  endCode(): void {
    const code = this.code
    if (code === undefined) return
    this.code = undefined
    this.inline.code(code.text)
  }

  /** Returns false if this is the second line break in a row, which ends the paragraph. */
  break(): boolean {
    if (this.code === undefined) return this.inline.break()
    this.code.text += " "
    return true
  }

  private openLink(element: Element, attributes: Attributes, address: string | undefined, inHeading: boolean): void {
    if (address === undefined) return
    const inPage = attributes.get("href")?.startsWith("#") === true
    const permalink = (inPage && inHeading) || permalinkClass.test(attributes.get("class") ?? "")
    this.link = { element, before: this.inline.position, permalink, inPage, text: "" }
    // A link from a heading to a place on the page is not written.
    if (!inPage || !inHeading) this.inline.open(element, "[", `](${escapeUrl(address)})`, true)
  }

  private closeLink(element: Element): void {
    this.inline.close(element)
    const link = this.link
    if (link?.element !== element) return
    this.link = undefined
    if (link.text.length > maxSymbol) return
    if ((link.permalink && !wordy.test(link.text)) || (link.inPage && arrows.test(link.text)))
      this.inline.restore(link.before)
  }

  private endReading({ hasText }: Reading): void {
    this.reading = undefined
    if (hasText) this.text(")")
  }

  private image(attributes: Attributes, address: string | undefined): void {
    if (address === undefined) return
    if (speck.test(attributes.get("width") ?? "") || speck.test(attributes.get("height") ?? "")) return
    const alt = attributes.get("alt") ?? ""
    if (this.link !== undefined) this.link.text += alt.slice(0, maxSymbol)
    this.inline.put(`![${escapeLabel(alt)}](${escapeUrl(address)})`)
  }
}

const codes = new Set(["code", "kbd", "samp", "tt"])

const marks = new Map([
  ...["b", "strong"].map((name) => [name, "**"] as const),
  ...["em", "i", "dfn", "cite"].map((name) => [name, "*"] as const),
  ...["del", "s", "strike"].map((name) => [name, "~~"] as const),
  ["sub", "<sub>"],
  ["sup", "<sup>"]
])

const endOf = (mark: string, inHeading: boolean): string =>
  mark === "**" && inHeading ? "" : mark.startsWith("<") ? mark.replace("<", "</") : mark

/** The maximum length of a link text that is only a symbol, such as "#" or "¶". */
const maxSymbol = 16

const permalinkClass =
  /(?:^|[\s_-])(?:header-?link|heading-?link|anchor|anchorjs-link|permalink|hash-link|deep-?link)(?:$|[\s_-])/i
const wordy = /[\p{L}\p{N}]/u
/** The text of a link that leads from a footnote back to its mark. */
const arrows = /^\s*[\u2190-\u21ff\u23ce\u2934\u2935\u2b00-\u2bff^][\ufe0e\ufe0f]?\s*$/

/** The width or height of a tracking pixel. */
const speck = /^\s*[01](?:px)?\s*$/
