/**
 * A JSON value as a row, and back.
 *
 * A valid value becomes a row whose cells fit their columns, and comes back equal: an absent property is an absent cell,
 * null is null. Points in time are equal to the microsecond. A value that its column cannot hold (a whole number beyond
 * 64 bits, the year 0) is refused with its place, never changed.
 */
import * as Result from "effect/Result"
import type { ColumnType } from "./Column.ts"
import * as Instant from "./Instant.ts"
import type { Field } from "./jsonSchema/columnFromJsonSchema.ts"
import * as Digits from "./jsonSchema/Digits.ts"
import type * as Table from "./Table.ts"
import { checkOf } from "./validateRow.ts"

/** Where the parts of a value go. */
export interface Layout {
  /** Whether the fields are those of an object; else there is one, for the whole value. */
  readonly spread: boolean
  readonly fields: ReadonlyArray<Field>
  /** The column for what has no field. */
  readonly other: string | undefined
}

/** Why a value cannot be a row. */
export interface Misread {
  /** A JSON pointer: "/items/0/price". */
  readonly path: string
  readonly message: string
}

/** From a value that validates to a row. */
export const encoder = ({ spread, fields, other }: Layout): ((json: unknown) => Result.Result<Table.Row, Misread>) => {
  const [whole] = fields
  const encodeWhole = whole === undefined ? identity : encodeOf(whole.column.type, whole.fields)
  const encodeFields = encodeObject(fields)
  return (json) => {
    try {
      const row = spread ? encodeFields(json, "") : { value: json === null ? null : encodeWhole(json, "") }
      const rest = other === undefined ? undefined : spread ? restOf(fields, json) : restOf(whole?.fields ?? [], json)
      return Result.succeed(other === undefined || rest === undefined ? row : { ...row, [other]: rest })
    } catch (refusal) {
      if (refusal instanceof Refusal) return Result.fail({ path: refusal.path, message: refusal.message })
      throw refusal
    }
  }
}

/** From a row to the value that it was. */
export const decoder = ({ spread, fields, other }: Layout): ((row: Table.Row) => unknown) => {
  const [whole] = fields
  return (row) => {
    const json = spread
      ? decodeObject(fields, row)
      : decode(whole?.column.type ?? { _tag: "JSON" }, whole?.fields ?? [], row["value"])
    return other === undefined ? json : withRest(spread ? fields : (whole?.fields ?? []), json, ownOf(row, other))
  }
}

type Encode = (json: unknown, path: string) => unknown

/** Thrown where a value has no cell; caught where its row is made. */
class Refusal extends Error {
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

const identity = (json: unknown): unknown => json

const encodeOf = (type: ColumnType, fields: ReadonlyArray<Field>): Encode => {
  if (type._tag === "JSON") return identity
  if (type._tag === "STRUCT") return encodeObject(fields)
  if (type._tag === "LIST") return encodeList(encodeOf(type.of.type, fields))
  const check = checkOf(type)
  const convert = converter(type)
  return (json, path) => {
    const cell = convert(json)
    const wrong = check(cell)
    if (wrong !== undefined) throw new Refusal(path, wrong.fault)
    return cell
  }
}

const encodeList =
  (encode: Encode): Encode =>
  (json, path) => {
    if (!Array.isArray(json)) throw new Refusal(path, `it must be a list, got ${nameOf(json)}`)
    return json.map((item, index) => (item === null ? null : encode(item, `${path}/${index}`)))
  }

const encodeObject = (fields: ReadonlyArray<Field>): ((json: unknown, path: string) => Record<string, unknown>) => {
  const encoders = fields.map(({ property, column, fields }) => ({
    property,
    name: column.name,
    encode: encodeOf(column.type, fields),
    step: `/${property.replaceAll("~", "~0").replaceAll("/", "~1")}`
  }))
  return (json, path) => {
    if (!isObject(json)) throw new Refusal(path, `it must be an object, got ${nameOf(json)}`)
    const cells: Record<string, unknown> = {}
    for (const { property, name, encode, step } of encoders) {
      if (!Object.hasOwn(json, property)) continue
      const value = json[property]
      cells[name] = value === null ? null : encode(value, path + step)
    }
    return cells
  }
}

/** What is not of the type stays as it is, and the check of the type refuses it. */
const converter = (type: ColumnType): ((json: unknown) => unknown) => {
  switch (type._tag) {
    case "BIGINT":
      return (json) => (Number.isInteger(json) && !Number.isSafeInteger(json) ? BigInt(Number(json)) : json)
    case "DECIMAL":
      return (json) => (typeof json === "number" ? (Digits.fixed(json, type.scale) ?? json) : json)
    case "TIMESTAMP":
      return (json) => (typeof json === "string" ? (Instant.microsOf(json) ?? json) : json)
    case "BOOLEAN":
    case "DATE":
    case "DOUBLE":
    case "JSON":
    case "LIST":
    case "STRUCT":
    case "VARCHAR":
      return identity
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

/** What of a value has no field, at its place: of an object by name, of a list by position. Undefined: nothing. */
const restOf = (fields: ReadonlyArray<Field>, json: unknown): unknown => {
  if (fields.length === 0) return undefined
  if (Array.isArray(json)) return collected(json.map((item, index) => [String(index), restOf(fields, item)]))
  if (!isObject(json)) return undefined
  const known = new Map(fields.map((field) => [field.property, field]))
  return collected(
    Object.entries(json).map(([name, value]) => {
      const field = known.get(name)
      return [name, field === undefined ? value : restOf(field.fields, value)]
    })
  )
}

const collected = (entries: ReadonlyArray<readonly [string, unknown]>): unknown => {
  const some = entries.filter(([, rest]) => rest !== undefined)
  return some.length === 0 ? undefined : Object.fromEntries(some)
}

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

const nameOf = (json: unknown): string =>
  json === null ? "null" : Array.isArray(json) ? "a list" : typeof json === "string" ? "a text" : `a ${typeof json}`
