/**
 * The format json as columns: of the type that its schema says, or of any JSON where it has none.
 *
 * The law: a json that does not fit its schema is no cell. What a service did not find it says as null, whether the schema
 * knows null or not; so null counts as absent where it may be absent, and a json of nothing but nulls is a null cell.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { ScrapeOptions } from "../../src/api/ScrapeOptions.ts"
import { formatNames, formatOf } from "../../src/api/ScrapeOptions.ts"
import type { Column } from "../../src/pipeline/Column.ts"
import * as JsonSchemaColumn from "../../src/pipeline/jsonSchema/JsonSchemaColumn.ts"
import type { Misread } from "../../src/pipeline/jsonSchema/JsonSchemaRow.ts"
import { has, type Shape } from "../../src/pipeline/jsonSchema/JsonSchemaShape.ts"
import type { JsonSchemaError } from "../../src/pipeline/jsonSchema/JsonSchemaValidator.ts"
import type * as Table from "../../src/pipeline/Table.ts"

/** The cells of a json; null where a page has none. */
export type ReadJson = (json: unknown) => Result.Result<Table.Row, Misread>

export interface JsonFormat {
  readonly columns: ReadonlyArray<Column>
  /** Compiles the schema. */
  readonly reader: Effect.Effect<ReadJson, JsonSchemaError>
}

export const jsonFormat = (options: ScrapeOptions | undefined): JsonFormat => {
  if (!formatNames(options).includes("json")) return unasked
  const schema = formatOf(options, "json")?.schema
  if (schema === undefined) return untyped
  const column = JsonSchemaColumn.make("json", schema)
  return {
    columns: column.columns,
    reader: Effect.map(
      JsonSchemaColumn.reader(column),
      (read): ReadJson =>
        (json) =>
          read(isNothing(json) ? null : found(column.shape, json))
    )
  }
}

const unasked: JsonFormat = { columns: [], reader: Effect.succeed(() => Result.succeed({})) }

const untyped: JsonFormat = {
  columns: [{ name: "json", type: { _tag: "JSON" }, nullable: true }],
  reader: Effect.succeed((json) => Result.succeed({ json }))
}

/** Whether there is nothing in it: null, or an object of nothing but nulls. What is very deep is something. */
const isNothing = (json: unknown, depth = 0): boolean => {
  if (!isObject(json) || depth > maxDepth) return json === null
  const members = Object.values(json)
  return members.length > 0 && members.every((member) => isNothing(member, depth + 1))
}
const maxDepth = 100

/** Without the members that are null, may be absent, and may not be null. */
const found = (shape: Shape, json: unknown): unknown => {
  if (Array.isArray(json)) {
    const { items } = shape
    return items === undefined ? json : json.map((item) => found(items, item))
  }
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, member]) => {
      const inner = shape.properties.get(name)
      if (inner === undefined) return [[name, member]]
      if (member === null && !has(inner, "null") && !shape.required.has(name)) return []
      return [[name, found(inner, member)]]
    })
  )
}

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  Predicate.isObject(json) && !Array.isArray(json)
