/**
 * A JSON value as a row.
 *
 * A valid value becomes a row whose cells fit their columns, and of which the value can be made again: an absent property is an
 * absent cell, null is null. Points in time are equal to the microsecond. A value that its column cannot hold (a whole number beyond
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

const isObject = (json: unknown): json is Table.Row => typeof json === "object" && json !== null && !Array.isArray(json)

const nameOf = (json: unknown): string =>
  json === null ? "null" : Array.isArray(json) ? "a list" : typeof json === "string" ? "a text" : `a ${typeof json}`
