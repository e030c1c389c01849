/**
 * Reads a JSON Schema into its shape.
 *
 * Every schema has a shape, however unusual or deep it is. A definition that refers to itself is opaque where it is
 * referred to: its values are JSON, because columns must end. If a schema is too large to be read completely, the rest
 * of it accepts anything.
 */

import { type Draft, isJsonSchema, isSchemaObject, type JsonSchema, type SchemaObject } from "../JsonSchemaDraft.ts"
import * as Shape from "../JsonSchemaShape.ts"
import * as Digits from "./Digits.ts"
import type { JsonSchemaRefs } from "./JsonSchemaRefs.ts"

export const shapeOfJsonSchema = (row: JsonSchema, draft: Draft, refs: JsonSchemaRefs): Shape.Shape => {
  const reader: Reader = { draft, refs, under: new Set(), recursive: new Set(), schemasLeft: maxSchemas, level: 0 }
  return through(reader, row, 0)
}

interface Reader {
  readonly draft: Draft
  readonly refs: JsonSchemaRefs
  /** The schemas that are being read, to find those that lead back to themselves. */
  readonly under: Set<JsonSchema>
  readonly recursive: Set<JsonSchema>
  /** How many more schemas are read. */
  schemasLeft: number
  /** How many schemas stand around the one that is read. */
  level: number
}

const maxSchemas = 20_000
const maxLevel = 200

/** A schema that may be referred to. `depth` counts the properties and items above it. */
const through = (reader: Reader, schema: JsonSchema, depth: number): Shape.Shape => {
  if (reader.under.has(schema)) {
    reader.recursive.add(schema)
    return Shape.any
  }
  if (typeof schema === "object") reader.under.add(schema)
  const shape = read(reader, schema, depth)
  reader.under.delete(schema)
  return depth > 0 && reader.recursive.has(schema) ? Shape.opaque(shape) : shape
}

const read = (reader: Reader, schema: JsonSchema, depth: number): Shape.Shape => {
  if (typeof schema === "boolean") return schema ? Shape.any : Shape.never
  if (reader.level > maxLevel || reader.schemasLeft-- <= 0) return Shape.any
  reader.level++
  const shape = parts(reader, schema, depth).reduce(Shape.meet)
  reader.level--
  const { description } = schema
  return typeof description === "string" ? { ...shape, description } : shape
}

/** All that a value must be at once. */
const parts = (reader: Reader, schema: SchemaObject, depth: number): ReadonlyArray<Shape.Shape> => {
  const referred = typeof schema["$ref"] === "string" ? reader.refs.targetOf(schema) : true
  const target = referred === undefined ? Shape.any : through(reader, referred, depth)
  if (reader.draft !== "2020-12" && "$ref" in schema) return [target]
  const each = (value: unknown) => (Array.isArray(value) ? value.filter(isJsonSchema) : [])
  const alternatives = [schema["anyOf"], schema["oneOf"]]
    .filter(Array.isArray)
    .map((choices) => each(choices).map((choice) => read(reader, choice, depth)))
  return [
    typed(schema),
    listed(schema, reader.draft),
    objects(reader, schema, depth),
    lists(reader, schema, depth),
    target,
    ...each(schema["allOf"]).map((part) => read(reader, part, depth)),
    ...alternatives.map((choices) => choices.reduce(Shape.join, Shape.never)),
    conditional(reader, schema, depth)
  ]
}

const typed = (schema: SchemaObject): Shape.Shape => {
  const { type, format, multipleOf } = schema
  const named = Array.isArray(type) ? type : typeof type === "string" ? [type] : undefined
  const shape = named === undefined ? Shape.any : named.map(Shape.ofType).reduce(Shape.join, Shape.never)
  const scale = typeof multipleOf === "number" && multipleOf > 0 ? Digits.scaleOf(multipleOf) : undefined
  const kinds = scale === 0 ? [...shape.kinds].filter((kind) => kind !== "fraction") : shape.kinds
  return {
    ...shape,
    kinds: new Set(kinds),
    scale,
    format: format === "date" || format === "date-time" ? format : undefined
  }
}

const listed = (schema: SchemaObject, draft: Draft): Shape.Shape => {
  if (Array.isArray(schema["enum"])) return schema["enum"].map(Shape.ofValue).reduce(Shape.join, Shape.never)
  return "const" in schema && draft !== "draft-04" ? Shape.ofValue(schema["const"]) : Shape.any
}

const objects = (reader: Reader, schema: SchemaObject, depth: number): Shape.Shape => {
  const { properties, required, additionalProperties: others, patternProperties: patterns } = schema
  const known = isSchemaObject(properties) ? Object.entries(properties) : []
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : []
  const patterned = isSchemaObject(patterns) && Object.keys(patterns).length > 0
  const open = others !== false || patterned
  const mapped = patterned || (isSchemaObject(others) && Object.keys(others).length > 0)
  const shapes = new Map(
    known.flatMap(([name, child]) => (isJsonSchema(child) ? [[name, read(reader, child, depth + 1)] as const] : []))
  )
  for (const name of needed) if (open && !shapes.has(name)) shapes.set(name, Shape.any)
  return { ...Shape.any, properties: shapes, required: new Set(needed), open, map: mapped }
}

const lists = (reader: Reader, schema: SchemaObject, depth: number): Shape.Shape => {
  const { items, prefixItems, additionalItems } = schema
  const tuple = reader.draft === "2020-12" ? prefixItems : items
  const rest = reader.draft === "2020-12" ? items : Array.isArray(items) ? additionalItems : items
  const item = (child: unknown) => (isJsonSchema(child) ? read(reader, child, depth + 1) : Shape.any)
  if (!Array.isArray(tuple)) return rest === undefined ? Shape.any : { ...Shape.any, items: item(rest) }
  return { ...Shape.any, items: tuple.map(item).reduce(Shape.join, item(rest)) }
}

/** A value is one of `if` and `then`, or one of `else`. */
const conditional = (reader: Reader, schema: SchemaObject, depth: number): Shape.Shape => {
  const { if: condition, then, else: otherwise } = schema
  if (reader.draft === "draft-04" || !isJsonSchema(condition)) return Shape.any
  const branch = (child: unknown) => (isJsonSchema(child) ? read(reader, child, depth) : Shape.any)
  return Shape.join(Shape.meet(read(reader, condition, depth), branch(then)), branch(otherwise))
}
