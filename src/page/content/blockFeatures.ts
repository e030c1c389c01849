/**
 * The features of a block, as numbers: of itself, the parts around it, its neighbours, its position, and repeated blocks.
 *
 * `names` is the order of the features in a row. The trees were trained with exactly this order (`bench/mainContent`).
 */
import { hintNames } from "../contentHints.ts"
import { endsColon, endsSentence } from "./Counts.ts"
import type { Outline } from "./Outline.ts"
import type { PageFacts } from "./PageFacts.ts"
import type { Block, Part } from "./Part.ts"

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

const tagOrder =
  "p pre blockquote li dd dt h1 h2 h3 h4 h5 h6 td th caption figcaption figure div section article main table tr tbody ul ol dl summary details address aside header footer nav form fieldset label body"

const tags = new Map(tagOrder.split(" ").map((name, at) => [name, at]))

/** Elements that say something about everything in them. */
const surroundings =
  "main article nav aside header footer section form table ul blockquote figure details address dl pre".split(" ")

const surroundingBits = new Map(surroundings.map((name, at) => [name, 1 << at]))

/** The maximum number of levels; also: there is no such part. */
const far = 40

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
  const features = new Features(outline, facts)
  let i = 0
  for (const block of outline.blocks) features.measure(i++, block)
  return features.rows
}

/** The features of the blocks of a page. Each method writes some of a block, from `at` on, and returns where the next ones go. */
class Features {
  readonly rows: Float64Array
  private readonly blocks: ReadonlyArray<Block>
  private readonly titles: PageFacts["titles"]
  private readonly best: Part | undefined
  private readonly factsOf: (part: Part) => PartFacts
  private readonly groups: ReturnType<typeof groupsOf>
  private readonly around: ReturnType<typeof windowsOf>
  private readonly titleAt: number
  private readonly allWords: number
  private readonly veiled: number
  /** How often each text came before. */
  private readonly textCounts = new Map<number, number>()
  private wordsBefore = 0
  /** The headings so far, and the last of them. */
  private headings = 0
  private headingAt = -1
  private headingLevel = 0
  private wordsUnder = 0

  constructor(outline: Outline, { titles }: PageFacts) {
    const { blocks, root } = outline
    this.rows = new Float64Array(blocks.length * names.length)
    this.blocks = blocks
    this.titles = titles
    this.best = scoreParts(outline)
    this.factsOf = factsOfParts(outline)
    this.groups = groupsOf(blocks, this.factsOf)
    this.around = windowsOf(blocks)
    this.titleAt = blocks.findIndex(({ part, text }) => this.factsOf(part).heading > 0 && titles.has(text))
    this.allWords = root.counts.words
    this.veiled = blocks.reduce((sum, { counts, part }) => (part.veil === 0 ? sum : sum + counts.words), 0)
  }

  measure(i: number, block: Block): void {
    const partFacts = this.factsOf(block.part)
    let at = this.itself(i * names.length, i, block, partFacts)
    at = this.partsAround(at, partFacts)
    at = this.neighbours(at, i, block.part)
    at = this.position(at, i, block, partFacts)
    at = this.repeated(at, block, partFacts)
    this.inBest(at, i, block.part, partFacts)
  }

  private itself(at: number, i: number, block: Block, partFacts: PartFacts): number {
    const { rows } = this
    const { counts, part } = block
    const chars = Math.max(1, counts.chars)
    const words = Math.max(1, counts.words)
    const inPart = part.end - part.first
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
    rows[at++] = endsSentence(block.last, counts.paragraphs > 0) ? 1 : 0
    rows[at++] = endsColon(block.last) ? 1 : 0
    rows[at++] = block.startsUpper ? 1 : 0
    rows[at++] = partFacts.tag
    rows[at++] = partFacts.heading
    rows[at++] = this.titles.has(block.text) ? 1 : 0
    rows[at++] = inPart
    rows[at++] = inPart === 0 ? 0 : (i - part.first) / inPart
    return at
  }

  private partsAround(at: number, partFacts: PartFacts): number {
    const { allWords, best, rows } = this
    for (let bit = 0; bit < surroundings.length; bit++) rows[at++] = (partFacts.surroundings >> bit) & 1
    for (let hint = 0; hint < hintNames.length; hint++) rows[at++] = partFacts.hints[hint] ?? far
    let level = 0
    for (let holder: Part | undefined = partFacts.distinct; holder?.parent !== undefined && level < levels; level++) {
      const { counts } = holder
      const facts = this.factsOf(holder)
      const size = holder.end - holder.first
      rows[at++] = counts.linked
      rows[at++] = counts.words
      rows[at++] = size
      rows[at++] = size === 0 ? 0 : counts.words / size
      rows[at++] = allWords === 0 ? 0 : counts.words / allWords
      rows[at++] = facts.tag
      rows[at++] = size === 0 ? 0 : counts.paragraphs / size
      rows[at++] = holder.controls
      rows[at++] = best === undefined || best.score <= 0 ? 0 : holder.score / best.score
      holder = facts.outer
    }
    for (; level < levels; level++) for (let i = 0; i < perLevel.length; i++) rows[at++] = -1
    return at
  }

  private neighbours(at: number, i: number, part: Part): number {
    const { rows } = this
    for (const offset of neighbours) {
      const other = this.blocks[i + offset]
      rows[at++] = other?.counts.words ?? -1
      rows[at++] = other?.counts.linked ?? -1
      rows[at++] = other === undefined ? -1 : this.factsOf(other.part).tag
      rows[at++] = other?.part.way === part.way ? 1 : 0
      rows[at++] = other?.counts.paragraphs ?? 0
    }
    return at
  }

  private position(at: number, i: number, { counts, part }: Block, { aside, heading }: PartFacts): number {
    const { allWords, rows, titleAt, veiled, wordsBefore } = this
    if (heading > 0) {
      this.headings++
      this.headingAt = i
      this.headingLevel = heading
      this.wordsUnder = 0
    }
    rows[at++] = i / this.blocks.length
    rows[at++] = allWords === 0 ? 0 : wordsBefore / allWords
    rows[at++] = allWords === 0 ? 0 : (allWords - wordsBefore - counts.words) / allWords
    rows[at++] = this.headings
    rows[at++] = this.headingAt === -1 ? -1 : i - this.headingAt
    rows[at++] = this.headingLevel
    rows[at++] = this.wordsUnder
    rows[at++] = titleAt === -1 ? -1000 : i - titleAt
    rows[at++] = titleAt === -1 ? -1 : i > titleAt ? 1 : 0
    rows[at++] = part.depth
    rows[at++] = aside
    rows[at++] = part.veil
    rows[at++] = veiled
    rows[at++] = allWords - veiled
    this.wordsBefore += counts.words
    if (heading === 0) this.wordsUnder += counts.words
    return at
  }

  private repeated(at: number, { part, text }: Block, { tagWay }: PartFacts): number {
    const { allWords, groups, rows, textCounts } = this
    const before = textCounts.get(text) ?? 0
    textCounts.set(text, before + 1)
    const ways = groups.ways.get(part.way) ?? noGroup
    const tags = groups.tags.get(tagWay) ?? noGroup
    rows[at++] = before
    rows[at++] = groups.texts.get(text) ?? 1
    rows[at++] = ways.count
    rows[at++] = ways.count === 0 ? 0 : ways.words / ways.count
    rows[at++] = ways.chars === 0 ? 0 : ways.linkChars / ways.chars
    rows[at++] = allWords === 0 ? 0 : ways.words / allWords
    rows[at++] = tags.count
    rows[at++] = tags.count === 0 ? 0 : tags.words / tags.count
    return at
  }

  /** Where it stands to the part with the best score. */
  private inBest(at: number, i: number, part: Part, { score }: PartFacts): number {
    const { allWords, around, best, rows } = this
    rows[at++] = best !== undefined && i >= best.first && i < best.end ? 1 : 0
    rows[at++] = best === undefined || best.score <= 0 ? 0 : score / best.score
    rows[at++] = best === undefined ? -1 : stepsTo(part, best)
    rows[at++] = best === undefined ? 0 : i < best.first ? best.first - i : i >= best.end ? best.end - 1 - i : 0
    rows[at++] = best === undefined || allWords === 0 ? 0 : best.counts.words / allWords
    rows[at++] = best === undefined ? 0 : best.counts.linked
    rows[at++] = around.words[i] ?? 0
    rows[at++] = around.linked[i] ?? 0
    rows[at++] = around.paragraphs[i] ?? 0
    return at
  }
}

const stepsTo = (part: Part, best: Part): number => {
  let at: Part | undefined = part
  for (let steps = 0; at !== undefined; steps++, at = at.parent) {
    if (at.first <= best.first && at.end >= best.end) return at === best ? -1 : steps
  }
  return 99
}

/**
 * Scores the parts of a page, as Readability does. Each block gives points to the parts around it: more points if it is
 * longer or has more commas, and fewer points to a part that is farther away.
 */

/** Sets the score of every part. Returns the best part; undefined: no part has a score. */
export const scoreParts = ({ blocks, parts }: Outline): Part | undefined => {
  for (const block of blocks) speak(block)
  let best: Part | undefined
  for (const part of parts) {
    if (part.score === 0) continue
    part.score = (part.score + (firstScores.get(part.name) ?? 0)) * (1 - part.counts.linked)
    if (best === undefined || part.score > best.score) best = part
  }
  return best
}

const speak = ({ counts, part }: Block): void => {
  if (counts.chars < minLength) return
  const points = (1 + counts.commas + Math.min(Math.floor(counts.chars / 85), 3)) * (1 - counts.linked)
  let at: Part | undefined = phrases.has(part.name) ? part.parent : part
  for (let level = 0; at?.parent !== undefined && level < 5; level++, at = at.parent) {
    at.score += points / (level === 0 ? 1 : level === 1 ? 2 : level * 3)
  }
}

const minLength = 20
/** Parts that are usually one block. They get no points. */
const phrases = new Set(["p", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "td", "th", "figcaption"])

const firstScores = new Map<string, number>([
  ["article", 8],
  ["main", 8],
  ["div", 5],
  ["section", 5],
  ["td", 3],
  ["blockquote", 3],
  ...["ol", "ul", "dl", "form", "table", "tr", "tbody"].map((name) => [name, -3] as const),
  ...["nav", "footer", "aside", "header"].map((name) => [name, -10] as const)
])

/** Groups of repeated blocks: with the same `way`, the same tags or the same text. Also sums over neighbouring blocks. */
interface Group {
  count: number
  words: number
  chars: number
  linkChars: number
}

const noGroup: Group = { count: 0, words: 0, chars: 0, linkChars: 0 }

const groupsOf = (blocks: ReadonlyArray<Block>, factsOf: (part: Block["part"]) => PartFacts) => {
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
    add(tags, factsOf(block.part).tagWay, block)
    texts.set(block.text, (texts.get(block.text) ?? 0) + 1)
  }
  return { ways, tags, texts }
}

/** Sums over nine blocks: each block, the four before it and the four after it. */
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

/** Facts about a part and the parts around it, for the features of its blocks: tags, hints, headings, scores. */
interface PartFacts {
  /** The number of its tag. */
  readonly tag: number
  /** The level of the heading that it is or is in, from 1 to 6; 0: it is not in a heading. */
  readonly heading: number
  /** Its tag and the tags of the three parts around it, as one number. */
  readonly tagWay: number
  /** Which of `surroundings` it is or is in, as bits. */
  readonly surroundings: number
  /** For each hint, the number of levels up to the nearest part with it. */
  readonly hints: Uint8Array
  /** The outermost part with the same blocks. */
  readonly distinct: Part
  /** The next part around it that has more blocks. */
  readonly outer: Part | undefined
  /** The number of levels up to the nearest part that is named as beside the content. */
  readonly aside: number
  /** The best score of the part and the parts around it. */
  readonly score: number
}

/** The facts of all parts. Call it when the parts are complete and have their scores. */
const factsOfParts = ({ parts, root }: Outline): ((part: Part) => PartFacts) => {
  const ofRoot = factsOf(root, undefined)
  const facts: Array<PartFacts> = []
  const find = (part: Part): PartFacts => facts[part.number] ?? ofRoot
  for (const part of parts) facts.push(factsOf(part, part.parent === undefined ? undefined : find(part.parent)))
  return find
}

const factsOf = (part: Part, above: PartFacts | undefined): PartFacts => {
  const hints = new Uint8Array(hintNames.length)
  for (let hint = 0; hint < hintNames.length; hint++) {
    hints[hint] = (part.hints >> hint) & 1 ? 0 : Math.min(far, (above?.hints[hint] ?? far) + 1)
  }
  const { parent } = part
  const isSame = parent?.parent !== undefined && parent.first === part.first && parent.end === part.end
  const tag = tags.get(part.name) ?? unknownTag
  return {
    tag,
    heading: headingLevelOf(part),
    tagWay: tagWayOf(part),
    surroundings: (above?.surroundings ?? 0) | (surroundingBits.get(part.name) ?? 0),
    hints,
    distinct: isSame && above !== undefined ? above.distinct : part,
    outer: isSame ? above?.outer : parent === undefined ? undefined : (above?.distinct ?? parent),
    aside: part.aside ? 0 : Math.min(far, (above?.aside ?? far) + 1),
    score: Math.max(part.score, above?.score ?? 0)
  }
}

const unknownTag = 40

const tagWayOf = (part: Part): number => {
  let key = 0
  let at: Part | undefined = part
  for (let i = 0; i < 4 && at !== undefined; i++, at = at.parent) key = key * 64 + (tags.get(at.name) ?? unknownTag) + 2
  return key
}

/** The level of the heading that a part is, or is at most two levels inside of; 0: there is none. */
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
