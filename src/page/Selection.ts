/**
 * What a caller selects from a page: elements to include in the text, elements to leave out, and attributes to read.
 *
 * A selection changes only the Markdown and the HTML of a page, not its links, images and metadata.
 */
import type { Attributes } from "./Attributes.ts"
import { HEAD, type Kind } from "./Elements.ts"
import type { Budget } from "./tree/Budget.ts"
import { compile, type Selectors, type Subject } from "./tree/Selector.ts"
import type { Element } from "./tree/Tree.ts"

export interface Wanted {
  readonly include: ReadonlyArray<string>
  readonly exclude: ReadonlyArray<string>
  readonly attributes: ReadonlyArray<{ readonly selector: string; readonly attribute: string }>
}

/** A compiled selection for any number of pages. */
export interface Choice {
  readonly selectors: Selectors
  readonly wanted: Wanted
}

export interface SelectedValues {
  readonly selector: string
  readonly attribute: string
  readonly values: ReadonlyArray<string>
}

/** Compiles a selection. Undefined: nothing is selected. A string says what is wrong with a selector. */
export const choose = (wanted: Wanted): Choice | string | undefined => {
  const texts = [...wanted.include, ...wanted.exclude, ...wanted.attributes.map(({ selector }) => selector)]
  if (texts.length === 0) return undefined
  const selectors = compile(texts)
  return typeof selectors === "string" ? selectors : { selectors, wanted }
}

export class Selection {
  private readonly choice: Choice
  private readonly budget: Budget
  private readonly matcher: Matcher
  private readonly values: ReadonlyArray<Array<string>>
  /** The outermost open element that is included; `excluded`: the outermost one that is left out. */
  private included: Element | undefined
  private excluded: Element | undefined

  constructor(choice: Choice, budget: Budget) {
    this.choice = choice
    this.budget = budget
    this.matcher = new Matcher(choice.selectors)
    this.values = choice.wanted.attributes.map(() => [])
  }

  /** Whether the current text is left out. */
  get silent(): boolean {
    return this.excluded !== undefined || (this.included === undefined && this.choice.wanted.include.length > 0)
  }

  open(element: Element, attributes: Attributes): void {
    const { include, exclude } = this.choice.wanted
    this.matcher.open(element, element.kind, attributes)
    if (this.included === undefined && this.anyOf(0, include.length)) this.included = element
    if (this.excluded === undefined && this.anyOf(include.length, exclude.length)) this.excluded = element
    if (this.values.length > 0) this.collect(include.length + exclude.length, attributes)
  }

  /** Returns true if an included element ends here: later text must be separated from it. */
  close(element: Element): boolean {
    this.matcher.close(element)
    if (this.excluded === element) this.excluded = undefined
    if (this.included !== element) return false
    this.included = undefined
    return true
  }

  finish(): ReadonlyArray<SelectedValues> {
    return this.choice.wanted.attributes.map((attribute, i) => ({ ...attribute, values: this.values[i] ?? [] }))
  }

  private anyOf(from: number, count: number): boolean {
    for (let i = from; i < from + count; i++) if (this.matcher.matches(i)) return true
    return false
  }

  private collect(from: number, attributes: Attributes): void {
    this.choice.wanted.attributes.forEach(({ attribute }, i) => {
      const into = this.values[i]
      const value = this.matcher.matches(from + i) ? attributes.get(attribute.toLowerCase()) : undefined
      if (into === undefined || value === undefined) return
      this.budget.write(value.length)
      into.push(value)
    })
  }
}

/** An open element, and the selector steps that it and related elements match: one byte for each step. */
class Frame {
  readonly owner: object | undefined
  readonly name: string
  /** Matched by this element. */
  readonly own: Uint8Array
  /** Matched by this element or one of its ancestors. */
  readonly around: Uint8Array
  /** Matched by the last child so far; `earlier`: by any child so far. */
  previous: Uint8Array
  readonly earlier: Uint8Array
  children = 0
  readonly counts = new Map<string, number>()

  constructor(owner: object | undefined, name: string, size: number) {
    this.owner = owner
    this.name = name
    this.own = new Uint8Array(size)
    this.around = new Uint8Array(size)
    this.previous = new Uint8Array(size)
    this.earlier = new Uint8Array(size)
  }
}

/**
 * Matches the elements of a page, as they open and close, against compiled selectors.
 *
 * Elements that a page may omit (html, head, body, tbody) are added, so that a selector copied from a browser matches.
 */
class Matcher implements Subject {
  private readonly selectors: Selectors
  private readonly frames: Array<Frame>
  private attributes: Attributes | undefined
  private current: Frame
  name = ""
  index = 0
  indexOfName = 0
  isRoot = false

  constructor(selectors: Selectors) {
    this.selectors = selectors
    this.current = new Frame(undefined, "#document", selectors.steps.length)
    this.frames = [this.current]
  }

  /** `owner` identifies the element in `close`. */
  open(owner: object, { name, flags }: Kind, attributes: Attributes): void {
    this.imply(name, flags)
    this.push(owner, name, attributes)
  }

  /** Closes an element. Elements may close out of order. */
  close(owner: object): void {
    for (let i = this.frames.length - 1; i > 0; i--) {
      if (this.frames[i]?.owner !== owner) continue
      let end = i + 1
      while (this.frames[end] !== undefined && this.frames[end]?.owner === undefined) end++
      this.frames.splice(i, end - i)
      return
    }
  }

  /** Whether the selector with this index matches the last opened element. */
  matches(selector: number): boolean {
    return this.selectors.matches[selector]?.some((step) => this.current.own[step] === 1) === true
  }

  attribute(name: string): string | undefined {
    return this.attributes?.get(name)
  }

  fulfils(step: number): boolean {
    return this.current.own[step] === 1
  }

  private top(): Frame {
    return this.frames[this.frames.length - 1] ?? this.current
  }

  private push(owner: object | undefined, name: string, attributes: Attributes | undefined): void {
    const parent = this.top()
    const { steps } = this.selectors
    const frame = new Frame(owner, name, steps.length)
    this.current = frame
    this.attributes = attributes
    this.name = name
    this.index = ++parent.children
    this.indexOfName = (parent.counts.get(name) ?? 0) + 1
    if (parent.counts.size < maxNames || this.indexOfName > 1) parent.counts.set(name, this.indexOfName)
    this.isRoot = this.frames.length === 1
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]
      if (step === undefined) continue
      const { after } = step
      if (after !== undefined && this.source(parent, after.relation)[after.step] !== 1) continue
      if (step.tests.every((test) => test(this))) frame.own[i] = 1
    }
    for (let i = 0; i < steps.length; i++) {
      frame.around[i] = (parent.around[i] ?? 0) | (frame.own[i] ?? 0)
      parent.earlier[i] = (parent.earlier[i] ?? 0) | (frame.own[i] ?? 0)
    }
    parent.previous = frame.own
    this.frames.push(frame)
  }

  private source(parent: Frame, relation: "ancestor" | "parent" | "previous" | "earlier"): Uint8Array {
    switch (relation) {
      case "ancestor":
        return parent.around
      case "parent":
        return parent.own
      case "previous":
        return parent.previous
      case "earlier":
        return parent.earlier
    }
  }

  /** Adds the omitted elements around an element, and closes those that the element ends. */
  private imply(name: string, flags: number): void {
    let top = this.top()
    if (this.frames.length === 1 && name !== "html") {
      this.push(undefined, "html", undefined)
      top = this.top()
    }
    if (top.name === "head" && top.owner === undefined && (flags & HEAD) === 0) {
      this.frames.pop()
      top = this.top()
    }
    if (top.name === "html" && this.frames.length === 2 && !parts.has(name)) {
      const inHead = (flags & HEAD) !== 0 && top.counts.get("body") === undefined
      this.push(undefined, inHead ? "head" : "body", undefined)
    }
    if (top.name === "table" && name === "tr") this.push(undefined, "tbody", undefined)
    else if (top.name === "tbody" && top.owner === undefined && tableParts.has(name)) this.frames.pop()
  }
}

/** The maximum number of different child names that are counted for one element. */
const maxNames = 200

const parts = new Set(["head", "body", "frameset"])
const tableParts = new Set(["tbody", "thead", "tfoot", "caption", "colgroup"])
