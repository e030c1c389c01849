/**
 * The main content of a page that was parsed into a tree: the blocks that its Markdown would have, without the title.
 *
 * @example
 * const { blocks, kind } = mainBlocks(Dom.parse(html), "https://example.com/post")
 * blocks.map(({ text }) => text).join("\n")
 */

import { chooseBlocks } from "./content/chooseBlocks.ts"
import { factsOf } from "./content/factsOf.ts"
import { type DomBlock, readDom } from "./content/readDom.ts"
import type * as Dom from "./Dom.ts"
import type { PageKind } from "./PageKind.ts"

export interface MainBlock {
  readonly kind: "paragraph" | "heading" | "item" | "quote" | "code" | "cell" | "caption"
  readonly text: string
  /** The offsets of its text in the decoded HTML. */
  readonly span: readonly [from: number, to: number]
}

interface MainBlocks {
  readonly kind: PageKind
  readonly blocks: ReadonlyArray<MainBlock>
}

export const mainBlocks = (root: Dom.Element, url: string): MainBlocks => {
  const { blocks, outline } = readDom(root)
  const { keptMask, kind, title } = chooseBlocks(outline, factsOf(root, url))
  return { kind, blocks: blocks.filter((_, i) => keptMask[i] === 1 && i !== title).flatMap(blockOf) }
}

const blockOf = ({ element, from, text, to }: DomBlock): ReadonlyArray<MainBlock> => {
  const kind = kindOf(element)
  const whole = kind === "code" ? text.replace(/^\s*\n/, "").trimEnd() : text.replace(/\s+/g, " ").trim()
  return whole === "" ? [] : [{ kind, text: whole, span: [from, to] }]
}

/** The kind of a block: it follows from the nearest element that has one. */
const kindOf = (element: Dom.Element): MainBlock["kind"] => {
  let at: Dom.Element | undefined = element
  for (let i = 0; i < maxSteps && at !== undefined; i++, at = at.parent) {
    const kind = kinds.get(at.name)
    if (kind !== undefined) return kind
  }
  return "paragraph"
}

const maxSteps = 8

const kinds = new Map<string, MainBlock["kind"]>([
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, "heading"] as const),
  ...["li", "dt", "dd"].map((name) => [name, "item"] as const),
  ["blockquote", "quote"],
  ["pre", "code"],
  ["td", "cell"],
  ["th", "cell"],
  ["figcaption", "caption"],
  ["caption", "caption"]
])
