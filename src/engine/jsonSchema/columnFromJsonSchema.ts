/**
 * The columns of a shape.
 *
 * | values of the schema                                    | column                                     |
 * | ------------------------------------------------------- | ------------------------------------------ |
 * | string; of format date, date-time                       | VARCHAR; DATE, TIMESTAMP                   |
 * | integer; number; number with `multipleOf` 0.01          | BIGINT; DOUBLE; DECIMAL(18, 2)             |
 * | boolean                                                 | BOOLEAN                                    |
 * | object with known properties                            | STRUCT                                     |
 * | array of items of one type                              | LIST                                       |
 * | maps, arrays and values of several or of unknown types  | JSON                                       |
 *
 * Every valid value has a cell. A value that may have several types, or whose type the schema does not name, is JSON. A
 * column is nullable if the property may be absent or null.
 */
import type { Column, ColumnType } from "../Column.ts"
import * as ColumnName from "../ColumnName.ts"
import { has, type Shape } from "../JsonSchemaShape.ts"

/** A column, and the property whose values it holds. */
export interface Field {
  readonly property: string
  readonly column: Column
  /** Of a STRUCT, also of one in a LIST: its fields. */
  readonly fields: ReadonlyArray<Field>
  /** Whether objects here may have properties other than the fields. */
  readonly open: boolean
}

/** A field for each property of an object. */
export const fieldsOf = (shape: Shape, taken: ReadonlyArray<string> = []): ReadonlyArray<Field> => {
  const properties = [...shape.properties]
  const names = ColumnName.fromNames(
    properties.map(([property]) => property),
    taken
  )
  return properties.map(([property, inner], position) =>
    fieldOf(property, names[position] ?? property, inner, shape.required.has(property))
  )
}

/** One field, for values of this shape. */
export const fieldOf = (property: string, name: string, shape: Shape, required: boolean): Field => {
  const { type, fields, open } = typed(shape)
  const description = shape.description?.replace(/\s+/g, " ").trim() ?? ""
  const column: Column = {
    name,
    type,
    nullable: !required || has(shape, "null"),
    ...(description === "" ? {} : { description }),
    ...(name === property ? {} : { from: property })
  }
  return { property, column, fields, open }
}

/** Whether values of these fields may have properties other than fields, at any depth. */
export const isOpen = (fields: ReadonlyArray<Field>): boolean =>
  fields.some((field) => field.open || isOpen(field.fields))

interface Typed extends Pick<Field, "fields" | "open"> {
  readonly type: ColumnType
}

const typed = (shape: Shape): Typed => {
  switch (kindOf(shape)) {
    case "boolean":
      return plain({ _tag: "BOOLEAN" })
    case "string":
      return plain({ _tag: shape.format === undefined ? "VARCHAR" : shape.format === "date" ? "DATE" : "TIMESTAMP" })
    case "integer":
      return plain({ _tag: "BIGINT" })
    case "fraction":
      return plain(
        shape.scale === undefined || shape.scale > decimalDigits
          ? { _tag: "DOUBLE" }
          : { _tag: "DECIMAL", precision: decimalDigits, scale: shape.scale }
      )
    case "object": {
      if (shape.map || shape.properties.size === 0) return json
      const fields = fieldsOf(shape)
      return { type: { _tag: "STRUCT", fields: fields.map(({ column }) => column) }, fields, open: shape.open }
    }
    case "array": {
      if (shape.items === undefined || kindOf(shape.items) === undefined) return json
      const { column, fields, open } = fieldOf("item", "item", shape.items, true)
      return { type: { _tag: "LIST", of: column }, fields, open }
    }
    case undefined:
      return json
  }
}

const decimalDigits = 18

/** The one kind that values have which are not null; numbers are one. */
const kindOf = (shape: Shape) => {
  const [first, second, ...more] = [...shape.kinds].filter((kind) => kind !== "null")
  if (second === undefined) return first
  const numbers = has(shape, "integer") && has(shape, "fraction") && more.length === 0
  return numbers ? "fraction" : undefined
}

const plain = (type: ColumnType): Typed => ({ type, fields: [], open: false })

const json = plain({ _tag: "JSON" })
