/**
 * Declared things of one type as a list, wherever they stand in others; each thing of the page once. Types of one kind,
 * `NewsArticle` and `BlogPosting`, are a list of that kind too.
 */
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
  for (const [kind, types] of kindsOf([...byType.keys()])) {
    if (types.length < 2) continue
    const places = types.flatMap((type) => [...(byType.get(type) ?? [])])
    // Columns are those of one type.
    byType.set(kind, new Map(places.map(([place, thing]) => [place, { ...thing, types: [kind] }])))
  }
  return [...byType].flatMap(([name, places]) => {
    const found = [...places.values()].sort((a, b) => a.source.span[0] - b.source.span[0])
    const [first] = found
    if (first === undefined || found.length < 2) return []
    const to = found.reduce((most, { source }) => Math.max(most, source.span[1]), 0)
    const source = { kind: first.source.kind, path: name, span: [first.source.span[0], to] as const }
    return [{ source, things: found, name }]
  })
}

/** Types by what they are kinds of, as their names end: the shortest name stands for all. */
const kindsOf = (types: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  for (const type of types.slice(0, maxTypes)) {
    const kind = kinds.find((one) => one.test(type))
    if (kind === undefined) continue
    const known = found.get(kind.source) ?? []
    found.set(kind.source, known)
    known.push(type)
  }
  return new Map(
    Array.from(found.values(), (some) => [some.reduce((a, b) => (b.length < a.length ? b : a)), some] as const)
  )
}

const maxTypes = 200
const kinds = [
  /Article$|Posting$(?<!JobPosting)|^Report$/,
  /Event$|^Festival$/,
  /Product$|^ProductModel$/,
  /Organization$|Business$|^Corporation$/
]
