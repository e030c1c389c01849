/**
 * Chooses the blocks that are the main content of a page.
 *
 * Trees that were trained on labelled pages (`bench/mainContent`) give each block a probability. The blocks above a threshold
 * are kept. Each page has its own threshold, the one with the best expected F1 of words, so a page without clear blocks keeps
 * more. Then rules keep blocks together that belong together. If the theme of the host is known and the page has it, its content
 * element is the choice (`themedBlocks.ts`).
 */
import { hintBit } from "../contentHints.ts"
import { type PageKind, pageKinds } from "../PageKind.ts"
import type { Theme } from "../Theme.ts"
import { SHOWN } from "../tree/Hidden.ts"
import { measureBlocks, names } from "./blockFeatures.ts"
import { chooseByRules } from "./chooseByRules.ts"
import { blockTrees, pageTrees } from "./contentTrees.ts"
import { fillMain } from "./fillMain.ts"
import { hiddenListOf } from "./hiddenList.ts"
import { keepCode, keepContents, keepHeadings, keepLists, keepPictures, keepTerms } from "./keepTogether.ts"
import type { Outline } from "./Outline.ts"
import type { PageFacts } from "./PageFacts.ts"
import type { Block, Part } from "./Part.ts"
import { measurePage } from "./pageFeatures.ts"
import { bannerOf, keepHeader, leaveNames, titleOf } from "./pageTitle.ts"
import { probabilityOf, Trees } from "./Trees.ts"
import { themedBlocks } from "./themedBlocks.ts"

interface Choice {
  readonly kind: PageKind
  /** For each block: 1 if it is kept. */
  readonly keptMask: Uint8Array
  /** The number of the block that is the title of the page; -1: there is none. */
  readonly title: number
  /** Whether a list is kept that is hidden until a script shows it. */
  readonly hasHiddenList: boolean
}

/** `theme`: of the host of the page, if it is known. */
export const chooseBlocks = (outline: Outline, facts: PageFacts, theme?: Theme): Choice => {
  const { blocks, root } = outline
  const page = measurePage(outline, facts)
  const kinds = kindsOf(page)
  const kind = pageKinds[kinds.indexOf(Math.max(...kinds))] ?? "article"
  const themed = theme === undefined ? undefined : themedBlocks(outline, theme)
  if (themed !== undefined) {
    const title = titleOf(outline, themed, facts, -1)
    if (title !== -1) themed[title] = 1
    return { kind, keptMask: themed, title, hasHiddenList: false }
  }
  const keptMask = root.counts.words < fewWords ? chooseByRules(outline) : chooseByTrees(outline, facts, page, kinds)
  keepContents(outline, keptMask)
  if (!keptMask.includes(1))
    for (let i = 0; i < blocks.length; i++) keptMask[i] = blocks[i]?.part.veil === SHOWN ? 1 : 0
  const banner = bannerOf(blocks, keptMask)
  if (banner !== -1) keptMask[banner] = 0
  const title = titleOf(outline, keptMask, facts, banner)
  if (title !== -1) keptMask[title] = 1
  // These rules need the title: blocks between it and the text are content.
  if (kind === "documentation") {
    keepHeader(outline, keptMask, title)
    fillMain(outline, keptMask)
  }
  keepCode(outline, keptMask)
  if (kind === "article") leavePlaceholders(blocks, keptMask)
  leaveNames(blocks, keptMask, facts, title)
  keepPictures(blocks, keptMask)
  const list = hiddenListOf(outline)
  if (list !== undefined) keptMask.fill(1, list.first, list.end)
  return { kind, keptMask, title, hasHiddenList: list !== undefined }
}

/** Pages with fewer words are too small for the trees. */
const fewWords = 150

const chooseByTrees = (outline: Outline, facts: PageFacts, page: Float64Array, kinds: Float64Array): Uint8Array => {
  const { blocks } = outline
  const likelihoods = alike(blocks, probabilities(outline, facts, page, kinds))
  const least = thresholdOf(blocks, likelihoods)
  const keptMask = Uint8Array.from(likelihoods, (likely) => (likely >= least ? 1 : 0))
  keepLists(outline, keptMask)
  keepHeadings(blocks, keptMask)
  keepTerms(outline, keptMask)
  leaveHidden(blocks, keptMask)
  if (pageKinds[kinds.indexOf(Math.max(...kinds))] !== "forum") leaveComments(outline, keptMask)
  return keptMask
}

/** Moves the probability of a repeated block (an item of a list, a row of a table) towards the average of all of them. */
const alike = (blocks: ReadonlyArray<Block>, likelihoods: Float64Array): Float64Array => {
  const ways = new Map<number, { sum: number; words: number; count: number }>()
  blocks.forEach(({ counts, part }, i) => {
    const way = ways.get(part.way) ?? { sum: 0, words: 0, count: 0 }
    const words = counts.words + 0.5
    way.sum += (likelihoods[i] ?? 0) * words
    way.words += words
    way.count++
    ways.set(part.way, way)
  })
  return likelihoods.map((likely, i) => {
    const way = ways.get(blocks[i]?.part.way ?? 0)
    return way === undefined || way.count < 3 ? likely : likely * ownShare + (way.sum / way.words) * (1 - ownShare)
  })
}

const ownShare = 0.25

/** Leaves out hidden text, unless more hidden than visible words are kept: then a script was going to show the text. */
const leaveHidden = (blocks: ReadonlyArray<Block>, keptMask: Uint8Array): void => {
  let [shown, hidden] = [0, 0]
  blocks.forEach(({ counts, part }, i) => {
    if (keptMask[i] === 0) return
    if (part.veil === SHOWN) shown += counts.words
    else hidden += counts.words
  })
  if (hidden > shown) return
  blocks.forEach(({ part }, i) => {
    if (part.veil !== SHOWN) keptMask[i] = 0
  })
}

/** Leaves out comments, unless they are at least half of what is kept. For pages other than forums. */
const leaveComments = ({ blocks, parts }: Outline, keptMask: Uint8Array): void => {
  if (!parts.some(({ hints }) => (hints & commentHint) !== 0)) return
  const isComment = blocks.map(({ part }) => isUnder(part, commentHint))
  let [all, comments] = [0, 0]
  blocks.forEach(({ counts }, i) => {
    if (keptMask[i] === 0) return
    all += counts.words
    if (isComment[i] === true) comments += counts.words
  })
  if (comments * 2 >= all) return
  blocks.forEach((_, i) => {
    if (isComment[i] === true) keptMask[i] = 0
  })
}

/**
 * Leaves out the sentence that stands in the place of each embed until the reader consents, and its heading: places of their own
 * that all say the same, and less than the rest of the article.
 */
const leavePlaceholders = (blocks: ReadonlyArray<Block>, keptMask: Uint8Array): void => {
  /** The text of a way; undefined: it has several. A way with a single block is in `once`. */
  const texts = new Map<number, number | undefined>()
  const once = new Set<number>()
  for (const { part, text } of blocks) {
    if (texts.has(part.way)) once.delete(part.way)
    else once.add(part.way)
    texts.set(part.way, !texts.has(part.way) || texts.get(part.way) === text ? text : undefined)
  }
  const rest = Uint8Array.from(keptMask)
  let left = -1
  for (let i = blocks.length - 1; i >= 0; i--) {
    const { counts, part } = blocks[i] ?? {}
    if (counts === undefined || part === undefined || once.has(part.way) || texts.get(part.way) === undefined) continue
    if (counts.words < fewestOfSentence && left !== i + 1) continue
    if (counts.words > 0) rest[i] = 0
    left = i
  }
  const wordsIn = (mask: Uint8Array): number =>
    blocks.reduce((sum, { counts }, i) => (mask[i] === 1 ? sum + counts.words : sum), 0)
  if (wordsIn(rest) * 2 > wordsIn(keptMask)) keptMask.set(rest)
}

const fewestOfSentence = 10

const isUnder = (part: Part, hint: number): boolean => {
  for (let at: Part | undefined = part; at !== undefined; at = at.parent) if ((at.hints & hint) !== 0) return true
  return false
}

const commentHint = hintBit("comments")

let trees: { readonly page: Trees; readonly block: Trees } | undefined

/** The tables are decoded when the first page needs them. */
const learned = (): { readonly page: Trees; readonly block: Trees } => {
  trees ??= { page: new Trees(pageTrees), block: new Trees(blockTrees) }
  return trees
}

const kindsOf = (page: Float64Array): Float64Array => {
  const scores = learned().page.score(page).map(Math.exp)
  const sum = scores.reduce((all, score) => all + score, 0)
  return scores.map((score) => score / sum)
}

const probabilities = (outline: Outline, facts: PageFacts, page: Float64Array, kinds: Float64Array): Float64Array => {
  const rows = measureBlocks(outline, facts)
  const width = names.length
  const { block } = learned()
  // The features of the page are the same for all blocks, so they are evaluated once.
  const ofPage = block.all()
  block.narrow(ofPage, Float64Array.of(...page, ...kinds), 0, width, block.width)
  const leaves = block.all()
  const likelihoods = new Float64Array(outline.blocks.length)
  for (let i = 0; i < likelihoods.length; i++) {
    leaves.set(ofPage)
    block.narrow(leaves, rows, i * width, 0, width)
    likelihoods[i] = probabilityOf(block.sum(leaves))
  }
  return likelihoods
}

/** The probability from which blocks are kept: the one with the best expected F1 of words. */
const thresholdOf = (blocks: ReadonlyArray<Block>, likelihoods: Float64Array): number => {
  let all = 0
  blocks.forEach(({ counts }, i) => {
    all += (likelihoods[i] ?? 0) * counts.words
  })
  const order = Array.from(likelihoods.keys()).sort((a, b) => (likelihoods[b] ?? 0) - (likelihoods[a] ?? 0))
  let [expected, words, best, least] = [0, 0, -1, 1]
  for (const i of order) {
    const size = blocks[i]?.counts.words ?? 0
    expected += (likelihoods[i] ?? 0) * size
    words += size
    const agreement = words + all === 0 ? 0 : (2 * expected) / (words + all)
    if (agreement <= best) continue
    best = agreement
    least = likelihoods[i] ?? 0
  }
  return Math.max(least, floor)
}

/** Blocks with a lower probability are never kept. */
const floor = 0.15
