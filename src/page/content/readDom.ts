/** The outline of a page that was parsed into a tree, with the text and the position of each block. */
import type * as Dom from "../Dom.ts"
import { kindOf } from "../Elements.ts"
import { canBeContent, isLong, isMute, SHOWN, veilOf } from "../tree/Hidden.ts"
import { isMark } from "../tree/Marks.ts"
import { Outline } from "./Outline.ts"
import { type Block } from "./Part.ts"

export interface DomBlock {
  readonly block: Block
  text: string
  readonly element: Dom.Element
  from: number
  to: number
}

interface DomOutline {
  readonly outline: Outline
  readonly blocks: ReadonlyArray<DomBlock>
  /** The elements of the parts, by their numbers. */
  readonly elements: ReadonlyArray<Dom.Element>
}

export const readDom = (root: Dom.Element): DomOutline => {
  const outline = new Outline()
  const blocks: Array<DomBlock> = []
  const elements: Array<Dom.Element> = []
  const visit = (element: Dom.Element): void => {
    for (const child of element.children) {
      if (child._tag === "Text") {
        const at = outline.text(child.text)
        const block = outline.blocks[at]
        const known = blocks[at]
        if (block === undefined) continue
        if (known?.block === block) {
          known.text += child.text
          known.to = child.to
        } else blocks[at] = { block, text: child.text, element, from: child.from, to: child.to }
        continue
      }
      const kind = kindOf(child.name)
      if (isMute(child.name, kind.flags) || (child.name === "noscript" && !holdsPage(element, child))) continue
      const veil = veilOf(child.name, child.attributes)
      if ((veil !== SHOWN && !canBeContent(child.name, kind.flags)) || isMark(kind, child.attributes)) continue
      if (child.name === "br") {
        const known = blocks[outline.at]
        if (known !== undefined) known.text += "\n"
      }
      if (child.name === "img" || child.name === "hr") outline.image()
      outline.open(kind, child.attributes, veil)
      if (outline.parts.length > elements.length) elements.push(child)
      visit(child)
      outline.close(kind)
    }
  }
  visit(root)
  outline.finish()
  return {
    outline,
    elements,
    blocks: outline.blocks.map((block, i) => {
      const known = blocks[i]
      return known?.block === block ? known : { block, text: "", element: root, from: 0, to: 0 }
    })
  }
}

const holdsPage = (parent: Dom.Element, noscript: Dom.Element): boolean =>
  parent.name !== "head" && isLong(noscript.to - noscript.inner)
