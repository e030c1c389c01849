/**
 * What a suite expects of a page, in a form that things can be compared with: types and names short, texts with their
 * white space as one blank. Everything else must be equal.
 */
import type { Property, Thing, Value } from "../../src/extract/Candidates.ts"
import { shortName } from "../../src/extract/page/Names.ts"

export interface Item {
  readonly types: ReadonlyArray<string>
  readonly id?: string | undefined
  readonly properties: ReadonlyMap<string, ReadonlyArray<Item | string>>
}

export interface Options {
  /** In graphs values have no order. */
  readonly ordered: boolean
  /** Whether "15.00" is 15: where one side is JSON. */
  readonly numbers?: boolean
  /** Whether ids count where the suite names none. */
  readonly ids: boolean
}

const isNumber = /^\d+(?:\.\d+)?$/

export const tidy = (text: string): string => text.replaceAll(/[\s\u00a0\u200b]+/g, " ").trim()

/** The first difference, in words; undefined where there is none. */
export const difference = (
  things: ReadonlyArray<Thing>,
  items: ReadonlyArray<Item>,
  options: Options
): string | undefined => {
  if (things.length !== items.length) return `${things.length} things, not ${items.length}`
  return match(things, items, options, (thing, item) => ofThing(thing, item, options))
}

export const ofProperties = (
  properties: ReadonlyArray<Property>,
  expected: Item["properties"],
  options: Options
): string | undefined => {
  const found = Map.groupBy(properties, ({ name }) => name)
  for (const name of found.keys()) if (!expected.has(name)) return `${name} is not expected`
  for (const [name, values] of expected) {
    const own = (found.get(name) ?? []).map(({ value }) => value)
    if (own.length !== values.length) return `${name}: ${own.length} values, not ${values.length}`
    const wrong = match(own, values, options, (value, text) => ofValue(value, text, options))
    if (wrong !== undefined) return `${name}: ${wrong}`
  }
  return undefined
}

const match = <A, B>(
  found: ReadonlyArray<A>,
  expected: ReadonlyArray<B>,
  { ordered }: Options,
  differs: (a: A, b: B) => string | undefined
): string | undefined => {
  const left = [...found]
  for (const item of expected) {
    const reasons = (ordered ? left.slice(0, 1) : left).map((own) => differs(own, item))
    const at = reasons.indexOf(undefined)
    if (at === -1) return reasons[0]
    left.splice(at, 1)
  }
  return undefined
}

const ofThing = (thing: Thing, item: Item, options: Options): string | undefined => {
  const types = [...new Set(item.types.map(shortName))].sort().join(" ")
  const own = [...thing.types].sort().join(" ")
  if (own !== types) return `a ${own}, not a ${types}`
  if (options.ids && thing.id !== item.id) return `id ${thing.id}, not ${item.id}`
  return ofProperties(thing.properties, item.properties, options)
}

const ofValue = (value: Value | Thing, expected: Item | string, options: Options): string | undefined => {
  if (typeof expected !== "string") {
    return value._tag === "Thing" ? ofThing(value, expected, options) : `${JSON.stringify(value.data)}, not a thing`
  }
  if (value._tag === "Thing") return `a thing, not ${JSON.stringify(expected)}`
  const text = tidy(expected)
  // A link is read with its text and its address; suites name one of them.
  const address = /^https?:/.test(text) ? URL.parse(text)?.href : undefined
  const own = tidy(String(value.data))
  return own === text ||
    (options.numbers === true && isNumber.test(own) && isNumber.test(text) && Number(own) === Number(text)) ||
    own === address ||
    (value.href !== undefined && (value.href === text || value.href === address))
    ? undefined
    : `${JSON.stringify(value.data)}, not ${JSON.stringify(text)}`
}
