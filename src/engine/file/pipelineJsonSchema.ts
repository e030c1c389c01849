/**
 * The JSON Schema of a pipeline file, made from the schemas that decode it. It is draft-07, which most editors support.
 *
 * It accepts what `PipelineFile.load` accepts, as far as JSON Schema can express it. A number or a boolean may also be
 * written as `${...}`.
 */
import * as JsonSchema from "effect/JsonSchema"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Shape from "../keys/Shape.ts"
import type { Loaded } from "../loadConnectors.ts"
import { PipelineKeys } from "../PipelineKeys.ts"

type Json = { readonly [key: string]: unknown }

interface Kind {
  readonly type: string
  readonly description: string
  readonly schema: Schema.Constraint
  readonly writes?: ReadonlyArray<string>
}

export const pipelineJsonSchema = <R>(connectors: ReadonlyArray<Loaded<R>>): Json => {
  const definitions: Record<string, unknown> = {}
  const keys = plain(PipelineKeys, "file", definitions)
  const sources = connectors
    .flatMap((connector) => connector.sources)
    .map((kind) => ofKind(kind, "source", definitions))
  const sinks = connectors.flatMap((connector) => connector.sinks).map((kind) => ofKind(kind, "sink", definitions))
  const properties = fields(keys)
  const types = (kinds: ReadonlyArray<Json>) => ({ properties: { type: { enum: kinds.flatMap(typesOf) } } })
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Millrace pipeline",
    ...keys,
    properties: {
      ...properties,
      source: { ...sourceDescription, ...oneOfTypes(sources) },
      sinks: {
        ...described(properties["sinks"]),
        type: "object",
        minProperties: 1,
        propertyNames: { pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$" },
        additionalProperties: oneOfTypes(sinks)
      }
    },
    // Without modules of the user, only these types exist.
    if: { not: { required: ["connectors"] } },
    // oxlint-disable-next-line unicorn/no-thenable -- it is a word of JSON Schema, and nobody awaits it
    then: { properties: { source: types(sources), sinks: { additionalProperties: types(sinks) } } },
    ...(Object.keys(definitions).length === 0 ? {} : { definitions })
  }
}

/** The JSON Schema of an unknown value has no description, so it is read from the annotations. */
const sourceDescription = { description: Shape.description(Shape.at(PipelineKeys.ast, ["source"])) }

/** The options of one source or sink, with its `type`. */
const ofKind = (kind: Kind, room: string, definitions: Record<string, unknown>): Json => {
  const options = plain(kind.schema, `${room}.${kind.type}`, definitions)
  const { write, ...others } = fields(options)
  const writes =
    kind.writes === undefined || write === undefined ? {} : { write: { ...described(write), enum: kind.writes } }
  const required: ReadonlyArray<unknown> = Array.isArray(options["required"]) ? options["required"] : []
  return {
    ...options,
    description: kind.description,
    properties: { type: { const: kind.type, description: kind.description }, ...others, ...writes },
    required: ["type", ...required]
  }
}

/** A type of a user's module, whose options are not known here. */
const otherType = (kinds: ReadonlyArray<Json>): Json => ({
  properties: { type: { type: "string", not: { enum: kinds.flatMap(typesOf) } } },
  required: ["type"]
})

const typesOf = ({ properties }: Json): ReadonlyArray<unknown> => {
  const type = isJson(properties) ? properties["type"] : undefined
  return isJson(type) ? [type["const"]] : []
}

/** Exactly one of the kinds fits, by its `type`, so that an editor shows problems of that kind only. */
const oneOfTypes = (kinds: ReadonlyArray<Json>): Json => ({
  type: "object",
  required: ["type"],
  oneOf: [...kinds, otherType(kinds)]
})

/** The schema in draft-07. Its definitions are moved to those of the whole schema, under unique names. */
const plain = (schema: Schema.Constraint, name: string, definitions: Record<string, unknown>): Json => {
  const document = JsonSchema.toDocumentDraft07(Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" }))
  const rename = (json: unknown) => open(json, (ref) => ref.replace("#/definitions/", `#/definitions/${name}.`))
  for (const [key, value] of Object.entries(document.definitions)) definitions[`${name}.${key}`] = rename(value)
  const renamed = rename(document.schema)
  return isJson(renamed) ? renamed : {}
}

const interpolated = { type: "string", pattern: "^\\$\\{[^}]*\\}$" }

/** Allows `${...}` for every number and boolean, and renames references. */
const open = (json: unknown, reference: (ref: string) => string): unknown => {
  if (Array.isArray(json)) return json.map((item) => open(item, reference))
  if (!isJson(json)) return json
  const walked = Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (key === "properties" && isJson(value)) return [key, eachOf(value, (field) => open(field, reference))]
      if (key === "$ref" && typeof value === "string") return [key, reference(value)]
      return [key, literal.has(key) ? value : open(value, reference)]
    })
  )
  const { default: preset, description, type, ...bounds } = walked
  if (type !== "number" && type !== "integer" && type !== "boolean") return walked
  return {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
    anyOf: [{ type, ...bounds }, interpolated]
  }
}

const eachOf = (json: Json, f: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(json).map(([key, value]) => [key, f(value)]))

/** Keys whose values are not schemas. */
const literal: ReadonlySet<string> = new Set(["default", "examples", "enum", "const", "required"])

const fields = (json: Json): Json => (isJson(json["properties"]) ? json["properties"] : {})

const described = (json: unknown): Json =>
  isJson(json) && json["description"] !== undefined ? { description: json["description"] } : {}

const isJson = (json: unknown): json is Json => Predicate.isObject(json)
