/**
 * Where the lists of a page stand: a price in one of them is one of many, and not the price of the page.
 *
 * Facts with names of their own, "Portions: 12" beside "Time: 25 minutes", are not a list of things.
 */
import type { Group, Property, Thing } from "../Candidates.ts"
import * as Contact from "../value/Contact.ts"
import * as Day from "../value/Day.ts"
import * as Price from "../value/Price.ts"
import * as Names from "./Names.ts"

/** `labels`: what the page says under labels. */
export const listSpans = (
  groups: ReadonlyArray<Group>,
  labels: ReadonlyArray<Property> = []
): ReadonlyArray<readonly [from: number, to: number]> =>
  outermost(
    groups.flatMap(({ source, things }) =>
      things.length >= 3 &&
      (source.kind === "block" || source.kind === "table") &&
      !areFacts(things) &&
      !arePairs(things, labels.filter(isIn(source.span)))
        ? [source.span]
        : []
    )
  )

/**
 * Whether each says one thing under a name of its own: "Portions: 12" in a list of such facts is not one of many things. A
 * few of them may have no name, "For 6 people".
 */
const areFacts = (things: ReadonlyArray<Thing>): boolean => {
  const small = things.filter(({ properties }) => properties.length <= 4)
  const names = small.flatMap(({ properties }) => {
    const labels = properties.filter(isLabel)
    return labels.length === 1 ? [labels[0]?.name] : []
  })
  const bare = small.filter(({ properties }) => !properties.some(isLabel) && properties.length === 1)
  return (
    names.length + bare.length === things.length &&
    names.length > bare.length * 2 &&
    new Set(names).size === names.length
  )
}

/**
 * Whether each is a label and its value in elements of their own. Where all values are sums, or a class says what they
 * are, as in a menu with its prices, they are a list.
 */
const arePairs = (things: ReadonlyArray<Thing>, labels: ReadonlyArray<Property>): boolean => {
  if (labels.length < things.length || things.length > maxFacts) return false
  const pairs = things.flatMap(({ properties, source: { span } }) => {
    const own = properties.filter((one) => !isLabel(one))
    const [first, ...others] = labels.filter(isIn(span))
    const isPair = own.length <= 3 && others.every(({ name }) => name === first?.name) && !own.some(isNamed)
    return first?.value._tag === "Value" && isPair ? [[first.name, kindOf(String(first.value.data))] as const] : []
  })
  const kinds = new Set(pairs.map(([, kind]) => kind))
  const isOfOneKind = kinds.size === 1 && !kinds.has(undefined)
  return pairs.length === things.length && new Set(pairs.map(([name]) => name)).size === pairs.length && !isOfOneKind
}

/** What has more rows is a list. */
const maxFacts = 100

const isLabel = ({ value }: Property): boolean => value._tag === "Value" && value.source.kind === "label"

const isIn =
  ([from, to]: readonly [number, number]) =>
  ({ value: { source } }: Property): boolean =>
    source.span[0] >= from && source.span[1] <= to

/** A sum is called a price wherever it stands, and a value may be a link. */
const isNamed = ({ name }: Property): boolean => {
  const concept = Names.conceptOf(Names.parse(name))?.id
  return concept !== undefined && !ofAnyText.has(concept) && name !== "price"
}

const ofAnyText: ReadonlySet<string> = new Set(["title", "body", "url", "website"])

const kindOf = (text: string): string | undefined =>
  Price.parse(text)?.mark !== undefined
    ? "sum"
    : Contact.email(text) !== undefined
      ? "mail"
      : Day.all(text).length > 0
        ? "day"
        : Contact.phone(text) !== undefined
          ? "phone"
          : undefined

/** Spans in order, those in others left out. */
const outermost = (spans: ReadonlyArray<readonly [number, number]>): ReadonlyArray<readonly [number, number]> => {
  const found: Array<readonly [number, number]> = []
  for (const span of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = found.at(-1)
    if (last === undefined || span[0] >= last[1]) found.push(span)
  }
  return found
}
