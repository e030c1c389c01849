/**
 * The things that are parts of a thing.
 */
import type { Thing } from "../Candidates.ts"

/** The parts of a thing by the name that they have in it. */
export const partsOf = (thing: Thing | undefined): ReadonlyMap<string, ReadonlyArray<Thing>> => {
  const found = new Map<string, Array<Thing>>()
  for (const { name, value } of thing?.properties ?? []) {
    if (value._tag !== "Thing") continue
    const known = found.get(name)
    if (known === undefined) found.set(name, [value])
    else known.push(value)
  }
  return found
}

/**
 * The parts that are a list in an answer that is data: the first of ten products is not what the answer is about. Of
 * several authors that a page declares, the first is an author of the page, so declared parts are not such a list.
 */
export const listedParts = (thing: Thing): ReadonlyArray<Thing> =>
  thing.source.kind === "data" ? [...partsOf(thing).values()].filter((parts) => parts.length > 1).flat() : []
