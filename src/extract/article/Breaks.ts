/** Two line breaks in a row are the end of a paragraph: makes one of what follows them. */
import * as Draft from "./Draft.ts"
import { of as measureOf } from "./Measure.ts"

export const paragraphs = (root: Draft.Node): void => {
  for (const first of Draft.within(root, (name) => name === "br")) {
    if (first.parent === undefined || !dropChain(first)) continue
    const paragraph = Draft.element("p")
    Draft.replace(first, paragraph)
    let next = paragraph.next
    while (next !== undefined) {
      if (next.name === "br" && afterBlanks(next.next)?.name === "br") break
      if (!isPhrasing(next)) break
      const after: Draft.Node | undefined = next.next
      Draft.append(paragraph, next)
      next = after
    }
    trimEnd(paragraph)
    if (paragraph.parent?.name === "p") Draft.rename(paragraph.parent, "div")
  }
}

/** Whether a node belongs into a line of text. */
export const isPhrasing = (node: Draft.Node): boolean => {
  if (node.name === "" || phrasing.has(node.name)) return true
  if (!carriers.has(node.name)) return false
  for (let child = node.first; child !== undefined; child = child.next) if (!isPhrasing(child)) return false
  return true
}

/** Text of white space only, or a line break. */
export const isBlank = (node: Draft.Node): boolean =>
  node.name === "" ? measureOf(node).length === 0 : node.name === "br"

export const trimEnd = (node: Draft.Node): void => {
  while (node.last !== undefined && isBlank(node.last)) Draft.remove(node.last)
}

/** Takes out the line breaks that follow one at once; false where there are none. */
const dropChain = (first: Draft.Node): boolean => {
  let dropped = false
  for (let next = afterBlanks(first.next); next?.name === "br"; next = afterBlanks(next)) {
    const after: Draft.Node | undefined = next.next
    Draft.remove(next)
    dropped = true
    if (after === undefined) break
    next = after
  }
  return dropped
}

const afterBlanks = (node: Draft.Node | undefined): Draft.Node | undefined => {
  let at = node
  while (at !== undefined && at.name === "" && measureOf(at).length === 0) at = at.next
  return at
}

const carriers = new Set(["a", "del", "ins"])
const phrasing = new Set(
  (
    "abbr audio b bdo br button cite code data datalist dfn em embed i img input kbd label mark math meter noscript " +
    "object output progress q ruby samp script select small span strong sub sup textarea time var wbr"
  ).split(" ")
)
