/**
 * The parts of a thing that are a list in an answer that is data: the first of ten products is not what the answer is about.
 *
 * A page may declare several authors, and the first is one; a field of an answer that is data is what its own name says.
 */
import type { Thing } from "../Candidates.ts"
import { partsOf } from "./partsOf.ts"

export const listedParts = (thing: Thing): ReadonlyArray<Thing> =>
  thing.source.kind === "data" ? [...partsOf(thing).values()].filter((parts) => parts.length > 1).flat() : []
