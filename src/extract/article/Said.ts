/** A text that a page says, with where it stands, and how it is read from declared things. */
import type { Property, Source, Thing, Value } from "../Candidates.ts"

/** A text and where it stands. */
export interface Said {
  readonly text: string
  readonly source: Source
}

export const thingIn = (thing: Thing | undefined, name: string): Thing | undefined => {
  for (const property of thing?.properties ?? []) {
    if (property.name === name && property.value._tag === "Thing") return property.value
  }
  return undefined
}

export const textOf = (thing: Thing | undefined, name: string): Said | undefined =>
  thing === undefined ? undefined : textIn(thing.properties, name)

export const textIn = (properties: ReadonlyArray<Property>, name: string): Said | undefined => {
  for (const property of properties) {
    if (property.name !== name || property.value._tag !== "Value") continue
    const statement = saidOf(property.value)
    if (statement !== undefined) return statement
  }
  return undefined
}

export const saidOf = (value: Value | Thing): Said | undefined => {
  if (value._tag === "Thing" || typeof value.data !== "string") return undefined
  const text = value.data.trim()
  return text === "" ? undefined : { text, source: value.source }
}
