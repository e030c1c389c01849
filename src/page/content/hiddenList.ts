/**
 * The list of a page that is hidden until a script shows it, such as the results of a search behind "Loading ...".
 *
 * Guarantee: it is the only list of records of the page, and the text that is seen does not say the same. A menu has one link an item,
 * and a dialog is beside the content: neither counts.
 */
import { hintBit } from "../contentHints.ts"
import { ARIA, NOSCRIPT, SHOWN } from "../tree/Hidden.ts"
import { asideElements } from "./asides.ts"
import type { Outline } from "./Outline.ts"
import type { Block, Part } from "./Part.ts"

export const hiddenListOf = ({ blocks, parts }: Outline): Part | undefined => {
  if (!parts.some(isHidden)) return undefined
  const records = recordsIn(parts)
  let hidden: Part | undefined
  for (const [list, count] of records) {
    if (count < fewest || isBeside(list) || list.counts.linked > mostlyLinks) continue
    if (list.veil === SHOWN) return undefined
    if (isHidden(list) && (hidden === undefined || count > (records.get(hidden) ?? 0))) hidden = list
  }
  return hidden === undefined || isSeen(hidden, blocks) ? undefined : hidden
}

/** A shorter list may be the terms of a form. */
const fewest = 4
const mostlyLinks = 0.8

const isHidden = ({ veil }: Part): boolean => veil !== SHOWN && veil !== ARIA && veil !== NOSCRIPT

/** How many records each list has: rows and items of at least two blocks. */
const recordsIn = (parts: ReadonlyArray<Part>): ReadonlyMap<Part, number> => {
  const records = new Map<Part, number>()
  for (const { end, first, name, parent } of parts) {
    if ((name !== "tr" && name !== "li") || end - first < 2) continue
    let list = parent
    while (list !== undefined && sections.has(list.name)) list = list.parent
    if (list !== undefined) records.set(list, (records.get(list) ?? 0) + 1)
  }
  return records
}

const sections = new Set(["thead", "tbody", "tfoot"])

/** Whether a list is in what is beside the content: a menu, a dialog, a foot. */
const isBeside = (list: Part): boolean => {
  for (let at: Part | undefined = list; at !== undefined; at = at.parent)
    if (at.aside || (at.hints & besideHints) !== 0 || at.name === "dialog" || asideElements.has(at.name)) return true
  return false
}

const besideHints = ["navigation", "footer", "popup", "related", "promotion", "share", "comments"]
  .map(hintBit)
  .reduce((all, bit) => all | bit)

/** Whether most of a hidden list stands on the page for a screen of another width, too. */
const isSeen = ({ end, first }: Part, blocks: ReadonlyArray<Block>): boolean => {
  const seen = new Set(blocks.flatMap(({ part, text }) => (part.veil === SHOWN ? [text] : [])))
  let count = 0
  for (let i = first; i < end; i++) if (seen.has(blocks[i]?.text ?? 0)) count++
  return count * 2 > end - first
}
