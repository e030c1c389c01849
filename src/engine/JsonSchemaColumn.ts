/**
 * A column from the JSON Schema of its values, where a table has others beside it. `JsonSchemaTable` is of whole rows.
 *
 * Every valid value has a cell, and nothing of it is lost: properties that the schema allows but does not name are kept
 * in the JSON column `<name>_other`. Null is a null cell, whatever the schema says.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Column } from "./Column.ts"
import * as Draft from "./JsonSchemaDraft.ts"
import * as JsonSchemaRow from "./JsonSchemaRow.ts"
import type { Shape } from "./JsonSchemaShape.ts"
import * as Validator from "./JsonSchemaValidator.ts"
import { fieldOf, isOpen } from "./jsonSchema/columnFromJsonSchema.ts"
import * as Refs from "./jsonSchema/JsonSchemaRefs.ts"
import { shapeOfJsonSchema } from "./jsonSchema/shapeOfJsonSchema.ts"
import type * as Table from "./Table.ts"

interface JsonSchemaColumn {
  readonly schema: Draft.JsonSchema
  readonly draft: Draft.Draft
  /** What values the schema lets through, as far as the column knows. */
  readonly shape: Shape
  /** The column, and the one for what has no field where there may be such. */
  readonly columns: readonly [Column, ...ReadonlyArray<Column>]
  readonly layout: JsonSchemaRow.Layout
}

export const of = (name: string, schema: Draft.JsonSchema, draft = Draft.draftOf(schema)): JsonSchemaColumn => {
  const shape = shapeOfJsonSchema(schema, draft, Refs.collect(schema, draft))
  const field = fieldOf("value", "value", shape, false)
  const column: Column = { ...field.column, name }
  const other = isOpen([field]) ? `${name}_other` : undefined
  return {
    schema,
    draft,
    shape,
    columns: other === undefined ? [column] : [column, otherOf(name, other)],
    layout: { spread: false, fields: [field], other }
  }
}

const otherOf = (name: string, other: string): Column => ({
  name: other,
  type: { _tag: "JSON" },
  nullable: true,
  description: `what ${name} has that its schema does not name`
})

/** Checks a value by the schema and makes its cells. Loads the validator; fails where the schema is none. */
export const reader = Effect.fnUntraced(function* ({ columns: [{ name }], draft, layout, schema }: JsonSchemaColumn) {
  const faultOf = yield* Validator.compile(schema, draft)
  const encode = JsonSchemaRow.encoder(layout)
  return (json: unknown): Result.Result<Table.Row, JsonSchemaRow.Misread> => {
    if (json === null) return Result.succeed({ [name]: null })
    const fault = faultOf(json)
    if (fault !== undefined) return Result.fail(fault)
    return Result.map(encode(json), ({ value, ...other }) => ({ [name]: value, ...other }))
  }
})
