/** An element of a page that holds blocks, and a block of its text. Both are counted while the page is read. */
import { Counts } from "./Counts.ts"
import { hashStart } from "./letters.ts"
import type { Said } from "./Tag.ts"

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

/** The text between two borders. */
export class Block {
  readonly part: Part
  readonly counts = new Counts()
  /** A hash of its letters and digits. */
  text = hashStart
  links = 0
  images = 0
  bold = 0
  code = 0
  /** The last character other than white space. */
  last = 0
  /** Of its first letter: whether it is a capital. */
  startsUpper = false
  breaks = 0

  constructor(part: Part) {
    this.part = part
  }
}
