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
