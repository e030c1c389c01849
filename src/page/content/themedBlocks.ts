/** A page and the theme of its host: what the theme learns from the page, and which blocks of the page it keeps. */
import type { PageKind } from "../PageKind.ts"
import type { Sketch, Theme } from "../Theme.ts"
import { SHOWN } from "../tree/Hidden.ts"
import { hashWith } from "./letters.ts"
import type { Outline } from "./Outline.ts"
import type { Part } from "./Part.ts"

/** `kind`, `keptMask`: what was chosen as main content. */
export const sketchOf = ({ blocks, parts }: Outline, kind: PageKind, keptMask: Uint8Array): Sketch => {
  const elements: Array<number> = []
  const numbers = new Map<Part, number>()
  const numberOf = (part: Part | undefined): number =>
    part === undefined ? -1 : (numbers.get(part) ?? numberOf(part.parent))
  for (const part of parts) {
    if (part.veil !== SHOWN || part.end - part.first < fewBlocks || part.first >= mostBlocks) continue
    const around = numberOf(part.parent)
    numbers.set(part, numbers.size)
    elements.push(part.place, around)
  }
  return {
    isDocumentation: kind === "documentation",
    elements,
    blocks: blocks
      .slice(0, mostBlocks)
      .flatMap(({ counts: { linkWords, words }, part, text }, i) =>
        part.veil === SHOWN && words > 0
          ? [hashWith(text, part.place), words, linkWords, numberOf(part), keptMask[i] ?? 0]
          : []
      )
  }
}

const fewBlocks = 2
const mostBlocks = 2000

/**
 * The blocks that a theme keeps: those of the content element; undefined: the page has none. An element is not trusted if much
 * more is said outside of it, or is hidden in it.
 */
export const themedBlocks = (
  { blocks, parts }: Outline,
  { around, beside, content }: Theme
): Uint8Array | undefined => {
  const holder = holderOf(parts, content)
  if (holder === undefined) return undefined
  const mask = new Uint8Array(blocks.length).fill(1)
  const besides = new Set(beside)
  for (const part of parts) if (besides.has(part.place)) mask.fill(0, part.first, part.end)
  let [inside, outside, hidden] = [0, 0, 0]
  blocks.forEach(({ counts, part }, i) => {
    const isInside = i >= holder.first && i < holder.end
    const plainWords = counts.words - counts.linkWords
    if (part.veil !== SHOWN) hidden += isInside ? counts.words : 0
    else if (isInside) inside += counts.words
    else if (mask[i] === 1) outside += plainWords
    if (!isInside || part.veil !== SHOWN) mask[i] = 0
  })
  return inside > 0 && outside <= Math.max(inside, around * twice) && hidden <= inside ? mask : undefined
}

const twice = 2

/** The first of the content elements that stands once on the page. */
const holderOf = (parts: ReadonlyArray<Part>, content: ReadonlyArray<number>): Part | undefined => {
  const holders = new Map<number, Part | undefined>()
  for (const part of parts) {
    if (!content.includes(part.place) || part.veil !== SHOWN) continue
    holders.set(part.place, holders.has(part.place) ? undefined : part)
  }
  for (const place of content) {
    const holder = holders.get(place)
    if (holder !== undefined) return holder
  }
  return undefined
}
