/**
 * Tracks which elements are open, and turns tags into elements that open and close, without building a tree.
 *
 * Every opened element is closed once, and the depth is limited, so that a tag costs limited work, however broken the page
 * is. The rules are those of the HTML standard that decide which element contains a text: implied end tags, end tags that do
 * not reach beyond a table cell, formatting that is closed out of order. Text between the parts of a table stays there.
 */
import { Attributes } from "../Attributes.ts"
import { BLOCK, ENDS_P, HEAD, HEADING, type Kind, kindOf, MARK, TABLE, VOID, WALL } from "../Elements.ts"
import type { Sink } from "../Tokenizer.ts"

/** An open element. The `Reader` sets the fields after `kind`. */
export class Element {
  readonly name: string
  /** The name of the element that it is to its reader: a `<div>` with a role can be a table, a row or a cell. */
  as: string
  readonly kind: Kind
  /** Whether the element and its content are left out. */
  skipped = false
  /** Whether the element itself is not written, but elements in it may be. */
  silent = false
  /** How many items it has, if it is a list that counts down. */
  items: number | undefined

  constructor(kind: Kind) {
    this.name = kind.name
    this.as = kind.name
    this.kind = kind
  }
}

export interface Reader {
  open(element: Element, attributes: Attributes): void
  close(element: Element): void
  text(value: string): void
}

/** Elements that are nested deeper close at once: their content becomes content of their parent. */
const maxDepth = 256

export class Tree implements Sink {
  foreign = false
  /** The offsets of the current tag or text in the HTML, for the `Reader`. */
  from = 0
  to = 0
  /** The name of the current end tag; empty: the current token is a start tag, or the HTML has ended. */
  closing = ""
  private readonly stack: Array<Element> = []
  private readonly reader: Reader
  readonly xhtml: boolean
  private paragraphs = 0

  constructor(reader: Reader, xhtml: boolean) {
    this.reader = reader
    this.xhtml = xhtml
  }

  open(name: string, attributes: Attributes, from = 0, to = 0): void {
    this.from = from
    this.to = to
    this.closing = ""
    const kind = kindOf(name === "image" ? "img" : name === "template" && isShown(attributes) ? shadow : name)
    const flags = kind.flags
    if (this.foreign && endsForeign.has(name)) this.popTo(this.stack.findIndex(isForeign))
    if (!this.foreign) {
      if ((flags & ENDS_P) !== 0 && this.paragraphs > 0) this.closeWithin("p", WALL)
      if (impliesEnd.has(name)) this.closeImplied(name, flags)
      else if ((flags & HEAD) === 0 && this.top() === "head") this.popTo(this.stack.length - 1)
    }
    const element = new Element(kind)
    this.reader.open(element, attributes)
    const foreign = name === "svg" || name === "math"
    const closes = attributes.selfClosing && (foreign || this.foreign || this.xhtml)
    if ((flags & VOID) !== 0 || closes || this.stack.length >= maxDepth) {
      this.reader.close(element)
      return
    }
    this.stack.push(element)
    if (name === "p") this.paragraphs++
    else if (foreign) this.foreign = true
    else if (name === "foreignobject") this.foreign = false
  }

  close(written: string, from = 0, to = 0): void {
    this.from = from
    this.to = to
    this.closing = written
    const name = written === "template" ? this.template() : written
    const kind = kindOf(name)
    const last = this.stack.length - 1
    if (this.stack[last]?.name === name) this.popTo(last)
    else if ((kind.flags & HEADING) !== 0) this.closeHeading()
    else if ((kind.flags & TABLE) !== 0) this.closeWithin(name, 0, name === "table" ? undefined : "table")
    else if ((kind.flags & MARK) !== 0) this.closeMark(name)
    else if (name === "body" || name === "html") return
    else if (!this.closeWithin(name, kind.flags === 0 ? BLOCK | WALL : WALL) && (name === "p" || name === "br")) {
      const element = new Element(kind)
      this.reader.open(element, none)
      this.reader.close(element)
    }
  }

  text(value: string, from = 0, to = 0): void {
    this.from = from
    this.to = to
    this.reader.text(value)
  }

  /** Closes all open elements. */
  end(): void {
    this.closing = ""
    this.popTo(0)
  }

  private top(): string | undefined {
    return this.stack[this.stack.length - 1]?.name
  }

  /** The name of the innermost open template: a shown one has another name. */
  private template(): string {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const name = this.stack[i]?.name
      if (name === "template" || name === shadow) return name
    }
    return "template"
  }

  private popTo(depth: number): void {
    while (this.stack.length > depth) {
      const element = this.stack.pop()
      if (element !== undefined) this.closed(element)
    }
  }

  private closed(element: Element): void {
    const name = element.name
    if (name === "p") this.paragraphs--
    else if (name === "svg" || name === "math") this.foreign = this.stack.some(isForeign)
    else if (name === "foreignobject") this.foreign = true
    this.reader.close(element)
  }

  /** Closes the innermost element of that name, unless an element with a flag of `walls`, or one named `until`, is inside it. */
  private closeWithin(name: string, walls: number, until?: string): boolean {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const element = this.stack[i]
      if (element === undefined) return false
      if (element.name === name) {
        this.popTo(i)
        return true
      }
      if ((element.kind.flags & walls) !== 0 || element.name === until) return false
    }
    return false
  }

  private closeHeading(): void {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const flags = this.stack[i]?.kind.flags ?? 0
      if ((flags & HEADING) !== 0) return this.popTo(i)
      if ((flags & WALL) !== 0) return
    }
  }

  /** Closes formatting. In `<b><p>text</b> more`, `<b>` ends here and the paragraph continues. */
  private closeMark(name: string): void {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const element = this.stack[i]
      if (element === undefined || (element.kind.flags & WALL) !== 0) return
      if (element.name === name) {
        this.stack.splice(i, 1)
        return this.closed(element)
      }
    }
  }

  private closeImplied(name: string, flags: number): void {
    if ((flags & HEADING) !== 0) {
      const top = this.stack[this.stack.length - 1]
      if (top !== undefined && (top.kind.flags & HEADING) !== 0) this.popTo(this.stack.length - 1)
      return
    }
    if (name === "a") return this.closeMark("a")
    const rule = impliesEnd.get(name)
    if (rule === undefined) return
    for (let i = this.stack.length - 1; i >= 0; i--) {
      const open = this.stack[i]?.name ?? ""
      if (rule.ends.has(open)) return this.popTo(i)
      if (rule.until.has(open)) return
    }
  }
}

/**
 * Whether a browser shows the template as the content of its parent: servers that render web components send such templates.
 * It is read as a visible element.
 */
const isShown = (attributes: Attributes): boolean => attributes.has("shadowrootmode") || attributes.has("shadowroot")

const shadow = "shadow-root"

const isForeign = (element: Element): boolean => element.name === "svg" || element.name === "math"

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const item = { ends: names("li"), until: names("ul ol menu dir table td th body blockquote section article details") }
const term = { ends: names("dt dd"), until: names("dl table td th body blockquote section article details") }
const heading = { ends: names(""), until: names("") }

/** What a start tag closes first: the innermost element named in `ends`, unless one named in `until` is inside it. */
const impliesEnd = new Map<string, { readonly ends: ReadonlySet<string>; readonly until: ReadonlySet<string> }>([
  ["li", item],
  ["dt", term],
  ["dd", term],
  ["td", { ends: names("td th"), until: names("tr table") }],
  ["th", { ends: names("td th"), until: names("tr table") }],
  ["tr", { ends: names("tr caption colgroup"), until: names("tbody thead tfoot table") }],
  ["tbody", { ends: names("tbody thead tfoot caption colgroup"), until: names("table") }],
  ["thead", { ends: names("tbody thead tfoot caption colgroup"), until: names("table") }],
  ["tfoot", { ends: names("tbody thead tfoot caption colgroup"), until: names("table") }],
  ["option", { ends: names("option"), until: names("select optgroup") }],
  ["optgroup", { ends: names("optgroup"), until: names("select") }],
  ["rt", { ends: names("rt rp"), until: names("ruby") }],
  ["rp", { ends: names("rt rp"), until: names("ruby") }],
  ["body", { ends: names("head"), until: names("body") }],
  ...["a", "h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, heading] as const)
])

/** HTML elements that end an open `<svg>` or `<math>` without an end tag. */
const endsForeign = names(
  "b blockquote body center code dd div dl dt em h1 h2 h3 h4 h5 h6 head hr i img li ol p pre section span strong table ul"
)

const none = new Attributes()
