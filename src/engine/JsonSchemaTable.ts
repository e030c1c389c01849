/**
 * A table from the JSON Schema of its rows.
 *
 * Every valid row has a place for all of it. Properties that the schema allows but does not name are kept in the JSON
 * column `_other`, at their place in the row; `undeclared: "drop"` leaves them out. Rows that are not objects, or that
 * are objects of unknown properties, become one column: `value`. For a schema of an array, each item is a row, and
 * limits on the array itself are ignored. With `unwrap` this also holds for an object whose only property is an array of
 * objects.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Column } from "./Column.ts"
import * as Draft from "./JsonSchemaDraft.ts"
import * as JsonSchemaRow from "./JsonSchemaRow.ts"
import { has, type Shape } from "./JsonSchemaShape.ts"
import * as Validator from "./JsonSchemaValidator.ts"
import { fieldOf, fieldsOf, isOpen } from "./jsonSchema/columnFromJsonSchema.ts"
import * as Refs from "./jsonSchema/JsonSchemaRefs.ts"
import { shapeOfJsonSchema } from "./jsonSchema/shapeOfJsonSchema.ts"
import type * as Table from "./Table.ts"

/** The JSON Schema of the rows of a table, and how its columns are made. */
export interface Options {
  /** The name of the table. */
  readonly name: string
  /** Of one row, or of an array of rows. */
  readonly schema: Draft.JsonSchema
  /** The subject of the schema, if it does not name it itself. */
  readonly draft?: Draft.Draft
  /** Column names. */
  readonly key?: ReadonlyArray<string>
  /** What one row is; default: what the schema says in `description`. */
  readonly description?: string
  /** What becomes of properties that the schema does not name; default: "keep". */
  readonly undeclared?: "keep" | "drop"
  /** More column names that the schema's own must not have. */
  readonly taken?: ReadonlyArray<string>
  /** Whether an object whose only property is a list of objects is that list. */
  readonly unwrap?: boolean
}

/** A table made of a JSON Schema, and how answers become its rows. */
export interface JsonSchemaTable {
  /** The table, with one column for each property of a row. */
  readonly table: Table.Table
  /** The schema as it was given. */
  readonly schema: Draft.JsonSchema
  /** The version of JSON Schema that it is read by. */
  readonly draft: Draft.Draft
  /** The JSON pointer in the schema to the schema of a row: "" if it is the whole schema. */
  readonly at: string
  /** The property that holds the rows, if an object is unwrapped. */
  readonly within: string | undefined
  /** What rows the schema lets through, as far as the columns know. */
  readonly shape: Shape
  /** The schema of a row. */
  readonly row: Draft.JsonSchema
  /** How values become cells, and back. */
  readonly layout: JsonSchemaRow.Layout
  /** The column of each property. */
  readonly columns: ReadonlyMap<string, string>
}

/** The names of columns that are the engine's. */
const reserved = ["_run_id", "_pipeline", "_fetched_at", "_source_url", "_job_id", "_row_id"]
const other = "_other"

const undeclared: Column = {
  name: other,
  type: { _tag: "JSON" },
  nullable: true,
  description: "extracted properties that the schema does not name"
}

/**
 * A table from a JSON Schema. Properties become columns; a nested object is a STRUCT, an array is a LIST, and what the
 * schema does not name is in the JSON column `_other`.
 *
 * @see JSON Schema, drafts 4 to 2020-12
 * @example
 * ```ts
 * import { JsonSchemaTable } from "millrace"
 *
 * const { table } = JsonSchemaTable.make({
 *   name: "products",
 *   schema: { type: "object", properties: { name: { type: "string" } }, additionalProperties: false }
 * })
 * console.log(table.columns.map(({ name }) => name)) // ["name"]
 * ```
 */
export const make = (options: Options): JsonSchemaTable => {
  const { schema, draft = Draft.draftOf(schema) } = options
  const refs = Refs.collect(schema, draft)
  const { row, at, within } =
    (options.unwrap === true && wrapped(schema, draft, refs)) || rowOfArray(schema, draft, refs)
  const shape = shapeOfJsonSchema(row, draft, refs)
  const spread = has(shape, "object") && shape.properties.size > 0
  const fields = spread
    ? fieldsOf(shape, [...reserved, other, ...(options.taken ?? [])])
    : [fieldOf("value", "value", shape, true)]
  const keep = options.undeclared !== "drop" && ((spread && shape.open) || isOpen(fields))
  const columns = fields.map(({ column }) => column)
  const described = Draft.isSchemaObject(row) ? (row["description"] ?? row["title"]) : undefined
  return {
    table: {
      name: options.name,
      description: options.description ?? (typeof described === "string" ? described : "rows of a JSON Schema"),
      key: options.key ?? [],
      columns: keep ? [...columns, undeclared] : columns
    },
    schema,
    draft,
    at,
    within,
    shape,
    row,
    layout: { spread, fields, other: keep ? other : undefined },
    columns: new Map(fields.map(({ property, column }) => [property, column.name]))
  }
}

/**
 * The rows in an answer, not yet checked: the items of the array where the schema is of one, and the answer itself
 * otherwise.
 *
 * @example
 * ```ts
 * import { JsonSchemaTable } from "millrace"
 *
 * const schema = { type: "array", items: { type: "object", properties: { name: { type: "string" } } } }
 * const table = JsonSchemaTable.make({ name: "p", schema })
 * console.log(JsonSchemaTable.rowsIn(table, [{ name: "lamp" }, { name: "rug" }])) // [{ name: "lamp" }, { name: "rug" }]
 * ```
 */
export const rowsIn = ({ at, within }: JsonSchemaTable, answer: unknown): ReadonlyArray<unknown> => {
  if (at === "") return [answer]
  if (within === undefined) return Array.isArray(answer) ? answer : [answer]
  const list = Draft.isSchemaObject(answer) && Object.hasOwn(answer, within) ? answer[within] : undefined
  return Array.isArray(list) ? list : []
}

/**
 * A function that checks a value by the schema and makes a row of it, or says what does not fit. It fails with
 * `JsonSchemaError` if the schema itself is invalid.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { JsonSchemaTable } from "millrace"
 *
 * const products = JsonSchemaTable.make({ name: "p", schema: { type: "object", properties: { name: { type: "string" } } } })
 * const read = await Effect.runPromise(JsonSchemaTable.reader(products))
 * console.log(read({ name: "lamp" })._tag, read({ name: 1 })._tag) // "Success" "Failure"
 * ```
 */
export const reader = Effect.fnUntraced(function* (table: JsonSchemaTable) {
  const faultOf = yield* Validator.compile(table.schema, table.draft, table.at)
  const encode = JsonSchemaRow.encoder(table.layout)
  return (json: unknown): Result.Result<Table.Row, JsonSchemaRow.Misread> => {
    const fault = faultOf(json)
    return fault === undefined ? encode(json) : Result.fail(fault)
  }
})

interface RowSchema {
  readonly row: Draft.JsonSchema
  readonly at: string
  readonly within: string | undefined
}

/** The schema of one row, and where it stands: behind `items` of a schema that is only of arrays. */
const rowOfArray = (
  schema: Draft.JsonSchema,
  draft: Draft.Draft,
  refs: Refs.JsonSchemaRefs,
  from: { readonly row: Draft.JsonSchema; readonly at: string } = { row: schema, at: "" }
): RowSchema => {
  let { row, at } = from
  for (let steps = 0; steps < 16 && Draft.isSchemaObject(row); steps++) {
    const { type, items } = row
    if (type === "array" && Draft.isJsonSchema(items) && row["prefixItems"] === undefined) {
      return { row: items, at: `${at}/items`, within: undefined }
    }
    const next = targetOf(row, draft, refs)
    if (next === undefined) break
    ;({ row, at } = next)
  }
  return { row: schema, at: "", within: undefined }
}

/** The schema of the rows of an object with one property, a list of objects; undefined: it is another. */
const wrapped = (schema: Draft.JsonSchema, draft: Draft.Draft, refs: Refs.JsonSchemaRefs): RowSchema | undefined => {
  let [one, at] = [schema, ""]
  for (let steps = 0; steps < 16 && Draft.isSchemaObject(one); steps++) {
    const { properties } = one
    const [first, ...more] = Draft.isSchemaObject(properties) ? Object.entries(properties) : []
    if (first !== undefined) {
      const [within, list] = first
      if (more.length > 0 || !Draft.isJsonSchema(list)) return undefined
      const listPosition = { row: list, at: `${at}/properties/${within.replaceAll("~", "~0").replaceAll("/", "~1")}` }
      const arrayRow = rowOfArray(true, draft, refs, listPosition)
      const shape = shapeOfJsonSchema(arrayRow.row, draft, refs)
      return arrayRow.at !== "" && has(shape, "object") && shape.properties.size > 0
        ? { ...arrayRow, within }
        : undefined
    }
    const next = targetOf(one, draft, refs)
    if (next === undefined) return undefined
    ;({ row: one, at } = next)
  }
  return undefined
}

/** Where a schema leads that does nothing but refer to another one. */
const targetOf = (schema: Draft.SchemaObject, draft: Draft.Draft, refs: Refs.JsonSchemaRefs) => {
  const { $ref: reference, type } = schema
  const target = typeof reference === "string" && reference.startsWith("#/") ? refs.targetOf(schema) : undefined
  if (target === undefined || (draft === "2020-12" && type !== undefined)) return undefined
  return { row: target, at: String(reference).slice(1) }
}
