/**
 * Compiles CSS selectors so that elements can be matched when they open, without a tree.
 *
 * A complex selector is a chain of steps: `nav > a:first-child` has two. An element matches a step if it passes the tests of
 * the step, and its parent, an ancestor, the sibling before it or any earlier sibling matched the step before. So each open
 * element only has to remember which steps it matched. The selector matches if the last step does.
 *
 * Selectors that need more than the start tag (`:last-child`, `:has`, `:empty`, text) are rejected, with their name.
 */
import * as css from "css-what"

/** An element, as it is known when it opens. */
export interface Subject {
  readonly name: string
  /** Its position among the children of its parent, from 1. */
  readonly index: number
  /** Its position among the children with its name, from 1. */
  readonly indexOfName: number
  readonly isRoot: boolean
  attribute(name: string): string | undefined
  /** Whether the element matches this step, which must have been compiled before the current one. */
  fulfils(step: number): boolean
}

type Test = (subject: Subject) => boolean

type Relation = "ancestor" | "parent" | "previous" | "earlier"

interface Step {
  readonly tests: ReadonlyArray<Test>
  /** The step before, and which related element must match it; undefined: this is the first step of a chain. */
  readonly after: { readonly step: number; readonly relation: Relation } | undefined
}

export interface Selectors {
  readonly steps: ReadonlyArray<Step>
  /** The last steps of each selector: it matches if one of them does. */
  readonly matches: ReadonlyArray<ReadonlyArray<number>>
}

/** Compiles selectors together. A string says what is wrong with one of them. */
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

/** The maximum number of steps: each open element needs a few bytes for each step. */
const maxSteps = 1024

/** Adds the steps of each chain, and returns the last step of each. */
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
    const actual = subject.attribute(name)
    if (actual === undefined) return action === css.AttributeAction.Not
    return holds(folds ? actual.toLowerCase() : actual, value)
  }
}

const isWhite = (char: string | undefined): boolean =>
  char === undefined || char === " " || char === "\n" || char === "\t" || char === "\r" || char === "\f"

/** Whether a list of words contains a word, without splitting the list: most elements do not have the class. */
const holdsWord = (actual: string, word: string): boolean => {
  if (word === "") return false
  for (let at = actual.indexOf(word); at !== -1; at = actual.indexOf(word, at + 1)) {
    if (isWhite(actual[at - 1]) && isWhite(actual[at + word.length])) return true
  }
  return false
}

const comparisons: Readonly<Record<css.AttributeAction, (actual: string, value: string) => boolean>> = {
  exists: () => true,
  equals: (actual, value) => actual === value,
  not: (actual, value) => actual !== value,
  any: (actual, value) => value !== "" && actual.includes(value),
  start: (actual, value) => value !== "" && actual.startsWith(value),
  end: (actual, value) => value !== "" && actual.endsWith(value),
  hyphen: (actual, value) => actual === value || actual.startsWith(`${value}-`),
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

/** Compiles `2n+1`, `odd`, `-n+3` or `4` to a test of a position. */
const nth = (written: string | null): ((index: number) => boolean) => {
  const text = (written ?? "").toLowerCase().replaceAll(/\s+/g, "")
  const formula = text === "odd" ? "2n+1" : text === "even" ? "2n" : text
  const parts = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(formula)
  if (parts === null || formula === "") throw new Unsupported(`:nth-child(${written}) is not a formula as 2n+1`)
  const every = parts[1] === undefined ? 0 : Number(/\d/.test(parts[1]) ? parts[1] : `${parts[1]}1`)
  const from = Number(parts[2] ?? 0)
  return (index) => (every === 0 ? index === from : (index - from) / every >= 0 && (index - from) % every === 0)
}
