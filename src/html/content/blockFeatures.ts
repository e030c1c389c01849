/**
 * What a block of a page is like, as numbers: itself, the parts it stands in, its neighbours, its place, what is repeated.
 *
 * `names` says what stands where in a row; the table of trees was made for exactly this order (`bench/mainContent`).
 */
import { hintNames } from "./hints.ts"
import type { Block, Outline, Part } from "./Outline.ts"
import type { PageFacts } from "./PageFacts.ts"
import { scoreParts } from "./places.ts"

const tagOrder =
  "p pre blockquote li dd dt h1 h2 h3 h4 h5 h6 td th caption figcaption figure div section article main table tr tbody ul ol dl summary details address aside header footer nav form fieldset label body"
const tags = new Map(tagOrder.split(" ").map((name, at) => [name, at]))
const tagOf = (name: string | undefined): number => (name === undefined ? -1 : (tags.get(name) ?? 40))

/** Elements that say something about all that they hold. */
const surroundings =
  "main article nav aside header footer section form table ul blockquote figure details address dl pre".split(" ")
const surroundingBits = new Map(surroundings.map((name, at) => [name, 1 << at]))

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
  const groups = groupsOf(blocks)
  const around = windowsOf(blocks)
  const known = new Map<Part, PartFacts>()
  const factsOf = (part: Part): PartFacts => {
    const before = known.get(part)
    if (before !== undefined) return before
    const made = partFacts(part, part.parent === undefined ? undefined : factsOf(part.parent))
    known.set(part, made)
    return made
  }
  const titleAt = blocks.findIndex((block) => isHeading(block) && facts.titles.has(block.text))
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
    const put = (value: number): void => {
      rows[at++] = value
    }
    const chars = Math.max(1, counts.chars)
    const words = Math.max(1, counts.words)
    const heading = isHeading(block)
    if (heading) {
      headings++
      headingAt = i
      headingLevel = headingLevelOf(part)
      wordsUnder = 0
    }
    const inPart = part.end - part.first
    // Itself.
    put(counts.words)
    put(counts.chars)
    put(counts.linked)
    put(block.links)
    put(counts.linkWords)
    put(counts.commas / words)
    put(counts.stops / words)
    put(counts.digits / chars)
    put(counts.uppers / chars)
    put(counts.money)
    put(chars / words)
    put(block.bold / chars)
    put(block.code / chars)
    put(block.images)
    put(block.breaks)
    put(endsSentence.has(block.last) ? 1 : 0)
    put(block.last === 58 ? 1 : 0)
    put(block.startsUpper ? 1 : 0)
    put(tagOf(part.name))
    put(heading ? headingLevelOf(part) : 0)
    put(facts.titles.has(block.text) ? 1 : 0)
    put(inPart)
    put(inPart === 0 ? 0 : (i - part.first) / inPart)
    // What it stands in.
    const place = factsOf(part)
    for (let bit = 0; bit < surroundings.length; bit++) put((place.surroundings >> bit) & 1)
    for (let hint = 0; hint < hintNames.length; hint++) put(place.hints[hint] ?? far)
    let level = 0
    for (let at: Part | undefined = place.distinct; at?.parent !== undefined && level < levels; level++) {
      const { counts } = at
      const size = at.end - at.first
      put(counts.linked)
      put(counts.words)
      put(size)
      put(size === 0 ? 0 : counts.words / size)
      put(allWords === 0 ? 0 : counts.words / allWords)
      put(tagOf(at.name))
      put(size === 0 ? 0 : counts.paragraphs / size)
      put(at.controls)
      put(best === undefined || best.score <= 0 ? 0 : at.score / best.score)
      at = factsOf(at).outer
    }
    for (; level < levels; level++) for (let i = 0; i < perLevel.length; i++) put(-1)
    // Its neighbours.
    for (const offset of neighbours) {
      const other = blocks[i + offset]
      put(other?.counts.words ?? -1)
      put(other?.counts.linked ?? -1)
      put(tagOf(other?.part.name))
      put(other?.part.way === part.way ? 1 : 0)
      put(other?.counts.paragraphs ?? 0)
    }
    // Its place.
    put(i / blocks.length)
    put(allWords === 0 ? 0 : wordsBefore / allWords)
    put(allWords === 0 ? 0 : (allWords - wordsBefore - counts.words) / allWords)
    put(headings)
    put(headingAt === -1 ? -1 : i - headingAt)
    put(headingLevel)
    put(wordsUnder)
    put(titleAt === -1 ? -1000 : i - titleAt)
    put(titleAt === -1 ? -1 : i > titleAt ? 1 : 0)
    put(part.depth)
    put(place.aside)
    put(part.veil)
    put(veiled)
    put(allWords - veiled)
    // What is repeated.
    const before = seen.get(block.text) ?? 0
    seen.set(block.text, before + 1)
    put(before)
    const ways = groups.ways.get(part.way) ?? noGroup
    const tagGroup = groups.tags.get(tagWay(part)) ?? noGroup
    put(groups.texts.get(block.text) ?? 1)
    put(ways.count)
    put(ways.count === 0 ? 0 : ways.words / ways.count)
    put(ways.chars === 0 ? 0 : ways.linkChars / ways.chars)
    put(allWords === 0 ? 0 : ways.words / allWords)
    put(tagGroup.count)
    put(tagGroup.count === 0 ? 0 : tagGroup.words / tagGroup.count)
    // The part that the paragraphs speak for.
    put(best !== undefined && i >= best.first && i < best.end ? 1 : 0)
    put(best === undefined || best.score <= 0 ? 0 : place.score / best.score)
    put(best === undefined ? -1 : stepsTo(part, best))
    put(best === undefined ? 0 : i < best.first ? best.first - i : i >= best.end ? best.end - 1 - i : 0)
    put(best === undefined || allWords === 0 ? 0 : best.counts.words / allWords)
    put(best === undefined ? 0 : best.counts.linked)
    put(around.words[i] ?? 0)
    put(around.linked[i] ?? 0)
    put(around.paragraphs[i] ?? 0)
    wordsBefore += counts.words
    if (!heading) wordsUnder += counts.words
  }
  return rows
}

/** "No such hint above". */
const far = 40

interface PartFacts {
  readonly surroundings: number
  /** How many parts up the nearest part with each hint is. */
  readonly hints: Uint8Array
  /** The outermost part that holds the same blocks. */
  readonly distinct: Part
  /** The next part that holds more. */
  readonly outer: Part | undefined
  /** How many parts up one is that is named as beside the content. */
  readonly aside: number
  /** The best score of the part and of those that it stands in. */
  readonly score: number
}

const partFacts = (part: Part, above: PartFacts | undefined): PartFacts => {
  const hints = new Uint8Array(hintNames.length)
  for (let hint = 0; hint < hintNames.length; hint++) {
    hints[hint] = (part.hints >> hint) & 1 ? 0 : Math.min(far, (above?.hints[hint] ?? far) + 1)
  }
  const { parent } = part
  const isSame = parent?.parent !== undefined && parent.first === part.first && parent.end === part.end
  return {
    surroundings: (above?.surroundings ?? 0) | (surroundingBits.get(part.name) ?? 0),
    hints,
    distinct: isSame && above !== undefined ? above.distinct : part,
    outer: isSame ? above?.outer : parent === undefined ? undefined : (above?.distinct ?? parent),
    aside: part.aside ? 0 : Math.min(far, (above?.aside ?? far) + 1),
    score: Math.max(part.score, above?.score ?? 0)
  }
}

interface Group {
  count: number
  words: number
  chars: number
  linkChars: number
}

const noGroup: Group = { count: 0, words: 0, chars: 0, linkChars: 0 }

const groupsOf = (blocks: ReadonlyArray<Block>) => {
  const ways = new Map<number, Group>()
  const tags = new Map<number, Group>()
  const texts = new Map<number, number>()
  const add = (groups: Map<number, Group>, key: number, { counts }: Block): void => {
    let group = groups.get(key)
    if (group === undefined) {
      group = { count: 0, words: 0, chars: 0, linkChars: 0 }
      groups.set(key, group)
    }
    group.count++
    group.words += counts.words
    group.chars += counts.chars
    group.linkChars += counts.linkChars
  }
  for (const block of blocks) {
    add(ways, block.part.way, block)
    add(tags, tagWay(block.part), block)
    texts.set(block.text, (texts.get(block.text) ?? 0) + 1)
  }
  return { ways, tags, texts }
}

/** The tags of a part and of the three above it. */
const tagWay = (part: Part): number => {
  let key = 0
  let at: Part | undefined = part
  for (let i = 0; i < 4 && at !== undefined; i++, at = at.parent) key = key * 64 + tagOf(at.name) + 2
  return key
}

/** Sums over the blocks before and after, nine of them. */
const windowsOf = (blocks: ReadonlyArray<Block>) => {
  const size = blocks.length
  const words = new Float64Array(size)
  const linked = new Float64Array(size)
  const paragraphs = new Float64Array(size)
  const reach = 4
  let [sumWords, sumLinks, sumParagraphs] = [0, 0, 0]
  for (let i = -reach; i < size; i++) {
    const enters = blocks[i + reach]?.counts
    const leaves = blocks[i - reach - 1]?.counts
    sumWords += (enters?.words ?? 0) - (leaves?.words ?? 0)
    sumLinks += (enters?.linkWords ?? 0) - (leaves?.linkWords ?? 0)
    sumParagraphs += (enters?.paragraphs ?? 0) - (leaves?.paragraphs ?? 0)
    if (i < 0) continue
    words[i] = sumWords
    linked[i] = sumWords === 0 ? 0 : sumLinks / sumWords
    paragraphs[i] = sumParagraphs
  }
  return { words, linked, paragraphs }
}

const stepsTo = (part: Part, best: Part): number => {
  let at: Part | undefined = part
  for (let steps = 0; at !== undefined; steps++, at = at.parent) {
    if (at.first <= best.first && at.end >= best.end) return at === best ? -1 : steps
  }
  return 99
}

const isHeading = ({ part }: Block): boolean => headingLevelOf(part) > 0

/** Of a heading or of what stands in one. */
const headingLevelOf = (part: Part): number => {
  let at: Part | undefined = part
  for (let i = 0; i < 3 && at !== undefined; i++, at = at.parent) {
    if (at.name.length === 2 && at.name.charCodeAt(0) === 104) {
      const level = at.name.charCodeAt(1) - 48
      if (level >= 1 && level <= 6) return level
    }
  }
  return 0
}

const endsSentence = new Set(".!?…。！？।؟".split("").map((char) => char.charCodeAt(0)))
