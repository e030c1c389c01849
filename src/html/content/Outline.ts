/**
 * A page as its blocks of text and the elements that hold them, counted while it is read.
 *
 * A block is the text between two borders: the start or end of a block element, or an empty line. Blocks and parts are
 * numbered as they stand on the page, so a part holds the blocks from `first` to before `end`. No text is kept.
 */
import { BLOCK, HEADING, type Kind } from "../Elements.ts"
import { NOSCRIPT, SHOWN } from "../Hidden.ts"
import { asideRoles, namesAside } from "./asides.ts"
import { Counts } from "./Counts.ts"
import { hintsOf } from "./hints.ts"

/** What classes or an id say. */
interface Names {
  readonly aside: boolean
  readonly hints: number
}

/** What classes and ids of the pages before said: pages of a site repeat them. */
const known = new Map<string, Names>()
const maxKnown = 4000
const maxName = 500

const namesOf = (names: string): Names => {
  if (names === "") return noNames
  const before = known.get(names)
  if (before !== undefined) return before
  const said = { aside: namesAside(names), hints: hintsOf(names) }
  // Such a name is not met again, and would be kept.
  if (names.length > maxName) return said
  if (known.size >= maxKnown) known.clear()
  known.set(names, said)
  return said
}

const noNames: Names = { aside: false, hints: 0 }

/** What the tag of a part says. */
interface Said {
  readonly hints: number
  readonly way: number
  readonly aside: boolean
  readonly stands: string
}

/** An element that holds blocks. */
export class Part {
  readonly name: string
  readonly parent: Part | undefined
  readonly depth: number
  /** Its place among the parts of the page; -1 of the page itself. */
  readonly number: number
  /** What its class, id and role say (`hints.ts`). */
  readonly hints: number
  /** Whether they name what stands beside the content (`asides.ts`). */
  readonly aside: boolean
  /** Whether its role is to be what `<main>` or `<article>` is; otherwise its own name. */
  readonly stands: string
  /** Its tags and classes from the root on, without digits: what is repeated on a page has the same way. */
  readonly way: number
  readonly first: number
  /** What hides it (`Hidden.ts`). */
  readonly veil: number
  end: number
  /** Sums over all that it holds. */
  readonly counts = new Counts()
  headings = 0
  images = 0
  controls = 0
  /** How many parts stand directly in it. */
  children = 0
  /** How much the paragraphs in it speak for it as the place of the main text (`places.ts`). */
  score = 0

  constructor(name: string, parent: Part | undefined, said: Said, first: number, veil: number, number: number) {
    const { aside, hints, stands, way } = said
    this.name = name
    this.parent = parent
    this.aside = aside
    this.stands = stands
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.hints = hints
    this.way = way
    this.first = first
    this.veil = veil
    this.number = number
    this.end = first
  }
}

export class Block {
  readonly part: Part
  readonly counts = new Counts()
  /** A hash of its letters and digits. */
  text = hashStart
  links = 0
  images = 0
  bold = 0
  code = 0
  /** The last character that is no white space. */
  last = 0
  /** Of its first letter: whether it is a capital. */
  startsUpper = false
  breaks = 0

  constructor(part: Part) {
    this.part = part
  }
}

/** What the outline asks of a tag. */
export interface Named {
  readonly length?: number
  get(name: string): string | undefined
}

export class Outline {
  readonly root = new Part("", undefined, { aside: false, hints: 0, stands: "", way: hashStart }, 0, SHOWN, -1)
  readonly parts: Array<Part> = []
  readonly blocks: Array<Block> = []
  private part: Part = this.root
  private block: Block | undefined
  private anchors = 0
  private bolds = 0
  private codes = 0
  private inWord = false
  private broken = false

  /** The number of the last block so far; -1 where there is none. */
  get last(): number {
    return this.blocks.length - 1
  }

  /** The number of the block that is being read, or of the next one. */
  get at(): number {
    return this.block === undefined ? this.blocks.length : this.blocks.length - 1
  }

  /** `veil` says what hides the element itself. */
  open({ flags, name }: Kind, attributes: Named, veil = SHOWN): void {
    if (!isPart(name, flags)) {
      this.openPhrase(name)
      return
    }
    this.border()
    const parent = this.part
    const hides = parent.veil !== SHOWN ? parent.veil : name === "noscript" ? NOSCRIPT : veil
    const part = new Part(name, parent, this.saidBy(name, attributes), this.blocks.length, hides, this.parts.length)
    parent.children++
    if ((flags & HEADING) !== 0) part.headings = 1
    this.parts.push(part)
    this.part = part
  }

  close({ flags, name }: Kind): void {
    if (!isPart(name, flags)) {
      if (name === "a") this.anchors = Math.max(0, this.anchors - 1)
      else if (bold.has(name)) this.bolds = Math.max(0, this.bolds - 1)
      else if (code.has(name)) this.codes = Math.max(0, this.codes - 1)
      return
    }
    this.border()
    // Marks may be closed out of order, blocks are not: what is open in between ends with it.
    for (let part: Part | undefined = this.part; part?.parent !== undefined; part = part.parent) {
      this.leave(part)
      if (part.name === name) break
    }
  }

  text(value: string): number {
    const block = this.current()
    const before = block.counts.chars
    this.inWord = block.counts.add(value, this.anchors > 0, this.inWord)
    const added = block.counts.chars - before
    if (added === 0) return this.at
    this.broken = false
    if (this.bolds > 0) block.bold += added
    if (this.codes > 0) block.code += added
    this.read(block, value, before === 0)
    return this.at
  }

  /** A picture or a rule: it belongs to the block that is being read, or is one without words. */
  image(): number {
    this.current().images++
    this.broken = false
    return this.at
  }

  /** An empty line, which is two breaks without text between them, is a border. */
  break(): void {
    if (this.block === undefined) return
    this.block.breaks++
    this.inWord = false
    if (this.broken) this.border()
    else this.broken = true
  }

  /** Ends the block that is being read. */
  border(): void {
    this.inWord = false
    this.broken = false
    const { block } = this
    if (block === undefined) return
    this.block = undefined
    if (block.counts.chars === 0 && block.images === 0) {
      this.blocks.pop()
      return
    }
    const { counts } = block
    counts.blocks = 1
    if (counts.words >= sentence && counts.stops > 0) counts.paragraphs = 1
    block.part.counts.sum(counts)
    block.part.images += block.images
  }

  finish(): void {
    this.border()
    while (this.part.parent !== undefined) this.leave(this.part)
    this.root.end = this.blocks.length
  }

  private leave(part: Part): void {
    const { parent } = part
    if (parent === undefined) return
    part.end = this.blocks.length
    parent.counts.sum(part.counts)
    parent.headings += part.headings
    parent.images += part.images
    parent.controls += part.controls
    this.part = parent
  }

  private current(): Block {
    if (this.block !== undefined) return this.block
    const block = new Block(this.part)
    this.blocks.push(block)
    this.block = block
    return block
  }

  private openPhrase(name: string): void {
    if (name === "a") {
      this.anchors++
      this.current().links++
    } else if (name === "br") return this.break()
    else if (bold.has(name)) this.bolds++
    else if (code.has(name)) this.codes++
    else if (controls.has(name)) this.part.controls++
  }

  private saidBy(name: string, attributes: Named): Said {
    let way = hashOf(name, this.part.way)
    if (attributes.length === 0) return { aside: false, hints: 0, stands: name, way }
    const id = attributes.get("id") ?? ""
    const classes = attributes.get("class") ?? ""
    const role = attributes.get("role") ?? ""
    if (classes !== "") way = hashOf(classes, way)
    const [ofClasses, ofId] = [namesOf(classes), namesOf(id)]
    const hints = ofClasses.hints | ofId.hints
    return {
      aside: ofClasses.aside || ofId.aside || asideRoles.has(role),
      hints: role === "" ? hints : hints | namesOf(`role-${role}`).hints,
      stands: role === "main" || role === "article" ? role : name,
      way
    }
  }

  private read(block: Block, value: string, first: boolean): void {
    let hash = block.text
    let starts = first
    for (let i = 0; i < value.length; i++) {
      const char = value.charCodeAt(i)
      if (char <= 32 || char === 160) continue
      block.last = char
      const letter = letterOf(char)
      if (letter === 0) continue
      if (starts) {
        block.startsUpper = letter !== char || (char > 191 && isCapital(char))
        starts = false
      }
      hash = Math.imul(hash ^ letter, hashPrime)
    }
    block.text = hash
  }
}

/** The hash of a text as blocks have it: of its letters and digits, in lower case. */
export const hashOfText = (text: string): number => {
  let hash = hashStart
  for (let i = 0; i < text.length; i++) {
    const letter = letterOf(text.charCodeAt(i))
    if (letter !== 0) hash = Math.imul(hash ^ letter, hashPrime)
  }
  return hash
}

/** A letter or a digit, in lower case where it is of ASCII; 0 of all else. */
const letterOf = (char: number): number => {
  if (char < 128) {
    if (char >= 65 && char <= 90) return char + 32
    return (char >= 97 && char <= 122) || (char >= 48 && char <= 57) ? char : 0
  }
  if (char < 0xc0) return char === 0xaa || char === 0xb5 || char === 0xba ? char : 0
  const isMark =
    char === 0xd7 || char === 0xf7 || (char >= 0x2000 && char < 0x2070) || (char >= 0x2190 && char < 0x2c00)
  return isMark || (char >= 0x3000 && char < 0x3005) || (char >= 0x3008 && char < 0x3021) ? 0 : char
}

const hashStart = 0x811c9dc5 | 0
const hashPrime = 16777619

const hashOf = (text: string, start: number): number => {
  let hash = Math.imul(start ^ 47, hashPrime)
  for (let i = 0; i < text.length && i < maxHashed; i++) {
    const char = text.charCodeAt(i)
    if (char < 48 || char > 57) hash = Math.imul(hash ^ char, hashPrime)
  }
  return hash
}

const maxHashed = 200

/** A block of so many words with a full stop is a paragraph. */
const sentence = 10

const isCapital = (char: number): boolean => {
  const letter = String.fromCharCode(char)
  return letter !== letter.toLowerCase()
}

/** Elements that a site names itself hold parts as a rule. */
export const isPart = (name: string, flags: number): boolean =>
  (flags & BLOCK) !== 0 || name === "noscript" || name.includes("-")

const bold = new Set(["b", "strong"])
const code = new Set(["code", "kbd", "samp", "tt"])
const controls = new Set(["input", "select", "textarea", "button"])
