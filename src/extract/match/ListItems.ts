/**
 * The items of a list of values: which of them come once, which text is several, and which one is all of the others.
 */
import type { Source } from "../Candidates.ts"
import type { Fit } from "../value/Expected.ts"
import type { CandidateValue } from "./CandidateValue.ts"
import * as Names from "./Names.ts"
import { asksAddress } from "./Scorer.ts"
import type { Many } from "./Wanted.ts"

export interface Item {
  readonly leaf: CandidateValue
  readonly fit: Fit
}

/** "red, green and blue": a text that lists short things; of steps, a line is one however long it is. */
export const listedIn = (text: string, areLines: boolean): ReadonlyArray<string> | undefined => {
  const lines = areLines ? text.split(/\s*\n\s*/).filter((line) => line.trim() !== "") : []
  if (lines.length > 1) return lines
  const mark = [/\s*\n\s*/, /\s*;\s*/, /\s*[|•·]\s*/, /\s*,\s+|,(?=\D)/].find((one) => one.test(text))
  if (mark === undefined || text.length > 2000) return undefined
  const parts = text
    .split(mark)
    .map((part) => part.trim())
    .filter((part) => part !== "")
  return parts.length > 1 && parts.every((part) => part.length <= 80) ? parts : undefined
}

/** Equal items of one list stay, as two pinches of salt do; of a set, and of several places of the page, one is kept. */
export const distinct = (many: Many, items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const isOne = new Set(items.map(({ leaf: { value } }) => placeOf(value.source))).size === 1
  const isList = isOne && !isSet(many) && !isTwice(items)
  return isList ? (isSum(items) ? items.slice(1) : items) : dedupe(items)
}

/** Where a list stands that an item is of: its way without the numbers. */
const placeOf = ({ kind, path }: Source): string => `${kind} ${path.replaceAll(/\[\d+\]|\/(?:text|name)$/g, "")}`

/** Whether no item can come twice: a page does not name the same author twice. */
const isSet = ({ isUnique, name, item }: Many): boolean =>
  isUnique || asksAddress(item) || sets.has(Names.conceptOf(name)?.id ?? "")

const sets: ReadonlySet<string> = new Set(
  "author person publisher keyword category language brand organization image url color size material country location email phone date published modified".split(
    " "
  )
)

/** Whether a whole list comes once more: pages have one for each width of a screen. */
const isTwice = (items: ReadonlyArray<Item>): boolean => {
  const half = items.length / 2
  return (
    half >= 2 &&
    Number.isInteger(half) &&
    items.slice(0, half).every(({ fit: { json } }, i) => json === items[i + half]?.fit.json)
  )
}

export const dedupe = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const seen = new Set<unknown>()
  const found = items.filter(({ fit: { json } }) => !seen.has(json) && seen.add(json) !== undefined)
  return isSum(found) ? found.slice(1) : found
}

/** Whether the first is all the others together: what stands around a list is not one of its items. */
const isSum = ([first, ...others]: ReadonlyArray<Item>): boolean => {
  if (others.length < 2 || typeof first?.fit.json !== "string") return false
  return bare(first.fit.json) === bare(others.map(({ fit: { json } }) => String(json)).join(""))
}

/** Where the only item is all of a list in one text, or the one picture that a page declares of those that it shows: the list. */
export const allOf = (
  { fit: { json } }: Item,
  many: Many,
  offers: ReadonlyArray<ReadonlyArray<Item>>
): ReadonlyArray<Item> | undefined => {
  const isPicture = Names.conceptOf(many.name)?.id === "image"
  const all = offers.filter((items) => {
    if (items.length < 2) return false
    if (isPicture) return items.some((item) => item.fit.json === json)
    return typeof json === "string" && bare(json) === bare(items.map((item) => String(item.fit.json)).join(""))
  })
  return all.length === 0 ? undefined : all.reduce((a, b) => (b.length > a.length ? b : a))
}

const bare = (text: string): string => text.replaceAll(/[\s,;|•·]+/g, "")
