import type { Property, Thing } from "#extract/Candidates"

/** A thing as short as a test wants to write it: types, id and properties with their values. */
export const outline = (thing: Thing): unknown => ({
  ...(thing.types.length > 0 ? { type: thing.types.join(" ") } : {}),
  ...(thing.id === undefined ? {} : { id: thing.id }),
  ...pairs(thing.properties)
})

/** Properties by name; a list where a name comes several times. */
export const pairs = (properties: ReadonlyArray<Property>): Record<string, unknown> => {
  const found: Record<string, unknown> = {}
  for (const [name, same] of Map.groupBy(properties, (property) => property.name)) {
    const values = same.map(({ value }) => (value._tag === "Thing" ? outline(value) : value.data))
    found[name] = values.length === 1 ? values[0] : values
  }
  return found
}
