/**
 * The line of Markdown that is being written, with its marks (bold, italic, links).
 *
 * White space and marks are written only when text follows. So empty marks are not written, spaces are outside of marks,
 * and no line begins or ends with white space. If a block ends inside a mark, the mark is closed there and opened again in
 * the next block.
 */
import { escapeText } from "../Escape.ts"

interface Mark {
  /** The element that opened it, compared by identity. */
  readonly owner: object
  open: string
  close: string
  written: boolean
  readonly link: boolean
}

/** A state of the line that can be restored. */
export interface Position {
  readonly line: string
  readonly last: number
  readonly gap: number
}

const NONE = 0
const SPACE = 1
const BREAK = 2

const NEWLINE = 10
const EXCLAMATION = 33

export class Inline {
  line = ""
  private last = 0
  private gap = NONE
  private marks: Array<Mark> = []
  private written = 0
  private links = 0
  /** Whether the open link has text. */
  private linkHasText = false
  /** The line before the last closing mark, that mark, and the length after it: two equal adjacent marks become one. */
  private beforeClose = ""
  private closedAs = ""
  private closedAt = -1
  /** The start, the end and the text of the last inline code. */
  private codeAt = 0
  private codeEndsAt = -1
  private codeText = ""

  text(value: string): void {
    let words = messy.test(value) ? value.replace(spaces, " ") : value
    if (words.charCodeAt(0) === 32) {
      if (this.gap === NONE) this.gap = SPACE
      words = words.slice(1)
    }
    const ends = words.charCodeAt(words.length - 1) === 32
    if (ends) words = words.slice(0, -1)
    if (words !== "") {
      this.linkHasText = true
      const before = this.gap === NONE ? this.last : this.line === "" ? 0 : 32
      this.put(escapeText(words, before, this.links > 0))
    }
    if (ends) this.gap = SPACE
  }

  /** Writes Markdown without escaping it. */
  put(markdown: string): void {
    if (this.gap !== NONE) {
      if (this.line !== "") {
        this.line += this.gap === SPACE ? " " : "  \n"
        this.last = this.gap === SPACE ? 32 : NEWLINE
      }
      this.gap = NONE
    }
    if (this.written < this.marks.length) this.openMarks()
    this.line += markdown
    this.last = markdown.charCodeAt(markdown.length - 1)
  }

  code(text: string): void {
    const content = text.replace(spaces, " ").trim()
    if (content === "") {
      if (text !== "") this.space()
      return
    }
    this.linkHasText = true
    if (startsBlank.test(text)) this.space()
    // Adjacent code elements become one.
    const touches = this.gap === NONE && this.codeEndsAt === this.line.length && this.written === this.marks.length
    const whole = touches ? this.codeText + content : content
    if (touches) this.line = this.line.slice(0, this.codeAt)
    const fence = fenceOf(whole)
    const pad = whole.startsWith("`") || whole.endsWith("`") ? " " : ""
    this.put(fence + pad + whole + pad + fence)
    this.codeText = whole
    this.codeEndsAt = this.line.length
    this.codeAt = this.codeEndsAt - whole.length - 2 * (fence.length + pad.length)
    if (endsBlank.test(text)) this.space()
  }

  space(): void {
    if (this.gap === NONE) this.gap = SPACE
  }

  /** Returns false if this is the second line break in a row, which ends the paragraph. */
  break(): boolean {
    if (this.line === "") return true
    if (this.gap === BREAK) return false
    this.gap = BREAK
    return true
  }

  open(owner: object, open: string, close: string, link = false): void {
    // A mark inside an equal mark is not written: bold in bold is bold.
    const again = open !== "" && this.marks.some((mark) => mark.open === open)
    this.marks.push({ owner, open: again ? "" : open, close: again ? "" : close, written: false, link })
    if (!link) return
    this.links++
    this.linkHasText = false
  }

  close(owner: object): void {
    let at = this.marks.length - 1
    while (at >= 0 && this.marks[at]?.owner !== owner) at--
    const mark = this.marks[at]
    if (mark === undefined) return
    if (mark.written) this.closeMarks(at)
    this.marks.splice(at, 1)
    if (mark.link) this.links--
    this.written = Math.min(this.written, at)
  }

  /** Ends the line and returns it. Open marks continue on the next line, except a link that has text. */
  take(): string {
    if (this.written > 0) this.closeMarks(0)
    if (this.links > 0 && this.linkHasText && this.line !== "") {
      for (const mark of this.marks) if (mark.link) mark.open = mark.close = ""
    }
    const line = this.line
    this.line = ""
    this.last = 0
    this.gap = NONE
    this.closedAt = this.codeEndsAt = -1
    return line
  }

  get position(): Position {
    return { line: this.line, last: this.last, gap: this.gap }
  }

  /** Removes what was written since then. Marks that were opened since then must be closed already. */
  restore(position: Position): void {
    this.line = position.line
    this.last = position.last
    this.gap = position.gap
    this.closedAt = this.codeEndsAt = -1
  }

  private openMarks(): void {
    for (let i = 0; i < this.marks.length; i++) {
      const mark = this.marks[i]
      if (mark === undefined || mark.written) continue
      mark.written = true
      if (mark.open === "") continue
      if (this.closedAt === this.line.length && this.closedAs === mark.open && !mark.link) {
        this.line = this.beforeClose
        this.closedAt = -1
        continue
      }
      if (mark.link && this.last === EXCLAMATION) this.line = `${this.line.slice(0, -1)}\\!`
      this.line += mark.open
      this.last = mark.open.charCodeAt(mark.open.length - 1)
    }
    this.written = this.marks.length
  }

  /** Closes the marks from the innermost to the one at `from`. */
  private closeMarks(from: number): void {
    for (let i = this.marks.length - 1; i >= from; i--) {
      const mark = this.marks[i]
      if (mark === undefined || !mark.written) continue
      mark.written = false
      if (mark.close === "") continue
      this.beforeClose = this.line
      this.line += mark.close
      this.closedAs = mark.open
      this.closedAt = this.line.length
      this.last = mark.close.charCodeAt(mark.close.length - 1)
    }
    this.written = Math.min(this.written, from)
  }
}

const messy = /[\t\n\f\r\u00a0]| {2}/
/** Runs of white space other than a single space: most runs are one, and need no replacement. */
const spaces = /[\t\n\f\r\u00a0][\t\n\f\r\u00a0 ]*| [\t\n\f\r\u00a0 ]+/g
const startsBlank = /^[\t\n\f\r\u00a0 ]/
const endsBlank = /[\t\n\f\r\u00a0 ]$/

/** The shortest run of backticks that the text does not contain. */
export const fenceOf = (text: string): string => {
  if (!text.includes("`")) return "`"
  const runs = new Set((text.match(/`+/g) ?? []).map((run) => run.length))
  let length = 1
  while (runs.has(length)) length++
  return "`".repeat(length)
}
