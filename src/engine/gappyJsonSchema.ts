/**
 * A schema that lets parts of its values be absent: what was looked for and not found.
 *
 * It accepts what the original schema accepts, and also the same value without some of its members. Members that are
 * present are still checked. Nothing changes under `not` and `if`, because a weaker schema there refuses more.
 */
import { isSchemaObject, type JsonSchema, mapChildren, type SchemaObject } from "./JsonSchemaDraft.ts"

export const gappyJsonSchema = (schema: JsonSchema, depth = 0): JsonSchema => {
  if (!isSchemaObject(schema) || depth > maxDepth) return schema
  const { not, if: condition, oneOf, ...others } = schema
  const remaining = Object.fromEntries(Object.entries(others).filter(([keyword]) => !demands.has(keyword)))
  const allOf: ReadonlyArray<unknown> = Array.isArray(remaining["allOf"]) ? remaining["allOf"] : []
  const alternatives: ReadonlyArray<unknown> = Array.isArray(oneOf) ? [oneOf] : []
  // One of several that differ in what they require is several once nothing is required.
  const open: SchemaObject = {
    ...remaining,
    ...("anyOf" in remaining && alternatives.length > 0
      ? { allOf: [...allOf, ...alternatives.map((anyOf) => ({ anyOf }))] }
      : Object.fromEntries(alternatives.map((anyOf) => ["anyOf", anyOf])))
  }
  return {
    ...mapChildren(open, (child) => gappyJsonSchema(child, depth + 1)),
    ...(not === undefined ? {} : { not }),
    ...(condition === undefined ? {} : { if: condition })
  }
}

/** A schema nested deeper than that stays as it is. */
const maxDepth = 200

const demands: ReadonlySet<string> = new Set(
  "required dependentRequired minProperties minItems minContains contains".split(" ")
)
