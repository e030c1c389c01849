/**
 * Whether a page is itself one of the things that a list of them is wanted of: the page of one product, where products
 * are wanted.
 *
 * The law: it has all that is required, more than half of the rest and two values at least, and one of them is more than
 * any page says of itself (a title, an address, a picture).
 */
import { pointerOf } from "./Objects.ts"
import type { Scored } from "./Scorer.ts"
import type { Whole } from "./Wanted.ts"

/** The values where it is one. `at`: the JSON pointer that they stand below. */
export const itself = (
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

const ofAnyPage: ReadonlySet<string | undefined> = new Set(["heading", "link", "meta", "opengraph"])
