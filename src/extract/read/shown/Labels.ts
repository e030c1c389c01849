/**
 * Values with a label in one line, "Price: 5", or with the label in bold before them, or on the line before them.
 *
 * A label is short and begins with a letter; a sentence, a time of day or an address is not a label.
 */

import { tidy } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import { Budget } from "../../page/Budget.ts"
import { bare, type Page, valueOf } from "../../page/Page.ts"
import { hrefIn, type Line, spanOf } from "./Lines.ts"
import { priceIn } from "./priceIn.ts"

export const read = (page: Page, lines: ReadonlyArray<Line>, most = 1000): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const room = new Budget(most)
  let waiting: Waiting | undefined
  for (const line of lines) {
    if (room.isFull) break
    const before = waiting
    waiting = undefined
    if (page.isApart(line.block)) continue
    const parts = labelled(line)
    if (parts.length > 0) {
      for (const part of parts) if (room.take()) found.push(property(page, line, part))
      continue
    }
    const label = ending(line)
    if (label !== undefined) waiting = { label, list: undefined }
    else if (before !== undefined) {
      const item = line.block.name === "li" ? line.block.parent : undefined
      if (before.list !== undefined && before.list !== item) continue
      const text = tidy(line.text)
      if (text.length <= maxValue && room.take()) {
        found.push(property(page, line, { label: before.label, from: 0, to: line.text.length }))
      }
      if (item !== undefined) waiting = { label: before.label, list: item }
    }
  }
  return found
}

/** A label whose value is on the next line, or in the items of the list that follows. */
interface Waiting {
  readonly label: string
  readonly list: Line["block"] | undefined
}

interface Labelled {
  readonly label: string
  readonly from: number
  readonly to: number
}

const maxLabel = 60
const maxValue = 1000

const property = (page: Page, line: Line, { label, from, to }: Labelled): Property => {
  const source = { kind: "label", path: page.pathOf(line.block), span: spanOf(line, from, to) } as const
  return { name: label, value: valueOf(tidy(line.text.slice(from, to)), source, hrefIn(page, line, from, to)) }
}

/** The parts of a line that have a label; parts are apart where a bar or a dot stands between blanks. */
const labelled = (line: Line): ReadonlyArray<Labelled> => {
  const found: Array<Labelled> = []
  let from = 0
  for (const cut of [...line.text.matchAll(separator), undefined]) {
    const to = cut?.index ?? line.text.length
    const part = byColon(line.text, from, to) ?? (from === 0 && cut === undefined ? byMark(line) : undefined)
    if (part !== undefined) found.push(part)
    from = to + (cut?.[0].length ?? 0)
  }
  return found
}

const separator = /\s[|•·]\s/g

const byColon = (text: string, from: number, to: number): Labelled | undefined => {
  const part = text.slice(from, to)
  const colon = part.search(/[:：]/)
  if (colon === -1 || colon > maxLabel * 3) return undefined
  const label = tidy(part.slice(0, colon))
  const value = part.slice(colon + 1)
  if (!isLabel(label) || value.startsWith("//") || (/\d$/.test(label) && /^\d/.test(value))) return undefined
  const shown = bare(value)
  if (shown === "" || shown.length > maxValue) return undefined
  const begin = from + colon + 1 + value.indexOf(shown)
  return { label, from: begin, to: begin + shown.length }
}

/** `<b>Author</b> Jane Doe`: what is marked at the start, and the rest of the line. */
const byMark = ({ text, pieces }: Line): Labelled | undefined => {
  const first = pieces.findIndex(({ node }) => /\S/.test(node.text))
  const mark = pieces[first]?.mark
  if (mark === undefined) return undefined
  const next = pieces.find((piece, i) => i > first && piece.mark !== mark && /\S/.test(piece.node.text))
  if (next === undefined) return undefined
  const label = tidy(text.slice(0, next.at))
  const rest = text.slice(next.at)
  const value = rest.replace(/^[\s–—=\u200e\u200f-]+/, "")
  if (!isLabel(label) || label.length > 40 || bare(value) === "" || value.length > 300) return undefined
  // "**649 000 zł** 12 409 zł/m²": a sum that is marked has no name of its own, and is none.
  if (priceIn(label) !== undefined) return undefined
  return { label, from: text.length - value.length, to: text.trimEnd().length }
}

/** "Ingredients:" with nothing behind it. */
const ending = ({ text }: Line): string | undefined => {
  if (text.length > maxLabel * 3) return undefined
  const found = /^([^:：]+)[:：][\s\u200e\u200f]*$/.exec(text)?.[1]
  const label = found === undefined ? "" : tidy(found)
  return isLabel(label) ? label : undefined
}

export const isLabel = (text: string): boolean =>
  text.length <= maxLabel &&
  /^[\p{L}\p{N}#(]/u.test(text) &&
  /\p{L}/u.test(text) &&
  (!/[.!?;,]\s|https?$|["“”]/.test(text) || abbreviated.test(text)) &&
  text.split(" ").length <= 7

/** "Art. Nr.", "Cod. articolo": what is cut off ends in a point and no sentence. */
const abbreviated = /^(?:art|best|cat|c[oó]d|kat|mfg|mfr|mod|r[eé]f|tel)\.\s(?:\p{L}{1,12}\.?\s?){1,2}$/iu
