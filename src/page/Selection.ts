/**
 * What a caller selects from a page: elements to include in the text, elements to leave out, and attributes to read.
 *
 * A selection changes only the Markdown and the HTML of a page, not its links, images and metadata.
 */
import type { Attributes } from "./Attributes.ts"
import type { Budget } from "./tree/Budget.ts"
import { Matcher } from "./tree/Matcher.ts"
import type { Selectors } from "./tree/Selector.ts"
import { compile } from "./tree/Selector.ts"
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

export interface Found {
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

  finish(): ReadonlyArray<Found> {
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
