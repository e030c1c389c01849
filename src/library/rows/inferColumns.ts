/**
 * The columns of rows that nobody has described: the narrowest type of each that holds all of its values as they are.
 *
 * | values                                  | column                                             |
 * | --------------------------------------- | -------------------------------------------------- |
 * | text; bytes, as base64                  | VARCHAR                                            |
 * | whole numbers, bigint                   | BIGINT; DECIMAL(38, 0) where one has more than 64 bits |
 * | other numbers, alone or with whole ones | DOUBLE; JSON where one is a bigint that it may round   |
 * | Date                                    | TIMESTAMP                                          |
 * | lists                                   | LIST of what is in them                            |
 * | plain objects                           | STRUCT of their members                            |
 * | objects with `toJSON`                   | that of what it gives: a URL is text               |
 * | any mixture, Map, Set                   | JSON                                               |
 * | empty lists, empty objects              | what the destination has; otherwise JSON[], JSON   |
 * | objects with `Id` and `id`, or with ""  | JSON: no struct has such fields                    |
 * | null and undefined alone                | no column: it appears when a value comes           |
 *
 * Text stays text: "2026-01-01" is not a date and "1" is not a number, because nothing says so. No value is changed.
 */
import * as Predicate from "effect/Predicate"
import * as CellJson from "#engine/CellJson"
import * as Column from "#engine/Column"
import { fromNames } from "#engine/ColumnName"
import { columnsFault } from "#engine/columnsFault"
import { runIdColumn } from "#engine/Pipeline"
import { pipelineColumn } from "#engine/WriteDisposition"

/** What is known of the columns of rows that are looked at one after the other. */
interface Inference {
  readonly add: (row: unknown) => void
  /** In the order in which the names first came. Names become column names: "unitPrice" is unit_price. */
  /** `isAll`: whether no more rows come, which could have items where these have only empty lists. Default: true. */
  readonly columns: (isAll?: boolean) => ReadonlyArray<Column.Column>
}

export const inference = (): Inference => {
  const types = new Map<string, Column.ColumnType | undefined>()
  return {
    add: (given) => {
      const row = Predicate.isObject(given) ? CellJson.inItsOwnWords(given) : given
      if (!Predicate.isObject(row) || Array.isArray(row)) return
      for (const name of Object.keys(row)) {
        types.set(name, together(types.get(name), typeOf(Reflect.get(row, name), 0)))
      }
    },
    columns: (isAll = true) => {
      const known = [...types].flatMap(([name, type]) => (type === undefined ? [] : [{ name, type }]))
      const names = fromNames(
        known.map(({ name }) => name),
        [runIdColumn.name, pipelineColumn.name]
      )
      return known.map(({ name: from, type }, at) => {
        const name = names[at] ?? from
        return { ...whole({ name, type, nullable: true }, isAll), ...(name === from ? {} : { from }) }
      })
    }
  }
}

/** The columns of rows that are all there. */
export const inferColumns = (rows: Iterable<unknown>): ReadonlyArray<Column.Column> => {
  const { add, columns } = inference()
  for (const row of rows) add(row)
  return columns()
}

const json: Column.ColumnType = { _tag: "JSON" }

/** Deeper values become JSON: an object that contains itself has no end. */
const maxDepth = 12

/** 64 bits hold it. */
const isLong = (value: bigint): boolean => BigInt.asIntN(64, value) === value

/** The type of a bigint that a DOUBLE may round; told apart from other BIGINTs until all values are known. */
const long: Column.ColumnType = { _tag: "BIGINT" }
const mayBeRounded = (value: bigint): boolean => !Number.isSafeInteger(Number(value))

/** DECIMAL has at most 38 digits. */
const wholeDigits = 38
const isDecimal = (value: bigint): boolean => String(value).replace("-", "").length <= wholeDigits
const large: Column.ColumnType = { _tag: "DECIMAL", precision: wholeDigits, scale: 0 }

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The type of a value; undefined: the value shows none, such as null. */
const typeOf = (value: unknown, depth: number): Column.ColumnType | undefined => {
  switch (typeof value) {
    case "string":
      return { _tag: "VARCHAR" }
    case "boolean":
      return { _tag: "BOOLEAN" }
    case "bigint":
      if (!isLong(value)) return isDecimal(value) ? large : json
      return mayBeRounded(value) ? long : { _tag: "BIGINT" }
    case "number":
      return Number.isSafeInteger(value) ? { _tag: "BIGINT" } : { _tag: "DOUBLE" }
    case "undefined":
      return undefined
    case "object":
      return value === null ? undefined : ofObject(value, depth)
    case "function":
    case "symbol":
      return json
  }
}

const ofObject = (value: object, depth: number): Column.ColumnType | undefined => {
  if (value instanceof Date) return { _tag: "TIMESTAMP" }
  if (value instanceof Uint8Array) return { _tag: "VARCHAR" }
  if (depth >= maxDepth) {
    return json
  }
  const words = CellJson.inItsOwnWords(value)
  if (words !== value) {
    return typeOf(words, depth)
  }
  if (Array.isArray(value)) {
    let item: Column.ColumnType | undefined
    for (const one of value) item = together(item, typeOf(one, depth + 1))
    return { _tag: "LIST", of: { name: "item", type: item ?? nothing, nullable: true } }
  }
  if (!isPlainObject(value)) {
    return json
  }
  return {
    _tag: "STRUCT",
    fields: Object.entries(value).flatMap(([name, member]) => {
      const type = typeOf(member, depth + 1)
      return type === undefined ? [] : [{ name, type, nullable: true }]
    })
  }
}

/** The type of the items of an empty list, until another list has items. */
const nothing: Column.ColumnType = { _tag: "STRUCT", fields: [] }

/** The narrowest type with the values of both as they are. */
const together = (
  a: Column.ColumnType | undefined,
  b: Column.ColumnType | undefined
): Column.ColumnType | undefined => {
  if (a === undefined || b === undefined) return a ?? b
  if (a === nothing || b === nothing) return a === nothing ? b : a
  if (a._tag === "STRUCT" && b._tag === "STRUCT") {
    const fields = new Map(a.fields.map((field) => [field.name, field]))
    for (const field of b.fields) {
      const type = together(fields.get(field.name)?.type, field.type) ?? json
      fields.set(field.name, { ...field, type })
    }
    return { _tag: "STRUCT", fields: [...fields.values()] }
  }
  if (a._tag === "LIST" && b._tag === "LIST") {
    return { _tag: "LIST", of: { ...a.of, type: together(a.of.type, b.of.type) ?? json } }
  }
  if (a._tag === b._tag) return b === long ? b : a
  const both = [a._tag, b._tag]
  const areOf = (...tags: ReadonlyArray<Column.ColumnType["_tag"]>) => both.every((tag) => tags.includes(tag))
  // A DOUBLE would round the digits of a large one.
  return areOf("BIGINT", "DOUBLE") && a !== long && b !== long
    ? { _tag: "DOUBLE" }
    : areOf("BIGINT", "DECIMAL")
      ? large
      : json
}

/** Without structs that no table can hold: those that have no members, or members that SQL cannot name. */
const whole = (column: Column.Column, isAll: boolean): Column.Column => {
  const { type } = column
  if (type._tag === "LIST") return { ...column, type: { _tag: "LIST", of: whole(type.of, isAll) } }
  if (type._tag !== "STRUCT") return column
  if (type.fields.length === 0) {
    return { ...column, type: json, ...(isAll && { unseen: type === nothing ? "type" : "members" }) }
  }
  const fields = type.fields.map((field) => whole(field, isAll))
  return { ...column, type: columnsFault(fields) === undefined ? { _tag: "STRUCT", fields } : json }
}
