/** Words that somebody looks for, marked in the texts that have them. */
import { el } from "./dom.ts"

/** Characters of a cell before its first mark: more of them would move the mark out of sight. */
const before = 12
const seen = 24

/** More of them would let the browser stall, and nobody goes through them. */
const mostMarks = 1000

/** A text as nodes; where nothing is marked in it, it is one. */
export const markedNodes = (text: string, marks: RegExp): ReadonlyArray<Node | string> => {
  const nodes: Array<Node | string> = []
  let from = 0
  for (const { 0: word, index } of text.matchAll(marks)) {
    if (index > from) nodes.push(text.slice(from, index))
    nodes.push(el("mark", {}, word))
    from = index + word.length
    if (nodes.length > 2 * mostMarks) break
  }
  if (from < text.length) nodes.push(text.slice(from))
  return nodes
}

/** A text from shortly before its first mark, if that stands far from the beginning. */
export const fromFirstMark = (text: string, marks: RegExp, shown = seen, lead = before): string => {
  const at = text.search(marks)
  return at <= shown ? text : `…${text.slice(at - lead).toWellFormed()}`
}
