/**
 * What is around the text inside its own container: galleries, boxes that ask for an address, notes about the page, the
 * author's portrait, and above the text the line that says who wrote it and when.
 *
 * The law: only what is small beside the article is taken out, so that a name given to the whole never empties it.
 */
import * as Day from "../value/Day.ts"
import * as Draft from "./Draft.ts"
import * as Hints from "./Hints.ts"
import * as Measure from "./Measure.ts"

export const trim = (article: Draft.Node): void => {
  if ((globalThis as any).TRIM_OFF) return
  const most = Measure.of(article).length * 0.3
  let isAbove = true
  let node = Draft.following(article, article)
  while (node !== undefined) {
    const { length } = Measure.of(node)
    if (length === 0 || (solid.has(node.name) && length < most)) {
      node = Draft.following(node, article, solid.has(node.name))
      continue
    }
    const isOut =
      length < most && (isBox(node, length) || isTeaser(node, length) || (isAbove && isHeadLine(node, length)))
    if (!isOut && isLine(node) && length > longLine) isAbove = false
    node = isOut ? Draft.removeAndFollow(node, article) : Draft.following(node, article)
  }
}

/** A paragraph of this length is the text itself; what comes after it is not above it. */
const longLine = 200

const isBox = (node: Draft.Node, length: number): boolean => {
  const { names } = node
  if (names === "") return false
  return (
    (length < 1500 && Hints.isGallery(names)) ||
    (length < 1200 && Hints.isPortrait(names)) ||
    (length < 300 && Hints.isNote(names))
  )
}

/** A paragraph that is one link in capitals. */
const isTeaser = (node: Draft.Node, length: number): boolean => {
  if (node.name !== "p" || length < 15 || length > 300 || Measure.linkDensity(node) < 0.9) return false
  const text = Draft.textOf(node, 1000)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && (text.match(/\p{Lu}/gu)?.length ?? 0) > letters * 0.8
}

const isHeadLine = (node: Draft.Node, length: number): boolean => {
  if (length >= longLine || isPart(node)) return false
  if (Hints.isHeadLine(node.names)) return true
  return length < 120 && isLine(node) && isDateLine(Draft.textOf(node, 500))
}

const isPart = (node: Draft.Node): boolean => {
  let at: Draft.Node | undefined = node
  for (let i = 0; at !== undefined && i < 4; i++, at = at.parent) if (parts.has(at.name)) return true
  return false
}

const isLine = (node: Draft.Node): boolean => {
  const { blocks, images, headings } = Measure.of(node)
  return lines.has(node.name) && headings === 0 && blocks === images
}

/** "Updated 1:39 am EST, Wednesday, November 20, 2019": a day and few words beside it, and no sentence. */
const isDateLine = (text: string): boolean => {
  const line = text.trim()
  if (!/\d/.test(line) || (/[.!?。]$/.test(line) && !/[ap]\.m\.$/i.test(line))) return false
  const days = Day.all(line)
  if (days.length === 0) return false
  let rest = line
  for (const { from, to } of days) rest = rest.slice(0, from) + " ".repeat(to - from) + rest.slice(to)
  return (rest.match(/\p{L}+/gu)?.length ?? 0) <= 10
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))
const lines = set("p div section header time small span")
/** A heading or an item says more than when it was written. */
const parts = set("h1 h2 h3 h4 h5 h6 li td th dd dt figcaption")
/** What is quoted as a whole. */
const solid = set("blockquote pre table")
