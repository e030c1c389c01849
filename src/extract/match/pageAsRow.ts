/**
 * Whether a page is itself one of the things that a list of them is wanted of: the page of one product, where products
 * are wanted.
 *
 * The page must have all required values, more than half of the others and at least two values, and one of them must be
 * more than any page says of itself (a title, an address, a picture). The listing of such pages must say one that stands
 * under a name.
 */

import { pointerOf } from "#base/pointerOf"
import type { Candidates, Group, Source } from "../Candidates.ts"
import type { CandidateValue } from "./CandidateValue.ts"
import * as Names from "./Names.ts"
import type { Scored } from "./Scorer.ts"
import type { One, Whole } from "./Wanted.ts"

/** The values where it is one. `at`: the JSON pointer that they stand below; `url`: its address. */
export const pageAsRow = (
  item: Whole,
  chosen: ReadonlyMap<string, Scored>,
  at: string,
  { groups, lone = [] }: Pick<Candidates, "groups" | "lone">,
  url: string
): ReadonlyMap<string, Scored> | undefined => {
  const ones = item.parts.filter((part) => part._tag === "One")
  const kindOf = (key: string) => chosen.get(pointerOf(at, key))?.leaf.value.source.kind
  const found = ones.filter(({ key }) => kindOf(key) !== undefined)
  const isWhole = ones.every((one) => !one.required || found.includes(one))
  const saysMore = found.some(({ key }) => !ofAnyPage.has(kindOf(key)))
  const isOne = isWhole && saysMore && found.length > 1 && found.length > ones.length / 2
  // A sum or a day that stands in its text may be of anything, and a listing has days too.
  const isPlain = found.some((one) => !ofAnyListing.has(kindOf(one.key)) && !isDay(one))
  // What the only card says is said of the page that it leads to.
  const isOfCard = lone.some(({ source: { span } }) => [...chosen.values()].some(({ leaf }) => isIn(leaf, span)))
  return isOne && !isOfCard && (isPlain || !listsBelow(groups, url)) ? chosen : undefined
}

const isIn = ({ value: { source } }: CandidateValue, [from, to]: Source["span"]): boolean =>
  source.span[0] >= from && source.span[1] <= to

const isDay = ({ name }: One): boolean => Names.conceptOf(name)?.kind === "date"

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
const ofAnyListing: ReadonlySet<string | undefined> = new Set([...ofAnyPage, "text"])

/**
 * Whether a page is the listing of pages that stand below its address: /jobs of /jobs/1 and /jobs/2. Such a page is not
 * one of the things that it lists, unless it plainly says so.
 */
export const listsBelow = (groups: ReadonlyArray<Group>, page: string): boolean => {
  const start = folderOf(page)
  return (
    start !== undefined &&
    groups.some(({ things }) => {
      const below = things.flatMap(({ properties }) =>
        properties.flatMap(({ name, value }) => {
          const address = name === "url" && value._tag === "Value" ? plain(String(value.data)) : ""
          return address.startsWith(start) && address.length > start.length ? [address] : []
        })
      )
      return new Set(below).size > 1
    })
  )
}

const plain = (address: string): string => address.replace(/[?#].*$/, "")

/** "/jobs", "/jobs/", "/jobs.html" and "/jobs/index.php" are all the listing of "/jobs/1". */
const folderOf = (page: string): string | undefined => {
  const url = URL.parse(page)
  if (url === null) return undefined
  const path = url.pathname.replace(/\/(?:index|default)\.\w{2,5}$/, "/").replace(/\.\w{2,5}$/, "")
  return `${url.origin}${path.replace(/\/$/, "")}/`
}
