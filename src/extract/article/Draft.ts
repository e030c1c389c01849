/**
 * The page as a draft of its article: a copy of the tree that is cut down and rearranged until the article is left.
 *
 * The page (`Dom`) never changes; every node knows its origin, so what is kept can be shown on the page. Removing,
 * wrapping and moving a node cost the same however long its parent is. The contents of a node are counted once
 * (`Measure`); the count is dropped for the node and its parents when it changes.
 */
import type * as Dom from "../../html/Dom.ts"
import type { Measure } from "./Measure.ts"

export class Node {
  /** Empty for text. */
  name: string
  readonly text: string
  readonly source: Dom.Element | Dom.Text | undefined
  parent: Node | undefined
  first: Node | undefined
  last: Node | undefined
  previous: Node | undefined
  next: Node | undefined
  measure: Measure | undefined
  /** How much it looks like what holds the article; undefined where nothing spoke for it. */
  score: number | undefined
  /** A table that is there for its data and not for the layout. */
  isData = false

  constructor(name: string, text: string, source: Dom.Element | Dom.Text | undefined) {
    this.name = name
    this.text = text
    this.source = source
  }

  get isElement(): boolean {
    return this.name !== ""
  }

  attribute(name: string): string | undefined {
    return this.source?._tag === "Element" ? this.source.attributes.get(name) : undefined
  }

  /** Class and id as one text. */
  get names(): string {
    if (this.source?._tag !== "Element" || this.source.attributes.size === 0) return ""
    const { attributes } = this.source
    const classes = attributes.get("class")
    const id = attributes.get("id")
    return classes === undefined ? (id ?? "") : id === undefined ? classes : `${classes} ${id}`
  }
}

export const element = (name: string): Node => new Node(name, "", undefined)

/** What the body of a page holds, in one element: without programs, styles and what stands in the head. */
export const of = (root: Dom.Element): Node => {
  const body = new Node("body", "", bodyOf(root))
  copy(root, body)
  return body
}

export const append = (parent: Node, node: Node): void => {
  remove(node)
  node.parent = parent
  node.previous = parent.last
  if (parent.last === undefined) parent.first = node
  else parent.last.next = node
  parent.last = node
  forget(parent)
}

export const remove = (node: Node): void => {
  const { parent, previous, next } = node
  if (parent === undefined) return
  if (previous === undefined) parent.first = next
  else previous.next = next
  if (next === undefined) parent.last = previous
  else next.previous = previous
  node.parent = node.previous = node.next = undefined
  forget(parent)
}

/** Puts `node` where `old` stood. */
export const replace = (old: Node, node: Node): void => {
  remove(node)
  const { parent, previous, next } = old
  if (parent === undefined) return
  node.parent = parent
  node.previous = previous
  node.next = next
  if (previous === undefined) parent.first = node
  else previous.next = node
  if (next === undefined) parent.last = node
  else next.previous = node
  old.parent = old.previous = old.next = undefined
  forget(parent)
}

/** It becomes another kind of element where it stands. */
export const rename = (node: Node, name: string): void => {
  node.name = name
  if (node.parent !== undefined) forget(node.parent)
}

/** The element that comes next on the page, inside `root`; with `beyond`, not one that the node holds. */
export const following = (node: Node, root: Node, beyond = false): Node | undefined => {
  if (!beyond) {
    const inner = elementFrom(node.first)
    if (inner !== undefined) return inner
  }
  for (let at: Node | undefined = node; at !== undefined && at !== root; at = at.parent) {
    const next = elementFrom(at.next)
    if (next !== undefined) return next
  }
  return undefined
}

/** Takes an element out and answers the one that comes next. */
export const removeAndFollow = (node: Node, root: Node): Node | undefined => {
  const next = following(node, root, true)
  remove(node)
  return next
}

/** The first element among a node and those after it in the same parent. */
export const elementFrom = (node: Node | undefined): Node | undefined => {
  let at = node
  while (at !== undefined && at.name === "") at = at.next
  return at
}

/** The elements of these names that a node holds, in the order of the page. */
export const within = (root: Node, isWanted: (name: string) => boolean): Array<Node> => {
  const found: Array<Node> = []
  for (let at = following(root, root); at !== undefined; at = following(at, root)) if (isWanted(at.name)) found.push(at)
  return found
}

/** Whether one of the nearest ancestors is such an element. */
export const isInside = (node: Node, name: string, most: number): boolean => {
  let at = node.parent
  for (let i = 0; at !== undefined && i < most; i++, at = at.parent) if (at.name === name) return true
  return false
}

/** Whether a node is there to hold a quote, of another page most often. */
export const holdsQuote = (node: Node): boolean => elementFrom(node.first)?.name === "blockquote"

/** The text of a node as it stands, up to a length. */
export const textOf = (node: Node, most: number): string => {
  let text = ""
  const visit = (at: Node): void => {
    if (at.name === "") text += at.text
    for (let child = at.first; child !== undefined && text.length < most; child = child.next) visit(child)
  }
  visit(node)
  return text.slice(0, most)
}

/** What a node and its ancestors were known to hold. Where one knows nothing, those above it do not either. */
const forget = (node: Node): void => {
  for (let at: Node | undefined = node; at?.measure !== undefined; at = at.parent) at.measure = undefined
}

const bodyOf = (root: Dom.Element): Dom.Element | undefined => {
  let found: Dom.Element | undefined
  const visit = (parent: Dom.Element, depth: number): void => {
    for (const child of parent.children) {
      if (found !== undefined || child._tag === "Text") continue
      if (child.name === "body") found = child
      else if (depth < 3) visit(child, depth + 1)
    }
  }
  visit(root, 0)
  return found
}

const copy = (from: Dom.Element, to: Node): void => {
  for (const child of from.children) {
    if (child._tag === "Text") put(to, new Node("", child.text, child))
    else if (through.has(child.name)) copy(child, to)
    else if (!out.has(child.name)) {
      const node = new Node(child.name === "font" ? "span" : child.name, "", child)
      put(to, node)
      copy(child, node)
    }
  }
}

const put = (parent: Node, node: Node): void => {
  node.parent = parent
  node.previous = parent.last
  if (parent.last === undefined) parent.first = node
  else parent.last.next = node
  parent.last = node
}

const through = new Set(["html", "body"])
const out = new Set(["head", "script", "style", "noscript", "template", "link", "meta", "base", "title"])
