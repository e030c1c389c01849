/**
 * The page as a tree, for code that needs the parents and children of an element. Crawls read a page without one
 * (`Document.ts`).
 *
 * `Tree.ts` decides for both where elements end, so both see the same page. `from` and `to` are offsets in the decoded HTML.
 */
import type { Attributes } from "./Attributes.ts"
import { kindOf, UNSEEN } from "./Elements.ts"
import { tokenize } from "./Tokenizer.ts"
import { type Reader, Tree, type Element as TreeElement } from "./tree/Tree.ts"

export interface Element {
  readonly _tag: "Element"
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly parent: Element | undefined
  readonly children: ReadonlyArray<Element | Text>
  /** Whether its content is visible. `show` changes it. */
  isVisible: boolean
  readonly from: number
  /** The end of its start tag. */
  readonly inner: number
  readonly to: number
}

export interface Text {
  readonly _tag: "Text"
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Returns the root: an element without a name that contains the page. */
export const parse = (html: string): Element => {
  const builder = new Builder(html.length)
  const tree = new Tree(builder, false)
  builder.tree = tree
  tokenize(html, tree)
  tree.end()
  return builder.root
}

/** Shows a hidden element, and what in it is not hidden itself. */
export const show = (element: Element): void => {
  element.isVisible = true
  for (const child of element.children) {
    if (child._tag === "Text" || (kindOf(child.name).flags & UNSEEN) !== 0 || isHidden(child.attributes)) continue
    show(child)
  }
}

/** The visible text of an element, with one space for each run of white space, and between blocks. */
export const textOf = (element: Element, most = 10_000): string => {
  const only = element.children[0]
  if (element.children.length === 1 && only?._tag === "Text") return tidy(only.text, most)
  return tidy(gather(element, most, isSeen), most)
}

/** All text of an element, hidden text included, but not the text of scripts, styles and templates. */
export const contentOf = (element: Element, most = 10_000): string => tidy(gather(element, most, isContent), most)

/** Replaces each run of white space by one space, and removes it at both ends. */
export const tidy = (text: string, most = 10_000): string => {
  const short = text.length > most * 4 ? text.slice(0, most * 4) : text
  return (blank.test(short) ? short.replaceAll(blanks, " ") : short).trim().slice(0, most)
}

/** The elements in an element, in the order of the page, without those in templates: these are not part of the page. */
export const elements = (root: Element, most = Number.POSITIVE_INFINITY): Array<Element> => {
  const descendants: Array<Element> = []
  const open: Array<Element> = [root]
  for (let next = open.pop(); next !== undefined && descendants.length < most; next = open.pop()) {
    if (next !== root) descendants.push(next)
    if (next.name === "template") continue
    for (let i = next.children.length - 1; i >= 0; i--) {
      const child = next.children[i]
      if (child?._tag === "Element") open.push(child)
    }
  }
  return descendants
}

/** Whether `tidy` has to replace white space. */
const blank = /[\t\n\r\f\v\u00a0\u2000-\u200b\u202f\u3000\ufeff]| {2}/
const blanks = /[\s\u00a0\u200b]+/g

const isSeen = (element: Element): boolean => element.isVisible

const isContent = ({ name }: Element): boolean => name !== "script" && name !== "style" && name !== "template"

const gather = (element: Element, most: number, isKept: (element: Element) => boolean): string => {
  let text = ""
  const visit = (parent: Element): void => {
    for (const node of parent.children) {
      if (text.length > most * 4) return
      if (node._tag === "Text") text += node.text
      else if (isKept(node)) {
        const isApart = !inline.has(node.name)
        if (isApart) text += " "
        visit(node)
        if (isApart) text += " "
      }
    }
  }
  visit(element)
  return text
}

/** Elements whose text continues the text around them. */
export const inline: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark meter nobr q s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)

class Builder implements Reader {
  readonly root: Mutable
  tree: Tree | undefined
  private readonly open_: Array<{ readonly element: TreeElement; readonly node: Mutable }> = []

  constructor(length: number) {
    this.root = node("", none, undefined, true, 0, 0)
    this.root.to = length
  }

  open(element: TreeElement, attributes: Attributes): void {
    const parent = this.open_[this.open_.length - 1]?.node ?? this.root
    const map = mapOf(attributes)
    const isShown = (element.kind.flags & UNSEEN) === 0 || (element.name === "button" && folds(map, parent))
    const isVisible = parent.isVisible && isShown && !(map !== none && isHidden(map))
    const child = node(element.name, map, parent, isVisible, this.tree?.from ?? 0, this.tree?.to ?? 0)
    parent.children.push(child)
    this.open_.push({ element, node: child })
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

  /** The end of an element: of its end tag, or of its last child if something else closed it. */
  private endOf(closed: Mutable): number {
    const { tree } = this
    if (tree !== undefined && tree.closing === closed.name) return tree.to
    return closed.children[closed.children.length - 1]?.to ?? closed.to
  }
}

interface Mutable extends Element {
  readonly children: Array<Element | Text>
  to: number
}

const node = (
  name: string,
  attributes: ReadonlyMap<string, string>,
  parent: Element | undefined,
  isVisible: boolean,
  from: number,
  inner: number
): Mutable => ({ _tag: "Element", name, attributes, parent, children: [], isVisible, from, inner, to: inner })

const none: ReadonlyMap<string, string> = new Map()

const mapOf = (attributes: Attributes): ReadonlyMap<string, string> => {
  if (attributes.length === 0) return none
  const map = new Map<string, string>()
  for (let i = 0; i < attributes.length; i++) map.set(attributes.nameAt(i), attributes.valueAt(i))
  return map
}

/**
 * Whether a button is the title of a collapsible section, such as the question above an answer. In navigation, headers and
 * forms, such buttons open menus.
 */
const folds = (attributes: ReadonlyMap<string, string>, parent: Element): boolean => {
  if (!attributes.has("aria-expanded")) return false
  for (let at: Element | undefined = parent; at !== undefined; at = at.parent) {
    if (at.name === "nav" || at.name === "header" || at.name === "form") return false
  }
  return true
}

const isHidden = (attributes: ReadonlyMap<string, string>): boolean =>
  attributes.has("hidden") ||
  attributes.get("aria-hidden") === "true" ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.get("style") ?? "")
