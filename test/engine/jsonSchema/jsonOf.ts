/** The JSON value that a row was made of (`JsonSchemaRow`), to compare it with the one that was given. */
import type { ColumnType } from "#engine/Column"
import * as Instant from "#engine/Instant"
import type * as JsonSchemaRow from "#engine/JsonSchemaRow"
import type * as Table from "#engine/Table"

type Field = JsonSchemaRow.Layout["fields"][number]

export const jsonOf = ({ spread, fields, other }: JsonSchemaRow.Layout): ((row: Table.Row) => unknown) => {
  const [whole] = fields
  return (row) => {
    const json = spread
      ? decodeObject(fields, row)
      : decode(whole?.column.type ?? { _tag: "JSON" }, whole?.fields ?? [], row["value"])
    return other === undefined ? json : withRest(spread ? fields : (whole?.fields ?? []), json, ownOf(row, other))
  }
}

const decode = (type: ColumnType, fields: ReadonlyArray<Field>, cell: unknown): unknown => {
  switch (type._tag) {
    case "STRUCT":
      return isObject(cell) ? decodeObject(fields, cell) : cell
    case "LIST":
      return Array.isArray(cell) ? cell.map((item) => decode(type.of.type, fields, item)) : cell
    case "BIGINT":
      return typeof cell === "bigint" ? Number(cell) : cell
    case "DECIMAL":
      return typeof cell === "string" ? Number(cell) : cell
    case "TIMESTAMP":
      return typeof cell === "bigint" ? Instant.textOf(cell) : cell
    case "BOOLEAN":
    case "DATE":
    case "DOUBLE":
    case "JSON":
    case "VARCHAR":
      return cell
  }
}

const decodeObject = (fields: ReadonlyArray<Field>, row: Table.Row): unknown =>
  Object.fromEntries(
    fields.flatMap(({ property, column, fields }) => {
      const cell = ownOf(row, column.name)
      return cell === undefined ? [] : [[property, decode(column.type, fields, cell)]]
    })
  )

const withRest = (fields: ReadonlyArray<Field>, json: unknown, rest: unknown): unknown => {
  if (!isObject(rest)) return json
  if (Array.isArray(json)) return json.map((item, index) => withRest(fields, item, rest[index]))
  if (!isObject(json)) return json
  const known = new Map(fields.map((field) => [field.property, field]))
  const added = Object.entries(rest).map(([name, value]) => {
    const field = known.get(name)
    return [name, field === undefined ? value : withRest(field.fields, ownOf(json, name), value)] as const
  })
  return Object.fromEntries([...Object.entries(json), ...added])
}

/** A property that an object has itself: every object inherits a `constructor`. */
const ownOf = (row: Table.Row, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : undefined)

const isObject = (json: unknown): json is Table.Row => typeof json === "object" && json !== null && !Array.isArray(json)
