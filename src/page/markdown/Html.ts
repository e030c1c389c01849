/**
 * Writes the page as clean HTML: without scripts, hidden elements and styles, and with absolute addresses.
 *
 * Text is stored with its block, and a tag with the blocks of its element, so that the main content can be chosen at the end.
 */
import type { Attributes } from "../Attributes.ts"
import type { Keeps } from "../content/MainContent.ts"
import { VOID } from "../Elements.ts"
import type { Budget } from "../tree/Budget.ts"
import type { Element } from "../tree/Tree.ts"

interface Piece {
  readonly text: string
  readonly from: number
  to: number
  /** The start tag; undefined: this piece is not an end tag. */
  readonly start?: Piece
}

export class Html {
  private readonly budget: Budget
  private readonly pieces: Array<Piece> = []
  private readonly wrappers = new Set<Piece>()
  private readonly open_ = new Map<Element, Piece>()

  constructor(budget: Budget) {
    this.budget = budget
  }

  /** `block`: the block of the page that is being read, or the next one. */
  open(element: Element, attributes: Attributes, block: number, resolve: (href: string) => string | undefined): void {
    const name = element.name
    if (frames.has(name) || !sound.test(name)) return
    let tag = `<${name}`
    for (let i = 0; i < attributes.length; i++) {
      const attribute = attributes.nameAt(i)
      if (dropped.test(attribute) || !sound.test(attribute)) continue
      let value = attributes.valueAt(i)
      if (addresses.has(attribute)) {
        const address = resolve(value.trim())
        if (address === undefined || runs.test(address)) continue
        value = address
      } else if (attribute === "srcset") value = resolveSet(value, resolve)
      tag += value === "" ? ` ${attribute}` : ` ${attribute}="${escapeValue(value)}"`
    }
    this.budget.write(tag.length)
    const piece = { text: `${tag}>`, from: block, to: block }
    this.pieces.push(piece)
    if ((element.kind.flags & VOID) !== 0) return
    this.open_.set(element, piece)
    if (wrappers.has(name)) this.wrappers.add(piece)
  }

  close(element: Element, block: number): void {
    const start = this.open_.get(element)
    if (start === undefined) return
    this.open_.delete(element)
    start.to = block
    this.pieces.push({ text: `</${element.name}>`, from: start.from, to: block, start })
  }

  text(value: string, block: number): void {
    const text = special.test(value) ? value.replace(/[&<>\u00a0]/g, reference) : value
    this.budget.write(text.length)
    this.pieces.push({ text, from: block, to: block })
  }

  finish(keeps: Keeps): string {
    // Of nested wrappers around everything that is kept, only the innermost is written.
    const around = new Set(Array.from(this.wrappers).filter(({ from, to }) => keeps.all(from, to)))
    const innermost = Array.from(around).at(-1)
    if (innermost !== undefined) around.delete(innermost)
    let html = ""
    for (const piece of this.pieces) {
      if (keeps.any(piece.from, piece.to) && !around.has(piece.start ?? piece)) html += piece.text
    }
    return html.trim()
  }
}

const wrappers = new Set(["div", "section", "center", "main", "article"])

const frames = new Set(["html", "head", "body", "meta", "link", "base"])
const addresses = new Set(["href", "src", "action", "cite", "poster", "data", "formaction", "longdesc", "background"])
/** Addresses that run code when they are opened. Embedded pictures do not, except SVG. */
const runs = /^(?:javascript|vbscript|data:(?!image\/(?!svg)))/i
const dropped = /^(?:on|style$|srcdoc$|nonce$|integrity$|xmlns)/
const sound = /^[a-z][\w.:-]*$/i
const special = /[&<>\u00a0]/

const reference = (char: string): string =>
  char === "&" ? "&amp;" : char === "<" ? "&lt;" : char === ">" ? "&gt;" : char === '"' ? "&quot;" : "&nbsp;"

const escapeValue = (value: string): string =>
  /[&"<>\u00a0]/.test(value) ? value.replace(/[&"<>\u00a0]/g, reference) : value

/** Resolves "a.png 1x, b.png 2x". A comma followed by white space ends a candidate; other commas belong to an address. */
const resolveSet = (value: string, resolve: (href: string) => string | undefined): string =>
  value
    .split(/,\s+/)
    .map((candidate) => {
      const [href = "", ...size] = candidate.trim().split(/\s+/)
      const address = resolve(href) ?? href
      return runs.test(address) ? "" : [address, ...size].join(" ")
    })
    .filter((candidate) => candidate !== "")
    .join(", ")
