/**
 * Compares two values: returns the leaves that differ, by their dotted names, such as `offers.0.price`.
 *
 * An empty object or list is a leaf. If the other value has leaves in it, only these are reported.
 */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [key: string]: Json }

export interface FieldChange {
  readonly previous: Json
  readonly current: Json
}

/** Empty: the values are equal. */
export const of = (previous: Json, current: Json): Readonly<Record<string, FieldChange>> => {
  const a = leaves(previous, "", new Map())
  const b = leaves(current, "", new Map())
  const differing = [...new Set([...a.keys(), ...b.keys()])].filter(
    (name) => JSON.stringify(a.get(name)) !== JSON.stringify(b.get(name))
  )
  const filled = new Set(differing.flatMap(holders))
  return Object.fromEntries(
    differing
      .filter((name) => !(filled.has(name) && isHolder(a.get(name) ?? b.get(name))))
      .map((name) => [name, { previous: a.get(name) ?? null, current: b.get(name) ?? null }])
  )
}

/** The names of the objects and lists around a leaf. */
const holders = (name: string): ReadonlyArray<string> => {
  const parts = name.split(".")
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("."))
}

const isHolder = (value: Json | undefined): boolean => typeof value === "object" && value !== null

const leaves = (value: Json, path: string, into: Map<string, Json>): Map<string, Json> => {
  const parts = typeof value === "object" && value !== null ? Object.entries(value) : []
  if (parts.length === 0) {
    if (path !== "") into.set(path, value)
  } else for (const [key, part] of parts) leaves(part, path === "" ? key : `${path}.${key}`, into)
  return into
}
