/** Finds the title of a page among its blocks, and distinguishes it from the banner or the name of the site. */

import { hintBit } from "../contentHints.ts"
import { SHOWN } from "../tree/Hidden.ts"
import { asideElements } from "./asides.ts"
import type { Outline } from "./Outline.ts"
import type { PageFacts } from "./PageFacts.ts"
import type { Block, Part } from "./Part.ts"

/**
 * The number of the block that is the banner of the site; -1: there is none. The first `h1` is the banner if it is a link and
 * a later `h1`, which is not a link, is kept.
 */
export const bannerOf = (blocks: ReadonlyArray<Block>, keptMask: Uint8Array): number => {
  const first = blocks.findIndex((block) => isTopHeading(block) && block.counts.words > 0)
  const banner = blocks[first]
  if (banner === undefined || !isLink(banner)) return -1
  return blocks.some((block, i) => i > first && keptMask[i] === 1 && isTopHeading(block) && !isLink(block)) ? first : -1
}

const isTopHeading = ({ part }: Block): boolean => part.name === "h1" || part.parent?.name === "h1"
const isLink = ({ counts }: Block): boolean => counts.linked > 0.9

/**
 * The number of the block that is the title; -1: there is none. It is a heading whose text is the page's title, or a piece of
 * it. If there are several, a heading in the main part is preferred, then one that is not a link, then one that is kept, then
 * the longest. If there is none, it is a line above the content with the whole title, or the only `h1`.
 */
export const titleOf = (outline: Outline, keptMask: Uint8Array, facts: PageFacts, banner: number): number => {
  const { blocks } = outline
  const { site, titles } = facts
  const end = keptMask.lastIndexOf(1)
  const size = (i: number): number => {
    const block = blocks[i]
    if (block === undefined) return -1
    return (
      (isInMain(block.part) ? inMain : 0) +
      (isLink(block) ? 0 : plain) +
      (keptMask[i] === 1 ? longest : 0) +
      block.counts.chars
    )
  }
  let titleAt = -1
  for (let i = 0; i <= end; i++) {
    const block = blocks[i]
    if (block === undefined || i === banner || !isHeading(block) || !titles.has(block.text) || block.text === site)
      continue
    if (block.part.veil === SHOWN && (titleAt === -1 || size(i) > size(titleAt))) titleAt = i
  }
  if (titleAt !== -1) return titleAt
  const line = lineOf(blocks, keptMask, facts)
  return line === -1 ? onlyTopOf(outline, keptMask, facts, banner) : line
}

/** The number of the only `h1`, if it is near the start of the content; -1: there is none. `<title>` can have other words. */
const onlyTopOf = ({ blocks, parts }: Outline, keptMask: Uint8Array, { site }: PageFacts, banner: number): number => {
  const tops = blocks.flatMap((block, i) => (block.part.veil === SHOWN && isTopHeading(block) ? [i] : []))
  const [top = -1] = tops
  const block = blocks[top]
  if (block === undefined || tops.length > 1 || top === banner || block.links > 0 || block.text === site) return -1
  if (Math.abs(top - keptMask.indexOf(1)) > near || top > keptMask.lastIndexOf(1)) return -1
  const hasMain = parts.some(({ stands }) => stands === "main")
  return hasMain === isInMain(block.part) && !isInBanner(block.part) ? top : -1
}

/** Whether a part is beside the content, or in the header of the site. */
const isInBanner = (part: Part): boolean => {
  let isInHeader = false
  for (let at: Part | undefined = part; at !== undefined; at = at.parent) {
    if (at.stands === "main" || at.stands === "article") return false
    if (at.aside || asideElements.has(at.name)) return true
    isInHeader ||= at.name === "header" || ((at.hints & hintBit("header")) !== 0 && !isPlain(at))
  }
  return isInHeader
}

/** The number of a block just above the content that is the whole title and has no link; -1: there is none. */
const lineOf = (blocks: ReadonlyArray<Block>, keptMask: Uint8Array, { site, wholeTitles }: PageFacts): number => {
  const first = keptMask.indexOf(1)
  for (let i = first - 1; i >= Math.max(0, first - near); i--) {
    const block = blocks[i]
    if (block === undefined || block.part.veil !== SHOWN || block.links > 0 || block.text === site) continue
    if (wholeTitles.has(block.text)) return i
  }
  return -1
}

/** The maximum number of blocks between the title and the text: a table of contents may be there. */
const near = 40

/**
 * Keeps the header of a page with a single `h1`: the largest element around it without links, pictures and controls. The
 * banner of a site has one of these: its `h1` is left out. If the title is outside of that element, nothing is kept.
 */
export const keepHeader = ({ parts }: Outline, keptMask: Uint8Array, title: number): void => {
  const tops = parts.filter(({ name, veil }) => name === "h1" && veil === SHOWN)
  const [top] = tops
  if (top === undefined || tops.length > 1) return
  if (title === -1 && isInBanner(top)) keptMask.fill(0, top.first, top.end)
  if (!isPlain(top)) return
  let header: Part = top
  while (header.parent !== undefined && header.parent.name !== "body" && isPlain(header.parent)) header = header.parent
  if (title !== -1 && (title < header.first || title >= header.end)) return
  // Without an element around it, a heading is not a header.
  if (header !== top && header.first <= keptMask.indexOf(1)) keptMask.fill(1, header.first, header.end)
}

const isPlain = ({ controls, counts, images }: Part): boolean =>
  counts.linkChars === 0 && images === 0 && controls === 0 && counts.words <= mostWords

const mostWords = 80

/** Leaves out headings above a title in the main part that are a piece of the page's title: they are the name of the site. */
export const leaveNames = (
  blocks: ReadonlyArray<Block>,
  keptMask: Uint8Array,
  { titles }: PageFacts,
  title: number
): void => {
  const chosen = blocks[title]
  if (chosen === undefined || !isInMain(chosen.part)) return
  for (let i = 0; i < title; i++) {
    const block = blocks[i]
    if (block !== undefined && isHeading(block) && !isInMain(block.part) && titles.has(block.text)) keptMask[i] = 0
  }
}

const longest = 1e9
const plain = 1e10
/** A heading outside of the main part may be the banner of the site. */
const inMain = 1e11

const isInMain = (part: Part): boolean => {
  for (let at: Part | undefined = part; at !== undefined; at = at.parent) if (at.stands === "main") return true
  return false
}

const isHeading = ({ part }: Block): boolean => heading.test(part.name) || heading.test(part.parent?.name ?? "")
const heading = /^h[1-3]$/
