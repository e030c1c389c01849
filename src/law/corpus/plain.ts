/**
 * The text of a section without markup: one paragraph a line, its number before it; beside it the notes, in lines of their own.
 *
 * Each word of the tree comes once, in the text or in the notes, except what a format leaves out by name.
 */
import { type Element, isElement } from "./Xml.ts"

/** What a format's elements are. One that is named nowhere is a block: it begins a line and ends it. */
export interface Rules {
  readonly inline: ReadonlySet<string>
  /** Numbers: they begin a line, and what follows goes on in it. */
  readonly numbers: ReadonlySet<string>
  /** Headings in the text. One after a number continues its line; after "Notice.—" the text continues the line; others stand alone. */
  readonly headings: ReadonlySet<string>
  readonly rows: ReadonlySet<string>
  readonly cells: ReadonlySet<string>
  /** The number of an element that has it as an attribute. */
  readonly lead?: (element: Element) => string | undefined
  readonly dropped: (element: Element) => boolean
  readonly notes: (element: Element) => boolean
}

interface Plain {
  readonly text: string
  readonly notes: string
}

export const plain = (nodes: ReadonlyArray<Element | string>, rules: Rules): Plain => {
  const beside: Array<Element> = []
  const text = new Lines(rules, (element) => rules.notes(element) && beside.push(element) > 0, true)
  text.all(nodes)
  const notes = new Lines(rules, never, false)
  notes.all(beside)
  return { text: text.end(), notes: notes.end() }
}

const never = (): boolean => false

class Lines {
  private readonly finished: Array<string> = []
  private line = ""
  private blank = false
  private after: "nothing" | "number" | "heading" = "nothing"
  private inLabel = 0
  private readonly rules: Rules
  private readonly goesBeside: (element: Element) => boolean
  /** Whether text continues the line of a heading such as "Notice.—". */
  private readonly runIn: boolean

  constructor(rules: Rules, goesBeside: (element: Element) => boolean, runIn: boolean) {
    this.rules = rules
    this.goesBeside = goesBeside
    this.runIn = runIn
  }

  all(nodes: ReadonlyArray<Element | string>): void {
    for (const node of nodes) {
      if (isElement(node)) this.element(node)
      else this.add(node)
    }
  }

  end(): string {
    this.break()
    return this.finished.join("\n")
  }

  private element(element: Element): void {
    const { rules } = this
    const { name } = element
    if (rules.dropped(element) || this.goesBeside(element)) return
    if (rules.inline.has(name)) this.all(element.children)
    else if (this.inLabel > 0) {
      this.blank = true
      this.all(element.children)
      this.blank = true
    } else if (name === "br") this.break()
    else if (rules.numbers.has(name)) this.label(element, "number")
    else if (rules.headings.has(name)) this.label(element, "heading")
    else if (rules.cells.has(name)) this.cell(element)
    else {
      if (this.after === "nothing" || rules.rows.has(name)) this.break()
      const lead = rules.lead?.(element)
      if (lead !== undefined) this.label({ ...element, children: [lead] }, "number")
      this.all(element.children)
      if (this.after === "nothing" || rules.rows.has(name)) this.break()
    }
  }

  private label(element: Element, kind: "number" | "heading"): void {
    if (kind === "number" ? this.after !== "number" : this.after === "nothing") this.break()
    this.inLabel++
    this.all(element.children)
    this.inLabel--
    this.blank = true
    this.after = kind
    if (kind === "heading" && (!this.runIn || !runsIn.test(this.line))) this.break()
  }

  private cell(element: Element): void {
    if (this.line !== "") this.line += this.blank && this.line.endsWith("|") ? " |" : " |"
    this.blank = true
    this.inLabel++
    this.all(element.children)
    this.inLabel--
    this.blank = true
  }

  private add(raw: string): void {
    const text = raw.replaceAll(invisible, "").replaceAll(blanks, " ")
    if (text === "") return
    if (text === " ") {
      this.blank = true
      return
    }
    const begins = text.startsWith(" ")
    const ends = text.endsWith(" ")
    if (this.line !== "" && (this.blank || begins) && !this.line.endsWith("—")) this.line += " "
    this.line += text.slice(begins ? 1 : 0, ends ? -1 : undefined)
    this.blank = ends
    if (this.inLabel === 0) this.after = "nothing"
  }

  private break(): void {
    if (this.line.trim() !== "") this.finished.push(this.line.trim())
    this.line = ""
    this.blank = false
    this.after = "nothing"
  }
}

const runsIn = /[.:;,—–-][”"')\]]?\s*$/
const invisible = /[\u00ad\u200b\ufeff]/g
const blanks = /[\s\u00a0\u2000-\u200a\u202f\u3000]+/g
