/**
 * Where the references of a JSON Schema lead, inside of it.
 *
 * Nothing is ever fetched. A reference is resolved against the `$id` above it, as the drafts say; a reference to another
 * document has no target.
 */
import {
  childrenOf,
  type Draft,
  isJsonSchema,
  isSchemaObject,
  type JsonSchema,
  type SchemaObject
} from "../JsonSchemaDraft.ts"

export interface JsonSchemaRefs {
  /** The schema that the `$ref` of this one means. */
  readonly targetOf: (schema: SchemaObject) => JsonSchema | undefined
}

/** The address of a schema that has none. */
const nowhere = "https://schema.invalid/"

export const collect = (root: JsonSchema, draft: Draft): JsonSchemaRefs => {
  const bases = new Map<SchemaObject, string>()
  const schemaByAddress = new Map<string, SchemaObject>()

  /** Gives every schema its base, and notes the ones that have a name of their own. */
  const learn = (schema: JsonSchema, outer: string): void => {
    const open: Array<readonly [JsonSchema, string]> = [[schema, outer]]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [one, above] = next
      if (!isSchemaObject(one) || bases.has(one)) continue
      const base = baseOf(one, above, draft)
      bases.set(one, base)
      if (base !== above || one === root) schemaByAddress.set(base, one)
      for (const anchor of anchorsOf(one, draft)) schemaByAddress.set(`${base}#${anchor}`, one)
      for (const child of childrenOf(one)) open.push([child, base])
    }
  }
  learn(root, nowhere)
  if (isSchemaObject(root)) schemaByAddress.set(nowhere, root)

  const follow = (start: SchemaObject, pointer: string): JsonSchema | undefined => {
    let value: unknown = start
    let base = bases.get(start) ?? nowhere
    for (const step of pointer.split("/").slice(1)) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
      value = Reflect.get(value, key)
      if (isSchemaObject(value)) base = baseOf(value, base, draft)
    }
    if (!isJsonSchema(value)) return undefined
    learn(value, base)
    return value
  }

  return {
    targetOf: (schema) => {
      const { $ref: reference } = schema
      const url = typeof reference === "string" ? URL.parse(reference, bases.get(schema) ?? nowhere) : null
      if (url === null) return undefined
      const [address = "", fragment = ""] = url.href.split("#")
      const pointer = decoded(fragment)
      if (pointer === undefined) return undefined
      const start = schemaByAddress.get(address)
      if (pointer === "") return start
      return pointer.startsWith("/") ? start && follow(start, pointer) : schemaByAddress.get(`${address}#${pointer}`)
    }
  }
}

const baseOf = (schema: SchemaObject, outer: string, draft: Draft): string => {
  if (draft !== "2020-12" && "$ref" in schema) return outer
  const id = schema[draft === "draft-04" ? "id" : "$id"]
  if (typeof id !== "string" || id.startsWith("#")) return outer
  return URL.parse(id, outer)?.href.split("#")[0] ?? outer
}

const anchorsOf = (schema: SchemaObject, draft: Draft): ReadonlyArray<string> => {
  const written =
    draft === "2020-12"
      ? [schema["$anchor"], schema["$dynamicAnchor"]]
      : [schema[draft === "draft-04" ? "id" : "$id"]].map((id) =>
          typeof id === "string" ? id.split("#")[1] : undefined
        )
  return written.filter((name): name is string => typeof name === "string" && name !== "")
}

const decoded = (fragment: string): string | undefined => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}
