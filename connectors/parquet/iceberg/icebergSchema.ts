/**
 * The columns of a table for Iceberg: each has a number (field id), and a column of a file is found by its name.
 *
 * Guarantee: a name keeps its number, also if the column was missing for some time. Our files have no numbers, so the table maps
 * each name to its number (`schema.name-mapping.default`), once for all snapshots.
 */

import type * as Column from "#engine/Column"
import type { Scalar } from "#engine/ParquetLeaf"
import type { Field, FieldType, StructType, TableSchema } from "./TableMetadata.ts"

/** The number of each name; the key is the names from the column down, as JSON. */
interface FieldIds {
  readonly ids: Map<string, number>
  last: number
}

/** The numbers of all names in these schemas. `last`: the highest number so far. */
export const idsOf = (schemas: ReadonlyArray<TableSchema>, last: number): FieldIds => {
  const ids = new Map<string, number>()
  const visit = (path: ReadonlyArray<string>, type: FieldType): void => {
    if (typeof type === "string") return
    for (const { id, name, type: inner } of fieldsIn(type)) {
      ids.set(JSON.stringify([...path, name]), id)
      visit([...path, name], inner)
    }
  }
  for (const { fields } of schemas) visit([], { type: "struct", fields })
  return { ids, last }
}

/** The columns with their numbers; names that have none get the next ones. */
export const fieldsOf = (
  columns: ReadonlyArray<Column.Column>,
  known: FieldIds,
  path: ReadonlyArray<string> = []
): ReadonlyArray<Field> => {
  // Columns get their numbers before the columns within them, as in Iceberg itself.
  const numbered = columns.map((column) => ({ ...column, id: idOf(known, [...path, column.name]) }))
  return numbered.map(({ description, id, name, type }) => ({
    id,
    name,
    required: false,
    type: typeOf(type, known, [...path, name]),
    ...(description === undefined ? {} : { doc: description })
  }))
}

/** The name mapping of the table: all names of these schemas, because files of older snapshots have columns that are gone. */
export const nameMapping = (schemas: ReadonlyArray<TableSchema>): string =>
  JSON.stringify(namesOf(schemas.flatMap(({ fields }) => fields)))

const namesOf = (fields: ReadonlyArray<Field>): ReadonlyArray<object> =>
  [...Map.groupBy(fields, ({ id }) => id)].map(([id, same]) => {
    const inner = same.flatMap(({ type }) => (typeof type === "string" ? [] : fieldsIn(type)))
    return {
      "field-id": id,
      names: [...new Set(same.map(({ name }) => name))],
      ...(inner.length === 0 ? {} : { fields: namesOf(inner) })
    }
  })

const idOf = (known: FieldIds, path: ReadonlyArray<string>): number => {
  const key = JSON.stringify(path)
  const id = known.ids.get(key) ?? ++known.last
  known.ids.set(key, id)
  return id
}

const typeOf = (type: Column.ColumnType, known: FieldIds, path: ReadonlyArray<string>): FieldType => {
  switch (type._tag) {
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "VARCHAR":
    case "TIMESTAMP":
      return scalarType(type)
    case "LIST": {
      const [element] = fieldsOf([{ ...type.of, name: elementName }], known, path)
      // One column gives one field.
      if (element === undefined) throw new Error("a list has no items")
      return { type: "list", "element-id": element.id, "element-required": false, element: element.type }
    }
    case "STRUCT":
      return { type: "struct", fields: fieldsOf(type.fields, known, path) }
  }
}

/** A type that is not nested. */
export const scalarType = (type: Scalar): string => {
  switch (type._tag) {
    case "BIGINT":
      return "long"
    case "BOOLEAN":
      return "boolean"
    case "DATE":
      return "date"
    case "DECIMAL":
      return `decimal(${type.precision}, ${type.scale})`
    case "DOUBLE":
      return "double"
    case "JSON":
    case "VARCHAR":
      return "string"
    case "TIMESTAMP":
      return "timestamp"
  }
}

/** The fields within a nested type. */
const fieldsIn = (type: Exclude<FieldType, string>): StructType["fields"] =>
  type.type === "struct"
    ? type.fields
    : [{ id: type["element-id"], name: elementName, required: type["element-required"], type: type.element }]

const elementName = "element"
