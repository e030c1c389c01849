/**
 * The lines of text that a reader of the page sees: what stands between two blocks or line breaks, with the place of
 * each piece of it. What is struck through is left out.
 *
 * The text of a line is as the page writes it, with references decoded and white space kept, so a place in it is a place
 * in the HTML.
 */
import { type Element, inline, type Text } from "#page/Dom"
import type { Page } from "../../page/Page.ts"
import { isStruck } from "./priceIn.ts"

export interface Line {
  /** The block that it stands in. */
  readonly block: Element
  readonly text: string
  readonly pieces: ReadonlyArray<Piece>
}

interface Piece {
  readonly node: Text
  /** Where it begins in the text of the line. */
  readonly at: number
  readonly link: Element | undefined
  /** What marks it as a label: bold, or a class that says so. */
  readonly mark: Element | undefined
}

/** The lines in an element, in the order of the page. */
export const linesOf = (root: Element, most = 20_000): ReadonlyArray<Line> => {
  const writer = new Writer(most)
  writer.visit(root, undefined, undefined)
  writer.end(root)
  return writer.lines
}

/** The characters of the HTML that a part of a line is written with. */
export const spanOf = ({ pieces }: Line, from: number, to: number): readonly [number, number] => {
  let first: number | undefined
  let last = 0
  for (const { node, at } of pieces) {
    const end = at + node.text.length
    if (end <= from || at >= to) continue
    // A piece with references in it counts as a whole.
    const isPlain = node.text.length === node.to - node.from
    first ??= isPlain ? node.from + Math.max(0, from - at) : node.from
    last = isPlain ? node.from + Math.min(node.text.length, to - at) : node.to
  }
  return [first ?? 0, last]
}

/** Where the first link in a part of a line leads. */
export const hrefIn = (page: Page, { pieces }: Line, from: number, to: number): string | undefined => {
  for (const { node, at, link } of pieces) {
    if (link !== undefined && at + node.text.length > from && at < to && node.text.trim() !== "") {
      return page.address(link, "href")
    }
  }
  return undefined
}

class Writer {
  readonly lines: Array<Line> = []
  private pieces: Array<Piece> = []
  private text = ""
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  visit(parent: Element, link: Element | undefined, mark: Element | undefined): void {
    for (const node of parent.children) {
      if (this.lines.length >= this.most) return
      if (node._tag === "Text") this.add(parent, { node, at: this.text.length, link, mark })
      else if (node.name === "br") this.end(parent)
      else if (node.isVisible && !empty.has(node.name) && !isStruck(node)) {
        const isBlock = !inline.has(node.name)
        if (isBlock) this.end(parent)
        this.visit(
          node,
          node.name === "a" && node.attributes.has("href") ? node : link,
          mark ?? (isMark(node) ? node : undefined)
        )
        if (isBlock) this.end(node)
      }
    }
  }

  end(block: Element): void {
    if (this.pieces.length === 0) return
    if (/\S/.test(this.text)) this.lines.push({ block: blockOf(block), text: this.text, pieces: this.pieces })
    this.pieces = []
    this.text = ""
  }

  private add(parent: Element, piece: Piece): void {
    if (this.text.length > maxLine) {
      // A line without end is read as several.
      this.end(parent)
      this.pieces.push({ ...piece, at: 0 })
    } else this.pieces.push(piece)
    this.text += piece.node.text
  }
}

const blockOf = (element: Element): Element => {
  let block = element
  while (inline.has(block.name) && block.parent !== undefined) block = block.parent
  return block
}

const maxLine = 4000

/** Stands in a line and has no text. */
const empty = new Set(["img", "input", "picture", "hr", "svg"])

const isMark = ({ name, attributes }: Element): boolean =>
  marks.has(name) || labelClass.test(attributes.get("class") ?? "")

const marks = new Set(["strong", "b", "label", "dt", "th"])

/** A class that says that its element is a label. */
export const labelClass =
  /(?:^|[\s_-])(?:label|key|term|caption|heading|attr(?:ibute)?(?:[_-]?name)?|field[_-]?name)(?:$|[\s_-])/i
