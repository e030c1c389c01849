/** Writes block elements as Markdown: paragraphs, headings, lists, quotes, tables. */
import type { Attributes } from "../Attributes.ts"
import type { Keeps } from "../content/MainContent.ts"
import { HEADING } from "../Elements.ts"
import { escapeLines } from "../Escape.ts"
import type { Budget } from "../tree/Budget.ts"
import type { Element } from "../tree/Tree.ts"
import { BLANK, Blocks, LINE, SOFT, type Span } from "./Blocks.ts"
import type { Inline } from "./Inline.ts"
import { languageOf } from "./Language.ts"
import { List } from "./List.ts"
import type { Code } from "./Pre.ts"
import { Table } from "./Table.ts"

/** The distance between a block element and its neighbours. */
const gapOf = (name: string, inList: boolean): number =>
  name === "li" || (inList && lists.has(name)) ? LINE : soft.has(name) ? SOFT : BLANK

const lists = new Set(["ul", "ol", "menu", "dir"])
const soft = new Set([
  "div",
  "section",
  "article",
  "main",
  "header",
  "footer",
  "aside",
  "nav",
  "form",
  "td",
  "th",
  "tr",
  "body",
  "html"
])

interface OpenTable {
  readonly element: Element
  readonly table: Table
  readonly blocks: Blocks
  readonly lists: Array<List>
}

export class Flow {
  /** The first and the last block of the page that the current line is written from; -1: the line has none yet. */
  private from = -1
  private to = 0
  private readonly inline: Inline
  private readonly budget: Budget
  private blocks: Blocks
  private lists: Array<List> = []
  private readonly tables: Array<OpenTable> = []
  private heading: Element | undefined
  private named: { readonly element: Element; readonly language: string } | undefined

  constructor(inline: Inline, budget: Budget) {
    this.inline = inline
    this.budget = budget
    this.blocks = new Blocks(budget)
  }

  /** The following text is in this block of the page. */
  place(block: number): void {
    if (this.from === -1) this.from = block
    this.to = block
  }

  get inHeading(): boolean {
    return this.heading !== undefined
  }

  /** The programming language that an open element names for the code in it. */
  get language(): string | undefined {
    return this.named?.language
  }

  /** Whether an element is, by its role, a table or a part of the open one, which is one by its role too. */
  takes({ as }: Element): boolean {
    const open = this.tables[this.tables.length - 1]?.element
    return as === "table" || (open !== undefined && open.as !== open.name)
  }

  /** Returns false if the element is only a part of the open heading. */
  open(element: Element, attributes: Attributes): boolean {
    const name = element.as
    if (this.heading !== undefined && !this.endsHeading(name)) {
      this.inline.space()
      return false
    }
    this.flush()
    this.blocks.request(gapOf(name, this.lists.length > 0))
    if ((element.kind.flags & HEADING) !== 0) this.heading = element
    switch (name) {
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        this.openList(element, attributes)
        break
      case "li":
        this.openItem(attributes)
        break
      case "blockquote":
        this.blocks.enter("> ", "> ")
        break
      case "hr":
        this.blocks.write("---", this.span(), true)
        break
      case "dt":
      case "summary":
        this.inline.open(element, "**", "**")
        break
      case "table":
        this.openTable(element, attributes)
        break
      case "thead":
        this.table?.enter("head")
        break
      case "tfoot":
        this.table?.enter("foot")
        break
      case "tr":
        this.table?.row()
        break
      case "td":
      case "th":
        this.openCell(name, attributes)
        break
      case "div":
      case "figure":
        this.noteLanguage(element, attributes)
    }
    return true
  }

  close(element: Element): void {
    const name = element.as
    if (this.named?.element === element) this.named = undefined
    if (this.heading !== undefined && this.heading !== element) return this.inline.space()
    this.flush()
    this.heading = undefined
    switch (name) {
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        this.closeList()
        break
      case "li":
        this.closeItem()
        return
      case "blockquote":
        this.blocks.leave()
        break
      case "dt":
      case "summary":
        this.inline.close(element)
        break
      case "table":
        this.closeTable(element)
        break
      case "thead":
      case "tfoot":
        this.table?.enter("body")
        break
      case "td":
      case "th":
        this.blocks = this.table?.around ?? this.blocks
        return
    }
    this.blocks.request(gapOf(name, this.lists.length > 0))
  }

  /** Ends a paragraph that is not an element, as after two line breaks. */
  paragraph(): void {
    this.flush()
    this.blocks.request(BLANK)
  }

  code({ inCell, text }: Code): void {
    const span = this.span()
    if (text !== "") this.blocks.write(text, span, false, inCell)
    this.blocks.request(BLANK)
  }

  /** A checkbox at the start of a list item. */
  task(isChecked: boolean): void {
    if (this.lists.length > 0 && this.inline.line === "") this.blocks.mark(isChecked ? "[x] " : "[ ] ")
  }

  noteLanguage(element: Element, attributes: Attributes): void {
    const language = attributes.length === 0 ? undefined : languageOf(attributes)
    if (language !== undefined) this.named = { element, language }
  }

  finish(keeps: Keeps): string {
    this.flush()
    return this.blocks.join(keeps)
  }

  /** Ends the current line and writes it as the open heading, or as a paragraph. */
  private flush(): void {
    const line = this.inline.take()
    const span = this.span()
    if (line === "") return
    if (this.heading === undefined) this.blocks.write(escapeLines(line), span)
    else {
      const level = this.heading.name.charCodeAt(1) - 48
      const text = line.replace(/\s*\n/g, " ").replace(/(^|\s)(#+)$/, "$1\\$2")
      this.heading = undefined
      this.blocks.write(`${"#".repeat(level)} ${text}`, span, true)
      this.blocks.request(BLANK)
    }
  }

  /** The blocks of the page that the line was written from. The next line has none yet. */
  private span(): Span {
    const span = { from: this.from === -1 ? this.to : this.from, to: this.to }
    this.from = -1
    return span
  }

  /** Whether a start tag ends the open heading. A heading without an end tag ends at the first element that it cannot hold. */
  private endsHeading(name: string): boolean {
    return this.inline.line === "" ? !inHeadings.has(name) && !mayHoldHeading.has(name) : !inHeadings.has(name)
  }

  private openList({ as, items }: Element, attributes: Attributes): void {
    const around = this.lists[this.lists.length - 1]
    const isLoose = around?.end === this.blocks.count
    if (isLoose) this.blocks.enter(around.indent, around.indent)
    this.lists.push(new List(as === "ol", attributes, items, isLoose))
  }

  private closeList(): void {
    const list = this.lists.pop()
    const around = this.lists[this.lists.length - 1]
    if (list?.isLoose === true) this.blocks.leave()
    if (around === undefined) return
    this.blocks.endList()
    if (list?.isLoose === true) around.end = this.blocks.count
  }

  private openItem(attributes: Attributes): void {
    const list = this.lists[this.lists.length - 1]
    this.blocks.enter(list?.item(attributes) ?? "- ", list?.indent ?? "  ")
  }

  private closeItem(): void {
    this.blocks.endItem()
    const list = this.lists[this.lists.length - 1]
    if (list !== undefined) list.end = this.blocks.count
  }

  private get table(): Table | undefined {
    return this.tables[this.tables.length - 1]?.table
  }

  private openTable(element: Element, attributes: Attributes): void {
    if (this.tables.length >= maxTables) return
    const role = attributes.get("role")
    const table = new Table(role === "presentation" || role === "none", this.budget)
    this.tables.push({ element, table, blocks: this.blocks, lists: this.lists })
    this.blocks = table.around
    this.lists = []
  }

  private openCell(name: string, attributes: Attributes): void {
    if (this.table === undefined) return
    const align = attributes.get("align")?.toLowerCase() ?? alignment.exec(attributes.get("style") ?? "")?.[1]
    this.blocks = this.table.cell(name === "th", attributes.get("colspan"), attributes.get("rowspan"), align)
  }

  private closeTable(element: Element): void {
    const open = this.tables[this.tables.length - 1]
    if (open?.element !== element) return
    this.tables.pop()
    this.blocks = open.blocks
    this.lists = open.lists
    open.table.into(this.blocks)
  }
}

/** Tables that are nested deeper are read as text. */
const maxTables = 12

const alignment = /text-align\s*:\s*(left|center|right)/i

const inHeadings = new Set(["div", "p"])
const mayHoldHeading = new Set(["section", "header", "center", "figure", "form", "fieldset", "body"])
