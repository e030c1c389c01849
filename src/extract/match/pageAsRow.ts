/**
 * Whether a page is itself one of the things that a list of them is wanted of: the page of one product, where products
 * are wanted.
 *
 * The page must have all required values, more than half of the others and at least two values, and one of them must be
 * more than any page says of itself (a title, an address, a picture).
 */
import type { CandidateValue } from "./CandidateValue.ts"
import * as Names from "./Names.ts"
import { pointerOf } from "./Objects.ts"
import type { Scored } from "./Scorer.ts"
import type { Whole } from "./Wanted.ts"

/** The values where it is one. `at`: the JSON pointer that they stand below. */
export const pageAsRow = (
  item: Whole,
  chosen: ReadonlyMap<string, Scored>,
  at: string
): ReadonlyMap<string, Scored> | undefined => {
  const ones = item.parts.filter((part) => part._tag === "One")
  const kindOf = (key: string) => chosen.get(pointerOf(at, key))?.leaf.value.source.kind
  const found = ones.filter(({ key }) => kindOf(key) !== undefined)
  const isWhole = ones.every((one) => !one.required || found.includes(one))
  const saysMore = found.some(({ key }) => !ofAnyPage.has(kindOf(key)))
  return isWhole && saysMore && found.length > 1 && found.length > ones.length / 2 ? chosen : undefined
}

/** The address of the row is that of the page, so that lists that link to it say the same row. */
export const withAddress = (
  item: Whole,
  chosen: ReadonlyMap<string, Scored>,
  ofPage: ReadonlyArray<CandidateValue>,
  at: string
): ReadonlyMap<string, Scored> => {
  const address = item.parts.find((part) => part._tag === "One" && Names.conceptOf(part.name)?.id === "url")
  const leaf = ofPage.find(({ path, value }) => path.own === pageUrl && value.source.path === "")
  if (address === undefined || leaf === undefined) return chosen
  const own: Scored = { leaf, fit: { json: leaf.data, fit: 1 }, like: 1, score: 1 }
  return new Map([...chosen, [pointerOf(at, address.key), own]])
}

const pageUrl = Names.parse("page url")

const ofAnyPage: ReadonlySet<string | undefined> = new Set(["heading", "link", "meta", "opengraph"])
