/**
 * Two values as the leaves that differ, by their dotted names: `offers.0.price`.
 */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }

export interface FieldChange {
  readonly previous: Json
  readonly current: Json
}

/** Empty where the values are equal. */
export const of = (previous: Json, current: Json): Readonly<Record<string, FieldChange>> => {
  const a = leaves(previous, "", new Map())
  const b = leaves(current, "", new Map())
  const names = [...new Set([...a.keys(), ...b.keys()])]
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(a.get(name)) !== JSON.stringify(b.get(name)))
      .map((name) => [name, { previous: a.get(name) ?? null, current: b.get(name) ?? null }])
  )
}

const leaves = (value: Json, path: string, into: Map<string, Json>): Map<string, Json> => {
  const parts = typeof value === "object" && value !== null ? Object.entries(value) : []
  if (parts.length === 0) {
    if (path !== "") into.set(path, value)
  } else for (const [key, part] of parts) leaves(part, path === "" ? key : `${path}.${key}`, into)
  return into
}
