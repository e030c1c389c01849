/** The article as blocks of text in the order of the page, each with what it is and where it stands. */
import * as Draft from "./Draft.ts"

export interface Block {
  readonly kind: "paragraph" | "heading" | "item" | "quote" | "code" | "cell" | "caption"
  readonly text: string
  /** Characters of the HTML as decoded, from the first to the last of its text. */
  readonly span: readonly [from: number, to: number]
}

export const of = (root: Draft.Node): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let text = ""
  let [from, to] = [-1, -1]
  const flush = (kind: Block["kind"]): void => {
    const whole = kind === "code" ? text.replace(/^\s*\n|\s+$/g, "") : text.replace(/\s+/g, " ").trim()
    if (whole !== "") blocks.push({ kind, text: whole, span: [from, to] })
    text = ""
    from = to = -1
  }
  const visit = (node: Draft.Node, kind: Block["kind"]): void => {
    for (let child = node.first; child !== undefined; child = child.next) {
      if (child.name === "") {
        text += child.text
        if (child.source !== undefined) {
          if (from === -1) from = child.source.from
          to = child.source.to
        }
      } else if (child.name === "br") text += kind === "code" ? "\n" : " "
      else if (inline.has(child.name)) visit(child, kind)
      else {
        flush(kind)
        const inner = kinds.get(child.name) ?? (outer.has(kind) ? kind : "paragraph")
        visit(child, inner)
        flush(inner)
      }
    }
  }
  visit(root, "paragraph")
  flush("paragraph")
  return blocks
}

const kinds = new Map<string, Block["kind"]>([
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, "heading"] as const),
  ...["li", "dt", "dd"].map((name) => [name, "item"] as const),
  ["blockquote", "quote"],
  ["pre", "code"],
  ["td", "cell"],
  ["th", "cell"],
  ["figcaption", "caption"],
  ["caption", "caption"]
])

/** A paragraph in one of these is still what they are. */
const outer = new Set<Block["kind"]>(["item", "quote", "cell", "code", "caption"])

/** What does not set its text apart. */
const inline = new Set(
  (
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark math nobr q ruby rb rt rp s samp small span " +
    "strike strong sub sup time tt u var wbr"
  ).split(" ")
)
