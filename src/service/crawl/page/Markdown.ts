/**
 * Markdown from elements as they open and close.
 *
 * This file says what each element means; how lines, blocks and tables are written is in Inline, Blocks and Table.
 * The text is CommonMark with the tables, task lists and strikethrough of GitHub.
 */
import type { Attributes } from "./Attributes.ts"
import { BLANK, Blocks, LINE, SOFT } from "./Blocks.ts"
import { BLOCK } from "./Elements.ts"
import { escapeLabel, escapeLines, escapeUrl } from "./Escape.ts"
import { Inline, type Position } from "./Inline.ts"
import { languageOf } from "./Language.ts"
import { Table } from "./Table.ts"
import type { Element } from "./Tree.ts"

interface List {
  readonly ordered: boolean
  next: number
}

interface OpenTable {
  readonly element: Element
  readonly table: Table
  readonly blocks: Blocks
  readonly lists: Array<List>
}

interface OpenLink {
  readonly element: Element
  readonly before: Position
  readonly permalink: boolean
  /** The beginning of what it says. */
  text: string
}

export class Markdown {
  /** The region of the page that is being read; the reader of the page sets it. */
  region = 0
  private blocks = new Blocks()
  private readonly inline = new Inline()
  private lists: Array<List> = []
  private readonly tables: Array<OpenTable> = []
  private heading: { readonly element: Element; readonly level: number } | undefined
  private link: OpenLink | undefined
  private pre: { readonly element: Element; language: string; text: string; atLineStart: boolean } | undefined
  private code: { readonly element: Element; text: string } | undefined
  private language: { readonly element: Element; readonly name: string } | undefined

  text(value: string): void {
    if (this.link !== undefined && this.link.text.length <= maxSymbol) this.link.text += value
    if (this.pre !== undefined) {
      this.pre.text += value
      this.pre.atLineStart = value.endsWith("\n")
    } else if (this.code !== undefined) this.code.text += value
    else this.inline.text(value)
  }

  /** Math is written as its source, between dollars. */
  math(source: string): void {
    if (source !== "" && this.pre === undefined) this.inline.put(`$${source}$`)
  }

  /** `address` is where a link leads or an image is, made absolute; undefined where it has no use. */
  open(element: Element, attributes: Attributes, address: string | undefined): void {
    if (this.pre !== undefined) return this.openInPre(element, attributes)
    const name = element.name
    if ((element.kind.flags & BLOCK) !== 0) {
      if (this.code !== undefined) this.closeCode()
      if (this.heading !== undefined && !this.endsHeading(element)) return this.inline.space()
      this.flush()
      this.openBlock(element, name, attributes)
      return
    }
    switch (name) {
      case "a":
        return this.openLink(element, attributes, address)
      case "img":
        return this.image(attributes, address)
      case "br":
        if (this.code !== undefined) this.code.text += " "
        else if (this.heading !== undefined) this.inline.space()
        else if (!this.inline.break()) {
          this.flush()
          this.blocks.request(BLANK)
        }
        return
      case "code":
      case "kbd":
      case "samp":
      case "tt":
        if (this.code === undefined) this.code = { element, text: "" }
        this.noteLanguage(element, attributes)
        return
      case "b":
      case "strong":
        return this.mark(element, this.heading === undefined ? "**" : "")
      case "em":
      case "i":
      case "dfn":
      case "cite":
        return this.mark(element, "*")
      case "del":
      case "s":
      case "strike":
        return this.mark(element, "~~")
      case "sub":
      case "sup":
        if (this.code === undefined) this.inline.open(element, `<${name}>`, `</${name}>`)
        return
      case "q":
        return this.text("“")
      case "input":
        if (attributes.get("type")?.toLowerCase() === "checkbox" && this.inline.line === "" && this.lists.length > 0) {
          this.blocks.mark(attributes.has("checked") ? "[x] " : "[ ] ")
        }
    }
  }

  close(element: Element): void {
    if (this.pre !== undefined) {
      if (this.pre.element === element) this.closePre()
      return
    }
    const name = element.name
    if ((element.kind.flags & BLOCK) !== 0) return this.closeBlock(element, name)
    switch (name) {
      case "a":
        return this.closeLink(element)
      case "code":
      case "kbd":
      case "samp":
      case "tt":
        return this.code?.element === element ? this.closeCode() : undefined
      case "q":
        return this.text("”")
      case "b":
      case "strong":
      case "em":
      case "i":
      case "dfn":
      case "cite":
      case "del":
      case "s":
      case "strike":
      case "sub":
      case "sup":
        this.inline.close(element)
    }
  }

  finish(keeps: (region: number) => boolean): string {
    this.flush()
    return this.blocks.join(keeps)
  }

  private mark(element: Element, mark: string): void {
    if (this.code === undefined) this.inline.open(element, mark, mark)
  }

  /** Writes the line that stands as a paragraph. */
  private flush(): void {
    const line = this.inline.take()
    if (line === "") return
    if (this.heading !== undefined) {
      const text = line.replace(/\s*\n/g, " ").replace(/(^|\s)(#+)$/, "$1\\$2")
      this.blocks.write(`${"#".repeat(this.heading.level)} ${text}`, this.region, true)
      this.blocks.request(BLANK)
      this.heading = undefined
    } else this.blocks.write(escapeLines(line), this.region)
  }

  private openBlock(element: Element, name: string, attributes: Attributes): void {
    switch (name) {
      case "ul":
      case "ol":
      case "menu":
      case "dir": {
        this.blocks.request(this.lists.length > 0 ? LINE : BLANK)
        const start = name === "ol" ? Number.parseInt(attributes.get("start") ?? "1", 10) : 1
        this.lists.push({ ordered: name === "ol", next: start >= 0 && start < 1e9 ? start : 1 })
        return
      }
      case "li": {
        this.blocks.request(LINE)
        const list = this.lists[this.lists.length - 1]
        if (list?.ordered !== true) return this.blocks.enter("- ", "  ")
        const value = Number.parseInt(attributes.get("value") ?? "", 10)
        if (value >= 0 && value < 1e9) list.next = value
        const marker = `${list.next++}. `
        return this.blocks.enter(marker, " ".repeat(marker.length))
      }
      case "blockquote":
        this.blocks.request(BLANK)
        return this.blocks.enter("> ", "> ")
      case "pre":
      case "listing":
      case "xmp": {
        this.blocks.request(BLANK)
        const own = languageOf(attributes)
        this.pre = { element, language: own ?? this.language?.name ?? "", text: "", atLineStart: true }
        return
      }
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        this.blocks.request(BLANK)
        this.heading = { element, level: name.charCodeAt(1) - 48 }
        return
      case "hr":
        this.blocks.request(BLANK)
        this.blocks.write("---", this.region, true)
        return this.blocks.request(BLANK)
      case "dt":
      case "summary":
        this.blocks.request(BLANK)
        return this.inline.open(element, "**", "**")
      case "table":
        return this.openTable(element, attributes)
      case "thead":
        return this.table?.head(true)
      case "tr":
        return this.table?.row()
      case "td":
      case "th":
        return this.openCell(name, attributes)
      case "caption":
      case "colgroup":
      case "tbody":
      case "tfoot":
        return
      case "div":
      case "figure":
        this.noteLanguage(element, attributes)
        return this.blocks.request(SOFT)
      default:
        this.blocks.request(spaced.has(name) ? BLANK : SOFT)
    }
  }

  private closeBlock(element: Element, name: string): void {
    if (this.language?.element === element) this.language = undefined
    if (this.heading !== undefined) {
      if (this.heading.element !== element) return this.inline.space()
      this.flush()
      this.heading = undefined
      return this.blocks.request(BLANK)
    }
    this.flush()
    switch (name) {
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        this.lists.pop()
        if (this.lists.length === 0) return this.blocks.request(BLANK)
        this.blocks.request(LINE)
        return this.blocks.endList()
      case "li":
        return this.blocks.endItem()
      case "blockquote":
        this.blocks.leave()
        return this.blocks.request(BLANK)
      case "dt":
      case "summary":
        this.inline.close(element)
        return this.blocks.request(BLANK)
      case "table":
        return this.closeTable(element)
      case "thead":
        return this.table?.head(false)
      case "td":
      case "th": {
        const open = this.tables[this.tables.length - 1]
        if (open !== undefined) this.blocks = open.table.around
        return
      }
      default:
        this.blocks.request(spaced.has(name) ? BLANK : SOFT)
    }
  }

  private endsHeading(element: Element): boolean {
    if (this.inline.line === "" && !opensHeading.has(element.name)) return false
    return element.name !== "div" && element.name !== "p"
  }

  // -- links and images

  private openLink(element: Element, attributes: Attributes, address: string | undefined): void {
    if (address === undefined || this.code !== undefined) return
    const inPage = attributes.get("href")?.startsWith("#") === true
    const named = permalinkClass.test(attributes.get("class") ?? "")
    const permalink = named || (inPage && this.heading !== undefined)
    this.link = { element, before: this.inline.position, permalink, text: "" }
    // A heading that links to itself is a heading.
    if (!inPage || this.heading === undefined) this.inline.open(element, "[", `](${escapeUrl(address)})`, true)
  }

  private closeLink(element: Element): void {
    this.inline.close(element)
    const link = this.link
    if (link?.element !== element) return
    this.link = undefined
    if (link.permalink && link.text.length <= maxSymbol && !wordy.test(link.text)) this.inline.restore(link.before)
  }

  private image(attributes: Attributes, address: string | undefined): void {
    if (address === undefined || this.code !== undefined) return
    if (speck.test(attributes.get("width") ?? "") || speck.test(attributes.get("height") ?? "")) return
    const alt = attributes.get("alt") ?? ""
    if (this.link !== undefined) this.link.text += alt.slice(0, maxSymbol)
    this.inline.put(`![${escapeLabel(alt)}](${escapeUrl(address)})`)
  }

  // -- code

  private noteLanguage(element: Element, attributes: Attributes): void {
    if (attributes.length === 0) return
    const name = languageOf(attributes)
    if (name !== undefined) this.language = { element, name }
  }

  private closeCode(): void {
    const text = this.code?.text ?? ""
    this.code = undefined
    this.inline.code(text)
  }

  private openInPre(element: Element, attributes: Attributes): void {
    const pre = this.pre
    if (pre === undefined) return
    const isBlock = (element.kind.flags & BLOCK) !== 0
    if (element.name === "br" || (isBlock && !pre.atLineStart)) {
      pre.text += "\n"
      pre.atLineStart = true
    }
    if (element.name === "code") pre.language = languageOf(attributes) ?? pre.language
  }

  private closePre(): void {
    const pre = this.pre
    this.pre = undefined
    if (pre === undefined) return
    const text = withoutBlankEdges(pre.text.replaceAll("\u00a0", " ").replace(/\r\n?/g, "\n"))
    if (text === "") return
    const ticks = fenceFor(text)
    this.blocks.write(`${ticks}${pre.language}\n${text}\n${ticks}`, this.region, true)
    this.blocks.request(BLANK)
  }

  // -- tables

  private get table(): Table | undefined {
    return this.tables[this.tables.length - 1]?.table
  }

  private openTable(element: Element, attributes: Attributes): void {
    this.blocks.request(BLANK)
    if (this.tables.length >= maxTables) return
    const role = attributes.get("role")
    const table = new Table(role === "presentation" || role === "none")
    this.tables.push({ element, table, blocks: this.blocks, lists: this.lists })
    this.blocks = table.around
    this.lists = []
  }

  private openCell(name: string, attributes: Attributes): void {
    const table = this.table
    if (table === undefined) return this.blocks.request(SOFT)
    const align = attributes.get("align")?.toLowerCase() ?? alignment.exec(attributes.get("style") ?? "")?.[1]
    this.blocks = table.cell(name === "th", attributes.get("colspan"), attributes.get("rowspan"), align)
  }

  private closeTable(element: Element): void {
    const open = this.tables[this.tables.length - 1]
    if (open?.element === element) {
      this.tables.pop()
      this.blocks = open.blocks
      this.lists = open.lists
      open.table.into(this.blocks, this.region)
    }
    this.blocks.request(BLANK)
  }
}

/** Tables nested deeper than this are read as text. */
const maxTables = 12

const spaced = new Set(["p", "dl", "dd", "details", "figure", "fieldset", "address", "hgroup", "center"])

/** What ends a heading that its author forgot to end, even while it is empty. */
const opensHeading = new Set([
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "table",
  "pre",
  "blockquote",
  "li",
  "td",
  "th",
  "tr"
])

/** A link longer than this is not a mere symbol. */
const maxSymbol = 16

const permalinkClass =
  /(?:^|[\s_-])(?:header-?link|heading-?link|anchor|anchorjs-link|permalink|hash-link|deep-?link)(?:$|[\s_-])/i
const wordy = /[\p{L}\p{N}]{2}/u
const speck = /^\s*[01](?:px)?\s*$/
const alignment = /text-align\s*:\s*(left|center|right)/i

/** Code without the blank lines around it; the indentation of its first line counts. */
const withoutBlankEdges = (text: string): string => {
  const first = text.search(/\S/)
  return first === -1 ? "" : text.slice(text.lastIndexOf("\n", first) + 1).trimEnd()
}

const fenceFor = (text: string): string => {
  let longest = 2
  if (text.includes("```")) for (const run of text.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length)
  return "`".repeat(longest + 1)
}
