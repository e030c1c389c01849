/**
 * What a thing or a page says of itself without saying so: what it is called, and its own offer or address.
 *
 * This is used only if the rest of the object is found there, so that the heading of any page is not taken for a job.
 */

import { pointerOf } from "#base/pointerOf"
import { fit } from "../value/fit.ts"
import type { Leaves } from "./CandidateValue.ts"
import { entities, parts } from "./Concepts.ts"
import * as Names from "./Names.ts"
import { fillOnes, type Scope } from "./Objects.ts"
import type { Scored, Scorer } from "./Scorer.ts"
import type { One, Rows, Whole } from "./Wanted.ts"

/** `position` of a page that says all else of a job is its heading. */
export const named = (
  whole: Whole,
  scope: Scope,
  pointer: string,
  chosen: ReadonlyMap<string, Scored>,
  scorer: Scorer
): ReadonlyMap<string, Scored> => {
  const ones = whole.parts.filter((part): part is One => part._tag === "One")
  const open = ones.find(
    (one) => !chosen.has(pointerOf(pointer, one.key)) && entities.has(Names.conceptOf(one.name)?.id ?? "")
  )
  if (open === undefined || chosen.size * 2 < ones.length) return chosen
  const leaf = [...scope.near, ...scope.far].find(
    ({ facet, path, value }) =>
      facet === "" && path.depth === 0 && Names.conceptOf(path.own)?.id === "title" && value.source.kind === "heading"
  )
  const found = leaf === undefined ? undefined : fit(leaf.data, open.expected, scorer.setting)
  if (leaf === undefined || found === undefined || [...chosen.values()].some((one) => one.leaf.value === leaf.value))
    return chosen
  return new Map([...chosen, [pointerOf(pointer, open.key), { leaf, fit: found, like: 0.7, score: 0.5 }]])
}

/** The one row of a list of parts that the thing says of itself: its offer, its address. By key. */
export const partsRow = (
  rows: Rows,
  scope: Scope,
  leaves: Leaves,
  scorer: Scorer
): ReadonlyMap<string, Scored> | undefined => {
  const own = parts.get(Names.conceptOf(rows.name)?.id ?? "")
  if (own === undefined) return undefined
  const ones = rows.item.parts.filter(
    (part): part is One => part._tag === "One" && own.has(Names.conceptOf(part.name)?.id ?? "")
  )
  if (ones.length < 2) return undefined
  const chosen = fillOnes({ ...rows.item, parts: ones }, scope, "", leaves, scorer)
  if (chosen.size < 2 || chosen.size * 2 < ones.length) return undefined
  return new Map(
    Array.from(chosen, ([key, scored]) => [key.slice(1).replaceAll("~1", "/").replaceAll("~0", "~"), scored])
  )
}

/** The same values by their pointers. */
export const keyed = (values: ReadonlyMap<string, Scored>, pointer: string): ReadonlyMap<string, Scored> =>
  new Map(Array.from(values, ([key, scored]) => [pointerOf(pointer, key), scored]))
