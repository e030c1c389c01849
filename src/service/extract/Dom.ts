/**
 * The page as a tree, for readers that must look up and down. The crawler's own way reads in one pass (`crawl/page`).
 *
 * The law: elements close as `crawl/page/Tree` says, so both see the same page; `from` and `to` are characters of the
 * HTML as decoded.
 */
import type { Attributes } from "../crawl/page/Attributes.ts"
import { UNSEEN } from "../crawl/page/Elements.ts"
import { tokenize } from "../crawl/page/Tokenizer.ts"
import { type Reader, Tree, type Element as TreeElement } from "../crawl/page/Tree.ts"

export interface Element {
  readonly _tag: "Element"
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly parent: Element | undefined
  readonly children: ReadonlyArray<Element | Text>
  /** Whether a reader of the page sees what is in it. */
  readonly seen: boolean
  readonly from: number
  readonly to: number
}

export interface Text {
  readonly _tag: "Text"
  readonly text: string
  readonly from: number
  readonly to: number
}

/** The root: an element without a name that holds the page. */
export const parse = (html: string): Element => {
  const builder = new Builder(html.length)
  const tree = new Tree(builder, false)
  builder.tree = tree
  tokenize(html, tree)
  tree.end()
  return builder.root
}

/** The text in an element as a reader sees it: white space is one blank, blocks are apart. */
export const textOf = (element: Element, most = 10_000): string => {
  const parts: Array<string> = []
  let length = 0
  const visit = (node: Element | Text): void => {
    if (length > most) return
    if (node._tag === "Text") {
      parts.push(node.text)
      length += node.text.length
    } else if (node.seen) {
      const isApart = !inline.has(node.name)
      if (isApart) parts.push(" ")
      for (const child of node.children) visit(child)
      if (isApart) parts.push(" ")
    }
  }
  for (const child of element.children) visit(child)
  return parts.join("").replaceAll(blank, " ").trim().slice(0, most)
}

/** All elements in an element, in the order of the page. */
export function* elements(root: Element): Generator<Element> {
  for (const child of root.children) {
    if (child._tag === "Text") continue
    yield child
    yield* elements(child)
  }
}

const blank = /[\s\u00a0\u200b]+/g

/** What does not set its text apart. */
const inline = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)

class Builder implements Reader {
  readonly root: Mutable
  tree: Tree | undefined
  private readonly open_: Array<{ readonly element: TreeElement; readonly node: Mutable }> = []
  private readonly length: number

  constructor(length: number) {
    this.length = length
    this.root = { ...fresh("", undefined, true), to: length }
  }

  open(element: TreeElement, attributes: Attributes): void {
    const parent = this.open_[this.open_.length - 1]?.node ?? this.root
    const map = new Map<string, string>()
    for (let i = 0; i < attributes.length; i++) map.set(attributes.nameAt(i), attributes.valueAt(i))
    const seen = parent.seen && (element.kind.flags & UNSEEN) === 0 && !isHidden(map)
    const node = { ...fresh(element.name, parent, seen), attributes: map }
    node.from = this.tree?.from ?? 0
    node.to = this.tree?.to ?? this.length
    parent.children.push(node)
    this.open_.push({ element, node })
  }

  close(element: TreeElement): void {
    for (let i = this.open_.length - 1; i >= 0; i--) {
      if (this.open_[i]?.element !== element) continue
      const [closed] = this.open_.splice(i, 1)
      if (closed !== undefined) closed.node.to = Math.max(closed.node.to, this.endOf(closed.node))
      return
    }
  }

  text(text: string): void {
    const parent = this.open_[this.open_.length - 1]?.node ?? this.root
    parent.children.push({ _tag: "Text", text, from: this.tree?.from ?? 0, to: this.tree?.to ?? 0 })
  }

  /** An end tag of its own belongs to an element; what closed it otherwise does not. */
  private endOf(node: Mutable): number {
    const last = node.children[node.children.length - 1]
    const inner = last === undefined ? node.to : last.to
    const { tree } = this
    return tree !== undefined && tree.closing === node.name ? tree.to : inner
  }
}

interface Mutable extends Element {
  readonly children: Array<Element | Text>
  from: number
  to: number
}

const fresh = (name: string, parent: Element | undefined, seen: boolean): Mutable => ({
  _tag: "Element",
  name,
  attributes: none,
  parent,
  children: [],
  seen,
  from: 0,
  to: 0
})

const none: ReadonlyMap<string, string> = new Map()

const isHidden = (attributes: ReadonlyMap<string, string>): boolean =>
  attributes.has("hidden") ||
  attributes.get("aria-hidden") === "true" ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.get("style") ?? "")
