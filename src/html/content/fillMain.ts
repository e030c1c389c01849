/**
 * What stands between parts that are kept is kept.
 *
 * The main content of a manual is one element: a note, a table or an example in it that was left out is a hole, whatever it
 * looks like. The element is the deepest one that holds nearly all that is kept, or one around it, as long as that adds
 * nothing from beside the content.
 */
import { SHOWN } from "../Hidden.ts"
import { hintBit } from "./hints.ts"
import type { Outline } from "./Outline.ts"
import type { Block, Part } from "./Part.ts"

/** Keeps what the main element shows between what is kept of it, and before and after that what belongs to such parts. */
export const fillMain = (outline: Outline, kept: Uint8Array): void => {
  const main = mainOf(outline, kept)
  if (main === undefined) return
  if (main.name === "body") {
    // Below the last section of a page without an element for its content, its footer looks like its text.
    const [first, last] = [kept.indexOf(1), kept.lastIndexOf(1)]
    return fill(outline, kept, main, (part, i) => (i < first ? isOfTitle(part) : i < last))
  }
  // What looks like what is kept comes first: it says how far the content goes.
  const ways = new Set(outline.blocks.flatMap(({ part }, i) => (kept[i] === 1 ? part.way : [])))
  fill(outline, kept, main, (part) => ways.has(part.way))
  const [first, last] = [kept.indexOf(1), kept.lastIndexOf(1)]
  fill(
    outline,
    kept,
    main,
    (part, i, isOfKept) => (i < first ? isOfTitle(part) : i < last || isOfSection(part, main)) || isOfKept(part)
  )
}

/** Keeps the blocks of the main element that are wanted, and that do not stand beside the content. */
const fill = (
  { blocks }: Outline,
  kept: Uint8Array,
  main: Part,
  isWanted: (part: Part, i: number, isOfKept: (part: Part) => boolean) => boolean
): void => {
  const isOfLinks = linkedOf(blocks, kept) > mostOf
  const keptCounts = sumsOf(blocks, (_, i) => kept[i] ?? 0)
  const hasKept = ({ end, first }: Part): boolean => between(keptCounts, first, end) > 0
  /** Whether a part stands beside the content: by its tag, by its name, or as a list of links. */
  const isBeside = (part: Part): boolean => {
    for (let at: Part | undefined = part; at !== undefined && at !== main; at = at.parent) {
      const { aside, counts, name } = at
      if (beside.has(name) && !quotes.has(at.parent?.name ?? "")) return true
      const isLinks = !isOfLinks && lists.has(name) && counts.linked > mostlyLinks && counts.blocks >= fewLinks
      if ((isLinks || (aside && !isBox(at))) && !hasKept(at)) return true
    }
    return false
  }
  const lastKept = kept.lastIndexOf(1)
  /** Whether a part is a box of text in the middle of the content, whatever its name: a book calls it "sidebar". */
  const isBox = ({ counts, end, first, hints, parent }: Part): boolean => {
    const isInside = parent !== undefined && first > parent.first && kept[first - 1] === 1 && end <= lastKept
    return isInside && counts.words >= boxWords && counts.linked < mostOf && (hints & otherHints) === 0
  }
  /** Whether a part is of an inner part of which something is kept. */
  const isOfKept = (part: Part): boolean => {
    for (let at: Part | undefined = part; at !== undefined && at !== main; at = at.parent) if (hasKept(at)) return true
    return false
  }
  for (let i = main.first; i < main.end; i++) {
    const part = blocks[i]?.part
    if (part === undefined || kept[i] === 1 || part.veil !== SHOWN) continue
    if (isWanted(part, i, isOfKept) && !isBeside(part)) kept[i] = 1
  }
}

/** The main element, where there is one that is mostly kept. */
const mainOf = ({ blocks, parts }: Outline, kept: Uint8Array): Part | undefined => {
  const words = sumsOf(blocks, ({ counts, part }) => (part.veil === SHOWN ? counts.words : 0))
  const keptWords = sumsOf(blocks, ({ counts, part }, i) => (part.veil === SHOWN && kept[i] === 1 ? counts.words : 0))
  const isMostlyKept = ({ end, first }: Part): boolean =>
    between(keptWords, first, end) > 0 && between(keptWords, first, end) >= mostOf * between(words, first, end)
  const enough = nearlyAll * (keptWords.at(-1) ?? 0)
  /** Of each part, how deep the deepest part that it is or stands in, and that stands beside the content, is; or 0. */
  const asides = new Int32Array(parts.length)
  let main: Part | undefined
  for (const part of parts) {
    const { aside, depth, end, first, name, number, parent } = part
    asides[number] = aside || beside.has(name) ? depth : (asides[parent?.number ?? -1] ?? 0)
    if (between(keptWords, first, end) >= enough && (main === undefined || depth > main.depth)) main = part
  }
  if (main === undefined) return undefined
  const hasAside = (from: number, to: number, depth: number): boolean => {
    for (let i = from; i < to; i++) if ((asides[blocks[i]?.part.number ?? -1] ?? 0) > depth) return true
    return false
  }
  for (let around = main.parent; around !== undefined && isInBody(around); around = around.parent) {
    const { depth, end, first } = around
    if (main.aside || beside.has(main.name) || !isMostlyKept(around)) break
    if (hasAside(first, main.first, depth) || hasAside(main.end, end, depth)) break
    main = around
  }
  // The body itself, where sections stand in it one after the other, with nothing from beside the content in between.
  const isPlain = main.name === "body" && !hasAside(kept.indexOf(1), kept.lastIndexOf(1), main.depth)
  return (isPlain || isInBody(main)) && isMostlyKept(main) ? main : undefined
}

const nearlyAll = 0.9
const mostOf = 0.5
const mostlyLinks = 0.8
const fewLinks = 4
const lists = new Set(["ul", "ol", "menu"])
const beside = new Set(["nav", "aside", "footer"])
/** What stands at their foot is who said it. */
const quotes = new Set(["blockquote", "figure"])

const isInBody = ({ name, parent }: Part): boolean => parent !== undefined && name !== "body" && name !== "html"

/** Whether a part is of a section of the main element: one of text under headings, whose names say nothing else. */
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

/** Of 1, how much of what is kept is links. */
const linkedOf = (blocks: ReadonlyArray<Block>, kept: Uint8Array): number => {
  let [chars, links] = [0, 0]
  blocks.forEach(({ counts }, i) => {
    if (kept[i] === 0) return
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
