/**
 * The features of a block, as numbers: of itself, the parts around it, its neighbours, its position, and repeated blocks.
 *
 * `names` is the order of the features in a row. The trees were trained with exactly this order (`bench/mainContent`).
 */
import { hintNames } from "../contentHints.ts"
import type { Outline } from "./Outline.ts"
import type { PageFacts } from "./PageFacts.ts"
import type { Part } from "./Part.ts"
import { factsOfParts, far, surroundings } from "./partFacts.ts"
import { scoreParts } from "./places.ts"
import { groupsOf, noGroup, windowsOf } from "./repetition.ts"

const levels = 5
const neighbours = [-2, -1, 1, 2]

const own = [
  "words",
  "chars",
  "linked",
  "links",
  "link words",
  "commas",
  "stops",
  "digits",
  "uppers",
  "money",
  "word length",
  "bold",
  "code",
  "images",
  "breaks",
  "ends sentence",
  "ends colon",
  "starts upper",
  "tag",
  "heading",
  "is title",
  "blocks of part",
  "place in part"
]
const perLevel = ["linked", "words", "blocks", "words a block", "share", "tag", "paragraphs", "controls", "score"]
const perNeighbour = ["words", "linked", "tag", "same way", "paragraph"]

export const names: ReadonlyArray<string> = [
  ...own,
  ...surroundings.map((name) => `in ${name}`),
  ...hintNames.map((name) => `hint ${name}`),
  ...Array.from({ length: levels }, (_, level) => perLevel.map((name) => `${name} ${level + 1}`)).flat(),
  ...neighbours.flatMap((at) => perNeighbour.map((name) => `${name} of ${at}`)),
  "block",
  "words before",
  "words after",
  "headings before",
  "to heading",
  "level of heading",
  "words under heading",
  "to title",
  "after title",
  "depth",
  "named aside",
  "veil",
  "veiled words",
  "unveiled words",
  "which of the same text",
  "text again",
  "way again",
  "way words",
  "way linked",
  "way share",
  "tags again",
  "tags words",
  "in best",
  "score",
  "to best",
  "before best",
  "best share",
  "best linked",
  "words around",
  "linked around",
  "paragraphs around"
]

/** The features of all blocks, row after row. */
export const measureBlocks = (outline: Outline, facts: PageFacts): Float64Array => {
  const { blocks, root } = outline
  const width = names.length
  const rows = new Float64Array(blocks.length * width)
  const best = scoreParts(outline)
  const factsOf = factsOfParts(outline)
  const groups = groupsOf(blocks, factsOf)
  const around = windowsOf(blocks)
  const titleAt = blocks.findIndex(({ part, text }) => factsOf(part).heading > 0 && facts.titles.has(text))
  const allWords = root.counts.words
  const seen = new Map<number, number>()
  let veiled = 0
  for (const { counts, part } of blocks) if (part.veil !== 0) veiled += counts.words
  let wordsBefore = 0
  let headings = 0
  let headingAt = -1
  let headingLevel = 0
  let wordsUnder = 0
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]
    if (block === undefined) continue
    const { counts, part } = block
    let at = i * width
    const chars = Math.max(1, counts.chars)
    const words = Math.max(1, counts.words)
    const place = factsOf(part)
    const { heading } = place
    if (heading > 0) {
      headings++
      headingAt = i
      headingLevel = heading
      wordsUnder = 0
    }
    const inPart = part.end - part.first
    // Itself.
    rows[at++] = counts.words
    rows[at++] = counts.chars
    rows[at++] = counts.linked
    rows[at++] = block.links
    rows[at++] = counts.linkWords
    rows[at++] = counts.commas / words
    rows[at++] = counts.stops / words
    rows[at++] = counts.digits / chars
    rows[at++] = counts.uppers / chars
    rows[at++] = counts.money
    rows[at++] = chars / words
    rows[at++] = block.bold / chars
    rows[at++] = block.code / chars
    rows[at++] = block.images
    rows[at++] = block.breaks
    rows[at++] = endsSentence.has(block.last) ? 1 : 0
    rows[at++] = block.last === 58 ? 1 : 0
    rows[at++] = block.startsUpper ? 1 : 0
    rows[at++] = place.tag
    rows[at++] = heading
    rows[at++] = facts.titles.has(block.text) ? 1 : 0
    rows[at++] = inPart
    rows[at++] = inPart === 0 ? 0 : (i - part.first) / inPart
    // The parts around it.
    for (let bit = 0; bit < surroundings.length; bit++) rows[at++] = (place.surroundings >> bit) & 1
    for (let hint = 0; hint < hintNames.length; hint++) rows[at++] = place.hints[hint] ?? far
    let level = 0
    for (let holder: Part | undefined = place.distinct; holder?.parent !== undefined && level < levels; level++) {
      const { counts } = holder
      const size = holder.end - holder.first
      rows[at++] = counts.linked
      rows[at++] = counts.words
      rows[at++] = size
      rows[at++] = size === 0 ? 0 : counts.words / size
      rows[at++] = allWords === 0 ? 0 : counts.words / allWords
      rows[at++] = factsOf(holder).tag
      rows[at++] = size === 0 ? 0 : counts.paragraphs / size
      rows[at++] = holder.controls
      rows[at++] = best === undefined || best.score <= 0 ? 0 : holder.score / best.score
      holder = factsOf(holder).outer
    }
    for (; level < levels; level++) for (let i = 0; i < perLevel.length; i++) rows[at++] = -1
    // Its neighbours.
    for (const offset of neighbours) {
      const other = blocks[i + offset]
      rows[at++] = other?.counts.words ?? -1
      rows[at++] = other?.counts.linked ?? -1
      rows[at++] = other === undefined ? -1 : factsOf(other.part).tag
      rows[at++] = other?.part.way === part.way ? 1 : 0
      rows[at++] = other?.counts.paragraphs ?? 0
    }
    // Its position.
    rows[at++] = i / blocks.length
    rows[at++] = allWords === 0 ? 0 : wordsBefore / allWords
    rows[at++] = allWords === 0 ? 0 : (allWords - wordsBefore - counts.words) / allWords
    rows[at++] = headings
    rows[at++] = headingAt === -1 ? -1 : i - headingAt
    rows[at++] = headingLevel
    rows[at++] = wordsUnder
    rows[at++] = titleAt === -1 ? -1000 : i - titleAt
    rows[at++] = titleAt === -1 ? -1 : i > titleAt ? 1 : 0
    rows[at++] = part.depth
    rows[at++] = place.aside
    rows[at++] = part.veil
    rows[at++] = veiled
    rows[at++] = allWords - veiled
    // Repeated blocks.
    const before = seen.get(block.text) ?? 0
    seen.set(block.text, before + 1)
    rows[at++] = before
    const ways = groups.ways.get(part.way) ?? noGroup
    const tagGroup = groups.tags.get(place.tagWay) ?? noGroup
    rows[at++] = groups.texts.get(block.text) ?? 1
    rows[at++] = ways.count
    rows[at++] = ways.count === 0 ? 0 : ways.words / ways.count
    rows[at++] = ways.chars === 0 ? 0 : ways.linkChars / ways.chars
    rows[at++] = allWords === 0 ? 0 : ways.words / allWords
    rows[at++] = tagGroup.count
    rows[at++] = tagGroup.count === 0 ? 0 : tagGroup.words / tagGroup.count
    // The part with the best score.
    rows[at++] = best !== undefined && i >= best.first && i < best.end ? 1 : 0
    rows[at++] = best === undefined || best.score <= 0 ? 0 : place.score / best.score
    rows[at++] = best === undefined ? -1 : stepsTo(part, best)
    rows[at++] = best === undefined ? 0 : i < best.first ? best.first - i : i >= best.end ? best.end - 1 - i : 0
    rows[at++] = best === undefined || allWords === 0 ? 0 : best.counts.words / allWords
    rows[at++] = best === undefined ? 0 : best.counts.linked
    rows[at++] = around.words[i] ?? 0
    rows[at++] = around.linked[i] ?? 0
    rows[at++] = around.paragraphs[i] ?? 0
    wordsBefore += counts.words
    if (heading === 0) wordsUnder += counts.words
  }
  return rows
}

const stepsTo = (part: Part, best: Part): number => {
  let at: Part | undefined = part
  for (let steps = 0; at !== undefined; steps++, at = at.parent) {
    if (at.first <= best.first && at.end >= best.end) return at === best ? -1 : steps
  }
  return 99
}

const endsSentence = new Set(".!?…。！？।؟".split("").map((char) => char.charCodeAt(0)))
