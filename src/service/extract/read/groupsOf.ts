/** Declared things of one type as a list, wherever they stand in others; each thing of the page once. */
import type { Group, Thing } from "../Candidates.ts"

export const groupsOf = (things: ReadonlyArray<Thing>): ReadonlyArray<Group> => {
  const byType = new Map<string, Map<string, Thing>>()
  const visit = (thing: Thing): void => {
    const [type] = thing.types
    if (type !== undefined) {
      const known = byType.get(type) ?? new Map<string, Thing>()
      byType.set(type, known)
      // What was joined to several things stands at one place.
      const place = thing.source.span.join("-")
      if (!known.has(place)) known.set(place, thing)
    }
    for (const { value } of thing.properties) if (value._tag === "Thing") visit(value)
  }
  for (const thing of things) visit(thing)
  return [...byType].flatMap(([name, places]) => {
    const found = [...places.values()].sort((a, b) => a.source.span[0] - b.source.span[0])
    const [first] = found
    if (first === undefined || found.length < 2) return []
    const to = found.reduce((most, { source }) => Math.max(most, source.span[1]), 0)
    const source = { kind: first.source.kind, path: name, span: [first.source.span[0], to] as const }
    return [{ source, things: found, name }]
  })
}
