/** A part (an element that contains blocks) and a block of its text. Both are counted while the page is read. */
import { Counts } from "./Counts.ts"
import { hashStart } from "./letters.ts"
import { hashOf, type TagFacts } from "./Tag.ts"

/** An element that contains blocks. */
export class Part {
  readonly name: string
  readonly parent: Part | undefined
  readonly depth: number
  /** Its position among the parts of the page; -1: it is the page itself. */
  readonly number: number
  /** The hints in its class, id and role (`hints.ts`), as bits. */
  readonly hints: number
  /** Whether its class, id or role names something beside the content (`asides.ts`). */
  readonly aside: boolean
  /** The role `main` or `article` if it has one; otherwise the name of the element. */
  readonly stands: string
  /** A hash of the tags and classes from the root to it, without digits. Repeated parts of a page have the same hash. */
  readonly way: number
  private readonly id: string
  private readonly classes: string
  readonly first: number
  /** What hides it or a part around it (`Hidden.ts`). */
  readonly veil: number
  end: number
  /** The sums over everything in it. */
  readonly counts = new Counts()
  headings = 0
  images = 0
  controls = 0
  /** The number of its direct child parts. */
  children = 0
  /** A score from the paragraphs in it: how likely it is that it contains the main text (`blockFeatures.ts`). */
  score = 0

  constructor(name: string, parent: Part | undefined, facts: TagFacts, first: number, veil: number, number: number) {
    const { aside, classes, hints, id, stands, way } = facts
    this.name = name
    this.parent = parent
    this.aside = aside
    this.stands = stands
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.hints = hints
    this.way = way
    this.id = id
    this.classes = classes
    this.first = first
    this.veil = veil
    this.number = number
    this.end = first
  }

  private knownPlace: number | undefined

  /**
   * A hash of the tags, ids and classes from the root to it, without digits: the same on pages of one theme. What the body is named
   * says which page it is.
   */
  get place(): number {
    if (this.knownPlace !== undefined) return this.knownPlace
    const { classes, id, name, parent } = this
    const tag = hashOf(name, parent?.place ?? hashStart)
    this.knownPlace = name === "body" || name === "html" ? tag : hashOf(classes, hashOf(id, tag))
    return this.knownPlace
  }
}

/** The text between two borders (`Outline.ts`). */
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
  /** Whether its first letter is a capital. */
  startsUpper = false
  breaks = 0

  constructor(part: Part) {
    this.part = part
  }
}
