/**
 * The outline of a page: its blocks of text and its parts (the elements that contain blocks), counted while it is read.
 *
 * A block is the text between two borders: the start or the end of a block element, or an empty line. Blocks and parts are
 * numbered in the order of the page, so a part contains the blocks from `first` to before `end`. No text is kept.
 */
import { BLOCK, HEADING, type Kind } from "../Elements.ts"
import { NOSCRIPT, SHOWN } from "../tree/Hidden.ts"
import { hashWith, letterOf } from "./letters.ts"
import { Block, Part } from "./Part.ts"
import { type Named, nothingSaid, saidBy } from "./Tag.ts"

export class Outline {
  readonly root = new Part("", undefined, nothingSaid, 0, SHOWN, -1)
  readonly parts: Array<Part> = []
  readonly blocks: Array<Block> = []
  private part: Part = this.root
  private block: Block | undefined
  private linked = false
  private bolds = 0
  private codes = 0
  private inWord = false
  private broken = false

  /** The number of the last block so far; -1: there is none. */
  get last(): number {
    return this.blocks.length - 1
  }

  /** The number of the block that is being read; between two blocks, the number of the next one. */
  get at(): number {
    return this.block === undefined ? this.blocks.length : this.blocks.length - 1
  }

  /** `veil`: what hides the element itself (`Hidden.ts`). */
  open({ flags, name }: Kind, attributes: Named, veil = SHOWN): void {
    if (!isPart(name, flags)) {
      this.openPhrase(name, attributes)
      return
    }
    this.border()
    const parent = this.part
    const hides = parent.veil !== SHOWN ? parent.veil : name === "noscript" ? NOSCRIPT : veil
    const part = new Part(
      name,
      parent,
      saidBy(name, attributes, parent.way),
      this.blocks.length,
      hides,
      this.parts.length
    )
    parent.children++
    if ((flags & HEADING) !== 0) part.headings = 1
    this.parts.push(part)
    this.part = part
  }

  close({ flags, name }: Kind): void {
    if (!isPart(name, flags)) {
      if (name === "a") this.linked = false
      else if (bold.has(name)) this.bolds = Math.max(0, this.bolds - 1)
      else if (code.has(name)) this.codes = Math.max(0, this.codes - 1)
      return
    }
    this.border()
    // Parts that are still open inside this one end with it.
    for (let part: Part | undefined = this.part; part?.parent !== undefined; part = part.parent) {
      this.leave(part)
      if (part.name === name) break
    }
  }

  text(value: string): number {
    const block = this.current()
    const before = block.counts.chars
    this.inWord = block.counts.add(value, this.linked, this.inWord)
    const added = block.counts.chars - before
    if (added === 0) return this.at
    this.broken = false
    if (this.bolds > 0) block.bold += added
    if (this.codes > 0) block.code += added
    this.read(block, value, before === 0)
    return this.at
  }

  /** Adds an image or a rule to the current block, or as a block without words. Returns the number of the block. */
  image(): number {
    this.current().images++
    this.broken = false
    return this.at
  }

  /** A line break. Two without text between them are an empty line, which is a border. */
  break(): void {
    if (this.block === undefined) return
    this.block.breaks++
    this.inWord = false
    if (this.broken) this.border()
    else this.broken = true
  }

  /** Ends the current block. */
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

  private openPhrase(name: string, attributes: Named): void {
    if (name === "a") {
      // An anchor ends the one before it. One that is only a place in the page is often not closed.
      this.linked = attributes.get("href") !== undefined
      if (this.linked) this.current().links++
    } else if (name === "br") return this.break()
    else if (bold.has(name)) this.bolds++
    else if (code.has(name)) this.codes++
    else if (controls.has(name)) this.part.controls++
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
      hash = hashWith(hash, letter)
    }
    block.text = hash
  }
}

/** A block with at least this many words, and with the end of a sentence, is a paragraph. */
const sentence = 10

/** In scripts without capitals every letter is one: text that starts in the middle of a sentence is rare. */
const isCapital = (char: number): boolean => {
  const letter = String.fromCharCode(char)
  return letter !== letter.toLowerCase() || letter === letter.toUpperCase()
}

/** Whether an element is a part. Custom elements usually contain blocks. */
const isPart = (name: string, flags: number): boolean =>
  (flags & BLOCK) !== 0 || name === "noscript" || name.includes("-")

const bold = new Set(["b", "strong"])
const code = new Set(["code", "kbd", "samp", "tt"])
const controls = new Set(["input", "select", "textarea", "button"])
