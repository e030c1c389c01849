/**
 * Reads a code block: keeps its text, and ignores the elements inside it except line breaks and a named language.
 */
import type { Attributes } from "../Attributes.ts"
import { BLOCK } from "../Elements.ts"
import type { Element } from "../tree/Tree.ts"
import { fenceOf } from "./Inline.ts"
import { languageOf } from "./Language.ts"

export class Pre {
  readonly element: Element
  private language: string
  private content = ""
  private atLineStart = true

  /** `outer`: the programming language that an element around it names. */
  constructor(element: Element, attributes: Attributes, outer: string | undefined) {
    this.element = element
    this.language = languageOf(attributes) ?? outer ?? ""
  }

  text(value: string): void {
    this.content += value
    this.atLineStart = value.endsWith("\n")
  }

  /** Highlighters wrap each line in an element, or end it with `<br>`. */
  open(element: Element, attributes: Attributes): void {
    if (element.name === "br" || ((element.kind.flags & BLOCK) !== 0 && !this.atLineStart)) this.text("\n")
    if (element.name === "code") this.language = languageOf(attributes) ?? this.language
  }

  finish(): Code {
    const code = withoutBlankEdges(this.content.replaceAll("\u00a0", " ").replace(/\r\n?/g, "\n"))
    if (code === "") return { text: "", inCell: "" }
    return { text: fenced(this.language, code), inCell: code.split("\n").map(inLine).join("<br>") }
  }
}

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
