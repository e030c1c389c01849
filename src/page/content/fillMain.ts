/**
 * Keeps the blocks between kept blocks.
 *
 * The main content of a documentation page is one element. A note, a table or an example that was left out inside it is a
 * gap, whatever it looks like. The main element is the deepest one that contains nearly everything that is kept, or an element
 * around it, as long as that adds nothing from beside the content.
 */

import { hintBit } from "../contentHints.ts"
import { SHOWN } from "../tree/Hidden.ts"
import { asideElements } from "./asides.ts"
import type { Outline } from "./Outline.ts"
import type { Block, Part } from "./Part.ts"

/** Keeps the visible blocks of the main element between kept blocks, and those before and after that belong to them. */
export const fillMain = (outline: Outline, keptMask: Uint8Array): void => {
  const main = mainOf(outline, keptMask)
  if (main === undefined) return
  if (main.name === "body") {
    // The content has no element of its own, so blocks after the last kept one may be the footer.
    const [first, last] = [keptMask.indexOf(1), keptMask.lastIndexOf(1)]
    return fill(outline, keptMask, main, (part, i) => (i < first ? isOfTitle(part) : i < last))
  }
  // Blocks that look like kept ones come first: they show how far the content reaches.
  const ways = new Set(outline.blocks.flatMap(({ part }, i) => (keptMask[i] === 1 ? part.way : [])))
  fill(outline, keptMask, main, (part) => ways.has(part.way))
  const [first, last] = [keptMask.indexOf(1), keptMask.lastIndexOf(1)]
  fill(
    outline,
    keptMask,
    main,
    (part, i, isOfKept) => (i < first ? isOfTitle(part) : i < last || isOfSection(part, main)) || isOfKept(part)
  )
}

/** Keeps the wanted blocks of the main element that are not beside the content. */
const fill = (
  { blocks }: Outline,
  keptMask: Uint8Array,
  main: Part,
  isWanted: (part: Part, i: number, isOfKept: (part: Part) => boolean) => boolean
): void => {
  const isOfLinks = linkedOf(blocks, keptMask) > mostOf
  const keptCounts = sumsOf(blocks, (_, i) => keptMask[i] ?? 0)
  const hasKept = ({ end, first }: Part): boolean => between(keptCounts, first, end) > 0
  /** Whether a part is beside the content: by its tag, by its class or id, or because it is a list of links. */
  const isBeside = (part: Part): boolean => {
    for (let at: Part | undefined = part; at !== undefined && at !== main; at = at.parent) {
      const { aside, counts, name } = at
      if (asideElements.has(name) && !quotes.has(at.parent?.name ?? "")) return true
      const isLinks = !isOfLinks && lists.has(name) && counts.linked > mostlyLinks && counts.blocks >= fewLinks
      if ((isLinks || (aside && !isBox(at))) && !hasKept(at)) return true
    }
    return false
  }
  const lastKept = keptMask.lastIndexOf(1)
  /** Whether a part is a box of text in the middle of the content. Books name such boxes "sidebar". */
  const isBox = ({ counts, end, first, hints, parent }: Part): boolean => {
    const isInside = parent !== undefined && first > parent.first && keptMask[first - 1] === 1 && end <= lastKept
    return isInside && counts.words >= boxWords && counts.linked < mostOf && (hints & otherHints) === 0
  }
  /** Whether something is kept of the part, or of a part around it inside the main element. */
  const isOfKept = (part: Part): boolean => {
    for (let at: Part | undefined = part; at !== undefined && at !== main; at = at.parent) if (hasKept(at)) return true
    return false
  }
  for (let i = main.first; i < main.end; i++) {
    const part = blocks[i]?.part
    if (part === undefined || keptMask[i] === 1 || part.veil !== SHOWN) continue
    if (isWanted(part, i, isOfKept) && !isBeside(part)) keptMask[i] = 1
  }
}

/** The main element; undefined: there is none that is mostly kept. */
const mainOf = ({ blocks, parts }: Outline, keptMask: Uint8Array): Part | undefined => {
  const words = sumsOf(blocks, ({ counts, part }) => (part.veil === SHOWN ? counts.words : 0))
  const keptWords = sumsOf(blocks, ({ counts, part }, i) =>
    part.veil === SHOWN && keptMask[i] === 1 ? counts.words : 0
  )
  const isMostlyKept = ({ end, first }: Part): boolean =>
    between(keptWords, first, end) > 0 && between(keptWords, first, end) >= mostOf * between(words, first, end)
  const enough = nearlyAll * (keptWords.at(-1) ?? 0)
  /** The depth of the innermost part beside the content that each part is or is in; 0: there is none. */
  const asides = new Int32Array(parts.length)
  let main: Part | undefined
  for (const part of parts) {
    const { aside, depth, end, first, name, number, parent } = part
    asides[number] = aside || asideElements.has(name) ? depth : (asides[parent?.number ?? -1] ?? 0)
    if (between(keptWords, first, end) >= enough && (main === undefined || depth > main.depth)) main = part
  }
  if (main === undefined) return undefined
  const hasAside = (from: number, to: number, depth: number): boolean => {
    for (let i = from; i < to; i++) if ((asides[blocks[i]?.part.number ?? -1] ?? 0) > depth) return true
    return false
  }
  for (let around = main.parent; around !== undefined && isInBody(around); around = around.parent) {
    const { depth, end, first } = around
    if (main.aside || asideElements.has(main.name) || !isMostlyKept(around)) break
    if (hasAside(first, main.first, depth) || hasAside(main.end, end, depth)) break
    main = around
  }
  // The body can be the main element if nothing beside the content is between its kept blocks.
  const isPlain = main.name === "body" && !hasAside(keptMask.indexOf(1), keptMask.lastIndexOf(1), main.depth)
  return (isPlain || isInBody(main)) && isMostlyKept(main) ? main : undefined
}

const nearlyAll = 0.9
const mostOf = 0.5
const mostlyLinks = 0.8
const fewLinks = 4
const lists = new Set(["ul", "ol", "menu"])
/** A `<footer>` in these names the author of the quote. */
const quotes = new Set(["blockquote", "figure"])

const isInBody = ({ name, parent }: Part): boolean => parent !== undefined && name !== "body" && name !== "html"

/** Whether a part is in a section of the main element that has headings and text, and no name of something else. */
const isOfSection = (part: Part, main: Part): boolean => {
  let section = part
  for (let at: Part | undefined = part; at !== undefined && at !== main; at = at.parent) {
    if ((at.hints & otherHints) !== 0) return false
    section = at
  }
  const { counts, headings, name } = section
  return name === "section" && headings > 0 && counts.words >= fewWords && counts.linked < mostOf
}

const fewWords = 8
const boxWords = 20

const otherHints = ["comments", "share", "related", "promotion", "form", "paging", "footer", "navigation"]
  .map(hintBit)
  .reduce((all, bit) => all | bit)

const isOfTitle = ({ name, parent }: Part): boolean => name === "h1" || parent?.name === "h1"

/** The share of links in what is kept, from 0 to 1. */
const linkedOf = (blocks: ReadonlyArray<Block>, keptMask: Uint8Array): number => {
  let [chars, links] = [0, 0]
  blocks.forEach(({ counts }, i) => {
    if (keptMask[i] === 0) return
    chars += counts.chars
    links += counts.linkChars
  })
  return chars === 0 ? 0 : links / chars
}

/** The sums over the blocks before each. */
const sumsOf = (blocks: ReadonlyArray<Block>, of: (block: Block, i: number) => number): Float64Array => {
  const sums = new Float64Array(blocks.length + 1)
  blocks.forEach((block, i) => {
    sums[i + 1] = (sums[i] ?? 0) + of(block, i)
  })
  return sums
}

const between = (sums: Float64Array, from: number, to: number): number => (sums[to] ?? 0) - (sums[from] ?? 0)
