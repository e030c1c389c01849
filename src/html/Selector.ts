/**
 * CSS selectors as a machine that is fed elements as they open, without a tree.
 *
 * Each complex selector is a chain of steps (`nav > a:first-child` has two). An element fulfils a step where its own
 * tests hold and the step before was fulfilled by its parent, an ancestor, the sibling before it or an earlier one;
 * so what must be remembered of an open element is which steps it fulfilled. The last step of a chain is the match.
 *
 * A selector that needs more than the start tag (`:last-child`, `:has`, `:empty`, text) is refused by name.
 */
import * as css from "css-what"

/** What is asked about an element, all known when it opens. */
export interface Subject {
  readonly name: string
  /** 1 for the first element of its parent. */
  readonly index: number
  /** 1 for the first of its name in its parent. */
  readonly indexOfName: number
  readonly isRoot: boolean
  attribute(name: string): string | undefined
  /** Whether a chain that ends at this step, compiled before, is fulfilled by the element. */
  fulfils(step: number): boolean
}

type Test = (subject: Subject) => boolean

type Relation = "ancestor" | "parent" | "previous" | "earlier"

export interface Step {
  readonly tests: ReadonlyArray<Test>
  /** The step before, and where it must have been fulfilled; undefined for the first of a chain. */
  readonly after: { readonly step: number; readonly relation: Relation } | undefined
}

export interface Selectors {
  readonly steps: ReadonlyArray<Step>
  /** For each selector as given: the steps that mean a match. */
  readonly matches: ReadonlyArray<ReadonlyArray<number>>
}

/** The selectors compiled together, or what is wrong with one of them. */
export const compile = (texts: ReadonlyArray<string>): Selectors | string => {
  const steps: Array<Step> = []
  const matches: Array<ReadonlyArray<number>> = []
  for (const text of texts) {
    try {
      matches.push(chains(css.parse(text), steps))
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      return `the selector ${JSON.stringify(text)} cannot be used: ${why}`
    }
    if (steps.length > maxSteps) return `the selectors have more than ${maxSteps} parts together`
  }
  return { steps, matches }
}

/** Each open element remembers a byte a step. */
const maxSteps = 1024

/** Adds each chain to the steps; answers their last ones. */
const chains = (selectors: ReadonlyArray<ReadonlyArray<css.Selector>>, steps: Array<Step>): ReadonlyArray<number> =>
  selectors.map((tokens) => {
    let tests: Array<Test> = []
    let after: Step["after"]
    const end = (): number => steps.push({ tests, after }) - 1
    for (const token of tokens) {
      const relation = relations.get(token.type)
      if (relation !== undefined) {
        after = { step: end(), relation }
        tests = []
      } else tests.push(testOf(token, steps))
    }
    return end()
  })

const relations = new Map<css.SelectorType, Relation>([
  [css.SelectorType.Descendant, "ancestor"],
  [css.SelectorType.Child, "parent"],
  [css.SelectorType.Adjacent, "previous"],
  [css.SelectorType.Sibling, "earlier"]
])

class Unsupported extends Error {}

const testOf = (token: css.Selector, steps: Array<Step>): Test => {
  switch (token.type) {
    case css.SelectorType.Universal:
      return () => true
    case css.SelectorType.Tag: {
      const name = token.name.toLowerCase()
      return (subject) => subject.name === name
    }
    case css.SelectorType.Attribute:
      return attributeTest(token)
    case css.SelectorType.Pseudo:
      return pseudoTest(token, steps)
    case css.SelectorType.PseudoElement:
      throw new Unsupported(`::${token.name} is not an element of the page`)
    case css.SelectorType.Adjacent:
    case css.SelectorType.Child:
    case css.SelectorType.ColumnCombinator:
    case css.SelectorType.Descendant:
    case css.SelectorType.Parent:
    case css.SelectorType.Sibling:
      throw new Unsupported(`it has a combinator (${token.type}) that is not supported`)
  }
}

const attributeTest = ({ name: written, action, value: wanted, ignoreCase }: css.AttributeSelector): Test => {
  const name = written.toLowerCase()
  const folds = ignoreCase === true
  const value = folds ? wanted.toLowerCase() : wanted
  const holds = comparisons[action]
  return (subject) => {
    const found = subject.attribute(name)
    if (found === undefined) return action === css.AttributeAction.Not
    return holds(folds ? found.toLowerCase() : found, value)
  }
}

const isWhite = (char: string | undefined): boolean =>
  char === undefined || char === " " || char === "\n" || char === "\t" || char === "\r" || char === "\f"

/** Whether a list of words holds a word; most classes are looked for and not there. */
const holdsWord = (found: string, word: string): boolean => {
  if (word === "") return false
  for (let at = found.indexOf(word); at !== -1; at = found.indexOf(word, at + 1)) {
    if (isWhite(found[at - 1]) && isWhite(found[at + word.length])) return true
  }
  return false
}

const comparisons: Readonly<Record<css.AttributeAction, (found: string, value: string) => boolean>> = {
  exists: () => true,
  equals: (found, value) => found === value,
  not: (found, value) => found !== value,
  any: (found, value) => value !== "" && found.includes(value),
  start: (found, value) => value !== "" && found.startsWith(value),
  end: (found, value) => value !== "" && found.endsWith(value),
  hyphen: (found, value) => found === value || found.startsWith(`${value}-`),
  element: holdsWord
}

const pseudoTest = ({ name, data }: css.PseudoSelector, steps: Array<Step>): Test => {
  if (Array.isArray(data)) {
    if (name !== "not" && name !== "is" && name !== "where" && name !== "matches") throw unsupported(name)
    const ends = chains(data, steps)
    const wanted = name !== "not"
    return (subject) => ends.some((step) => subject.fulfils(step)) === wanted
  }
  switch (name) {
    case "first-child":
      return (subject) => subject.index === 1
    case "first-of-type":
      return (subject) => subject.indexOfName === 1
    case "nth-child": {
      const holds = nth(data)
      return (subject) => holds(subject.index)
    }
    case "nth-of-type": {
      const holds = nth(data)
      return (subject) => holds(subject.indexOfName)
    }
    case "root":
      return (subject) => subject.isRoot
    default:
      throw unsupported(name)
  }
}

const unsupported = (name: string): Unsupported =>
  new Unsupported(`:${name} is not supported; :not, :is, :first-child, :nth-child, :first-of-type, :nth-of-type are`)

/** `2n+1`, `odd`, `-n+3`, `4`: whether a place fits. */
const nth = (written: string | null): ((index: number) => boolean) => {
  const text = (written ?? "").toLowerCase().replaceAll(/\s+/g, "")
  const formula = text === "odd" ? "2n+1" : text === "even" ? "2n" : text
  const parts = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(formula)
  if (parts === null || formula === "") throw new Unsupported(`:nth-child(${written}) is not a formula as 2n+1`)
  const every = parts[1] === undefined ? 0 : Number(/\d/.test(parts[1]) ? parts[1] : `${parts[1]}1`)
  const from = Number(parts[2] ?? 0)
  return (index) => (every === 0 ? index === from : (index - from) / every >= 0 && (index - from) % every === 0)
}
