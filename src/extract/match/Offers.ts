/**
 * What a thing that is offered several times says of itself: a shoe in nine sizes has one price and one availability.
 *
 * It can be had where any offer can. Its price is what it says itself, else the lowest price that it declares, else the
 * lowest of the offers that can be had, else the lowest of all; its currency is of that offer. So the order of offers, and
 * of the keys in them, decides nothing. Of what else its offers say, an article number for one, nothing is its own.
 */
import type { Thing, Value } from "../Candidates.ts"
import * as Choice from "../value/Choice.ts"
import * as Price from "../value/Price.ts"

interface Offers {
  /** Each of several, or each of several prices of one. */
  readonly several: ReadonlyArray<Thing>
  /** What is said of all, by the names of schema.org. */
  readonly own: ReadonlyArray<readonly [name: string, value: Value]>
}

/** Undefined where a thing has no offers, or one that says its price. */
export const of = (thing: Thing): Offers | undefined => {
  const found: Found = { offers: [], aggregates: [] }
  collect(thing, found, 0)
  const { aggregates, offers } = found
  // One offer says its price itself, if it says one.
  const prices = offers.length === 1 ? offers.flatMap((one) => thingsOf(one, /^priceSpecification$/)) : []
  if (offers.length < 2 && aggregates.length === 0 && prices.length < 2) return undefined
  const own: Array<readonly [string, Value]> = []
  const priced = pricedOf(thing, found)
  if (priced !== undefined) {
    own.push(["price", priced.price])
    const currency = priced.currency ?? aggregates.map((one) => valueOf(one, "priceCurrency")).find(isValue)
    if (currency !== undefined) own.push(["priceCurrency", currency])
  }
  const availabilityOf = (one: Thing) => valueOf(one, "availability")
  const availability = (offers.length > 0 ? offers : aggregates)
    .map(availabilityOf)
    .filter(isValue)
    .toSorted(byStock)[0]
  if (availability !== undefined) own.push(["availability", availability])
  return { several: offers.length > 1 ? offers : prices, own }
}

interface Found {
  readonly offers: Array<Thing>
  /** What stands for several, with a lowest and a highest price. */
  readonly aggregates: Array<Thing>
}

const maxOffers = 500

const collect = (thing: Thing, into: Found, depth: number): void => {
  const before = into.offers.length + into.aggregates.length
  for (const offer of thingsOf(thing, /^offers?$/)) {
    if (into.offers.length >= maxOffers) return
    if (offer.types.includes("AggregateOffer")) {
      into.aggregates.push(offer)
      for (const one of thingsOf(offer, /^offers?$/)) into.offers.push(one)
    } else into.offers.push(offer)
  }
  if (into.offers.length + into.aggregates.length > before || depth > 0) return
  for (const variant of thingsOf(thing, /^hasVariant$/)) collect(variant, into, depth + 1)
}

interface Priced {
  readonly price: Value
  readonly currency: Value | undefined
  readonly amount: number
}

const pricedOf = (thing: Thing, { aggregates, offers }: Found): Priced | undefined => {
  // What the thing says itself is read as all that it says.
  if (valueOf(thing, "price") !== undefined) return undefined
  for (const name of ["price", "lowPrice"]) {
    const own = lowest(aggregates.flatMap((one) => pricesIn(one, name)))
    if (own !== undefined) return own
  }
  const isHad = (offer: Thing) => Choice.truth(String(valueOf(offer, "availability")?.data ?? "")) === true
  return (
    lowest(offers.filter(isHad).flatMap((offer) => pricesIn(offer, "price"))) ??
    lowest(offers.flatMap((offer) => pricesIn(offer, "price")))
  )
}

/** The prices of an offer, or of what specifies them; a price that is struck through is none. */
const pricesIn = (offer: Thing, name: string): ReadonlyArray<Priced> => {
  const own = pricedAs(offer, name)
  if (own !== undefined) return [own]
  return thingsOf(offer, /^priceSpecification$/).flatMap((part) =>
    isFormer.test(String(valueOf(part, "priceType")?.data ?? "")) ? [] : (pricedAs(part, name) ?? [])
  )
}

const isFormer = /ListPrice|StrikethroughPrice|SRP|MSRP|RegularPrice/i

const pricedAs = (thing: Thing, name: string): Priced | undefined => {
  const price = valueOf(thing, name)
  const amount = price === undefined ? undefined : Price.parse(String(price.data))?.amount
  if (price === undefined || amount === undefined || amount <= 0) return undefined
  return { price, amount, currency: valueOf(thing, "priceCurrency") }
}

const lowest = (prices: ReadonlyArray<Priced>): Priced | undefined =>
  prices.reduce<Priced | undefined>(
    (best, one) => (best === undefined || one.amount < best.amount ? one : best),
    undefined
  )

/** The best first; what is as good in the order of letters, so that no order of the page counts. */
const byStock = (a: Value, b: Value): number => rankOf(b) - rankOf(a) || String(a.data).localeCompare(String(b.data))

const rankOf = ({ data }: Value): number => {
  const text = String(data)
  if (/in ?stock$/i.test(text)) return 4
  if (Choice.truth(text) === true) return 3
  return /pre-?(?:order|sale)|back-?order/i.test(text) ? 2 : Choice.truth(text) === undefined ? 1 : 0
}

const thingsOf = ({ properties }: Thing, name: RegExp): ReadonlyArray<Thing> =>
  properties.flatMap(({ name: own, value }) => (name.test(own) && value._tag === "Thing" ? [value] : []))

const valueOf = ({ properties }: Thing, name: string): Value | undefined => {
  for (const { name: own, value } of properties) if (own === name && value._tag === "Value") return value
  return undefined
}

const isValue = (value: Value | undefined): value is Value => value !== undefined
