/**
 * Reads a code block: keeps its text, and ignores the elements inside it except line breaks, what is no code (line numbers) and a
 * named language.
 *
 * Code without `<pre>` is known by its style, or by its form: a block and lines in it, as generators and editors write them.
 */
import type { Attributes } from "../Attributes.ts"
import { BLOCK } from "../Elements.ts"
import type { Element } from "../tree/Tree.ts"
import { fenceOf } from "./Inline.ts"
import { languageOf } from "./Language.ts"

export class Pre {
  readonly element: Element
  /** Whether each line is an element, and what stands outside of them is no code. */
  readonly isOfLines: boolean
  content = ""
  private language: string
  private atLineStart = true
  /** Whether a block inside the code has ended, and no text has followed it. */
  private blockEnded = false
  /** The open line, where it begins in the content, and whether it is one without text: a row without a number is not. */
  private line: { readonly element: Element; readonly from: number; isShown: boolean } | undefined
  /** The open element that is no code. */
  private furniture: Element | undefined

  /** `language`: the programming language that the element or one around it names. */
  constructor(element: Element, language = "", isOfLines = false) {
    this.element = element
    this.language = language
    this.isOfLines = isOfLines
  }

  /** Whether it stands in a line of text if it has one line only. */
  get isPhrase(): boolean {
    return (this.element.kind.flags & BLOCK) === 0
  }

  text(value: string): void {
    if (this.furniture !== undefined || (this.isOfLines && this.line === undefined)) return
    this.write(value)
  }

  /** Highlighters wrap each line in an element, or end it with `<br>`. */
  open(element: Element, attributes: Attributes): void {
    if (this.furniture !== undefined) return
    if (isFurniture(element, attributes)) {
      this.furniture = element
      if (this.line !== undefined) this.line.isShown = true
    } else if (this.isOfLines && this.line === undefined) {
      if (isLine(this.element, element, attributes))
        this.line = { element, from: this.content.length, isShown: element.name !== "tr" }
    } else if (element.name === "br" || ((element.kind.flags & BLOCK) !== 0 && !this.atLineStart)) this.write("\n")
    else if (this.isOfLines) this.writeReplaced(element, attributes)
    if (element.name === "code") this.language = languageOf(attributes) ?? this.language
  }

  close(element: Element): void {
    if (this.furniture === element) this.furniture = undefined
    else if ((element.kind.flags & BLOCK) !== 0) this.blockEnded = true
    if (this.line?.element !== element) return
    if (this.content.length === this.line.from ? this.line.isShown : !this.atLineStart) this.write("\n")
    this.line = undefined
  }

  finish(): Code {
    const code = withoutBlankEdges(this.content.replaceAll("\u00a0", " ").replace(/\r\n?/g, "\n"))
    if (code === "") return { text: "", inCell: "" }
    return { text: fenced(this.language, code), inCell: code.split("\n").map(inLine).join("<br>") }
  }

  private write(value: string): void {
    if (value === "") return
    if (this.blockEnded && !this.atLineStart && !value.startsWith("\n")) this.content += "\n"
    this.blockEnded = false
    this.content += value
    this.atLineStart = value.endsWith("\n")
  }

  /** An editor shows a tab as blanks, and says which text they stand for. */
  private writeReplaced(element: Element, attributes: Attributes): void {
    const text = attributes.length === 0 ? undefined : attributes.get("cm-text")
    if (text === undefined) return
    this.write(text)
    this.furniture = element
  }
}

/** Whether the style of an element says that its text is code: as it is written, in letters of one width. */
export const isPreformatted = ({ name }: Element, attributes: Attributes): boolean => {
  const style = attributes.length === 0 ? undefined : attributes.get("style")
  if (style === undefined || !preformatted.test(style)) return false
  return name === "code" || ((name === "div" || name === "p") && monospace.test(style))
}

const preformatted = /white-space\s*:\s*(?:pre|break-spaces)\s*(?:[;!]|$)/i
const monospace = /font(?:-family)?\s*:[^;]*(?:mono|courier|consolas|menlo)/i

/**
 * Whether an element may hold code line by line: a fragment of Doxygen, a block of Scribble, a file as GitHub shows it, the code of
 * CodeMirror and of SyntaxHighlighter.
 */
export const holdsLines = (attributes: Attributes): boolean => {
  const classes = attributes.length === 0 ? undefined : attributes.get("class")
  return classes !== undefined && lineHolder.test(classes)
}

const lineHolder =
  /(?:^|\s)(?:fragment|RktBlk|js-file-line-container|CodeMirror-code|cm-content|syntaxhighlighter)(?:\s|$)/

/** Whether the lines of the code in this block begin with an element: a line, or the number before it. */
export const beginsLines = (block: Element, element: Element, attributes: Attributes): boolean =>
  isLine(block, element, attributes) || isFurniture(element, attributes)

const isLine = (block: Element, { name }: Element, attributes: Attributes): boolean =>
  block.name === "table" ? name === "tr" : line.test(attributes.get("class") ?? "")

const line = /(?:^|\s)(?:line|cm-line|CodeMirror-line)(?:\s|$)/

/** Whether the text of this element is not code: a column of line numbers, or what an editor measures its letters with. */
export const holdsNoCode = (element: Element, attributes: Attributes): boolean =>
  attributes.length > 0 &&
  (element.name === "td"
    ? isFurniture(element, attributes)
    : element.name === "div" && attributes.get("class") === "CodeMirror-measure")

/**
 * Whether an element in code is not code: a line number, a column of them, a link to the manual. On `<code>`, "line-numbers" says that
 * its lines are numbered (Prism).
 */
const isFurniture = ({ name }: Element, attributes: Attributes): boolean =>
  attributes.length > 0 && name !== "code" && furniture.test(attributes.get("class") ?? "")

const furniture =
  /(?:^|\s)(?:lnt?|linenos?|line-?numbers?|listing_lines|gutter|blob-num|CodeMirror-linenumber|viewcode-(?:back|link))(?:\s|$)/

/** A code block as Markdown: fenced, or line by line as a cell of a table holds it; empty: there is no code. */
export interface Code {
  readonly text: string
  readonly inCell: string
}

/** Code inside a line, with the white space at its start. */
const inLine = (code: string): string => {
  if (code.trim() === "") return ""
  const fence = fenceOf(code)
  const pad = code.startsWith("`") || code.endsWith("`") || (code.startsWith(" ") && code.endsWith(" ")) ? " " : ""
  return fence + pad + code + pad + fence
}

/** Puts the text between fences that are longer than any run of backticks in it. */
export const fenced = (language: string, text: string): string => {
  let longest = 2
  if (text.includes("```")) for (const run of text.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length)
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** Code without the blank lines around it, but with the indentation of its first line. */
const withoutBlankEdges = (text: string): string => {
  const first = text.search(/\S/)
  return first === -1 ? "" : text.slice(text.lastIndexOf("\n", first) + 1).trimEnd()
}
