/**
 * Chooses the main content of a page with few words, by rules: such a page has too few features for the trees.
 *
 * Parts that are named as navigation, banner, footer or sidebar are left out. If `<main>` or an article has half of the text,
 * everything outside of it is left out, too. A rule that would leave too little is not applied, so the text is never lost.
 */

import { hintBit } from "../contentHints.ts"
import { SHOWN } from "../tree/Hidden.ts"
import type { Outline } from "./Outline.ts"
import type { Block, Part } from "./Part.ts"

const MAIN = 1
const ARTICLE = 2
const ASIDE = 4
const LOST = 8

/** For each block: 1 if it is kept. */
export const chooseByRules = ({ blocks }: Outline): Uint8Array => {
  const regions = new Map<Part, number>()
  const blockRegions = blocks.map(({ part }) => regionOf(part, regions))
  const weigh = (is: (region: number) => boolean): number =>
    blocks.reduce((sum, { counts }, i) => {
      const weight = counts.chars - counts.linkChars + counts.linkChars * linkWeight
      return is(blockRegions[i] ?? 0) ? sum + weight : sum
    }, 0)
  const body = weigh((region) => region < ASIDE)
  const keep = (is: (region: number) => boolean) => Uint8Array.from(blockRegions, (region) => (is(region) ? 1 : 0))
  for (const part of [MAIN, ARTICLE]) {
    const weight = weigh((region) => region < ASIDE && (region & part) !== 0)
    const least = part === MAIN && hasHeading(blocks, blockRegions) ? minWithHeading : minText
    if (weight >= least && weight >= body * minShare) return keep((region) => region < ASIDE && (region & part) !== 0)
  }
  if (body > 0 && body >= weigh((region) => region < LOST) * minOfAll) return keep((region) => region < ASIDE)
  // A contents page: all of its text is links, so links count here.
  const count = (is: (region: number) => boolean): number =>
    blocks.reduce((sum, { counts }, i) => (is(blockRegions[i] ?? 0) ? sum + counts.chars : sum), 0)
  const shown = count((region) => region < ASIDE)
  if (shown >= minContents && shown >= count((region) => region < LOST) * minOfAll)
    return keep((region) => region < ASIDE)
  return keep((region) => region < LOST)
}

const regionOf = (part: Part, known: Map<Part, number>): number => {
  const before = known.get(part)
  if (before !== undefined) return before
  const outer = part.parent === undefined ? 0 : regionOf(part.parent, known)
  const region = outer >= ASIDE ? outer : ownRegionOf(part, outer)
  const visibleRegion = part.veil === SHOWN ? region : region | LOST
  known.set(part, visibleRegion)
  return visibleRegion
}

const ownRegionOf = (part: Part, outer: number): number => {
  const { aside, name, stands } = part
  if (stands === "main") return outer | MAIN
  if (stands === "article") return outer | ARTICLE
  if (name === "nav" || name === "aside" || name === "footer") return outer | ASIDE
  if (name === "header" && (outer & (MAIN | ARTICLE)) === 0) return outer | ASIDE
  return (aside || isPaging(part)) && name !== "body" && name !== "html" ? outer | ASIDE : outer
}

/** Whether a part consists of links to the next and the previous page, and has a name such as "header". */
const isPaging = ({ counts, headings, hints }: Part): boolean =>
  (hints & pagingHints) !== 0 && headings === 0 && counts.linked > mostlyLinks

const pagingHints = hintBit("header") | hintBit("navigation") | hintBit("paging")
const mostlyLinks = 0.5

/** Whether `<main>` has a heading: then a single sentence under it can be the page. */
const hasHeading = (blocks: ReadonlyArray<Block>, blockRegions: ReadonlyArray<number>): boolean =>
  blocks.some(
    ({ part }, i) =>
      heading.test(part.name) && (blockRegions[i] ?? LOST) < ASIDE && ((blockRegions[i] ?? 0) & MAIN) !== 0
  )

const heading = /^h[1-3]$/
const minWithHeading = 30

/** A part with a smaller share of the text is not the main content. */
const minShare = 0.5
const minOfAll = 0.35
const minText = 170
const minContents = 40
const linkWeight = 0.001
