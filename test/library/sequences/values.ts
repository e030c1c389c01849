/** The model's values: the type of a value, the type of two, and what a value is in a column of another type. */
import { createHash } from "node:crypto"
import * as Column from "#engine/Column"

export type Type = Column.ColumnType

export interface Named {
  readonly name: string
  readonly type: Type
}

/** By name. A map, because a column may be called `__proto__`. */
export type Cells = ReadonlyMap<string, unknown>

export const sqlOf = Column.toSql
const is = (one: Type, other: Type): boolean => sqlOf(one) === sqlOf(other)
export const json: Type = { _tag: "JSON" }
const text: Type = { _tag: "VARCHAR" }
const huge: Type = { _tag: "DECIMAL", precision: 38, scale: 0 }
const listOf = (type: Type): Type => ({ _tag: "LIST", of: { name: "item", type, nullable: true } })

/** What nothing is known of, such as the items of an empty list. */
type Known = Type | undefined
const unknown: Type = { _tag: "STRUCT", fields: [] }

/** What an object says of itself, as a URL does. */
const ownWords = (value: object): unknown =>
  !(value instanceof Date) && "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value

/** The type of a bigint that a DOUBLE may round. */
const long: Type = { _tag: "BIGINT" }

const isLong = (value: bigint): boolean => value >= -(2n ** 63n) && value < 2n ** 63n

/** The narrowest type of a value; undefined: null has none. */
export const typeOf = (value: unknown): Known => {
  if (value === null || value === undefined) return undefined
  if (typeof value === "string") return text
  if (typeof value === "boolean") return { _tag: "BOOLEAN" }
  if (typeof value === "bigint" && !isLong(value)) return huge
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? { _tag: "BIGINT" } : long
  if (typeof value === "number") return Number.isSafeInteger(value) ? { _tag: "BIGINT" } : { _tag: "DOUBLE" }
  if (value instanceof Date) return { _tag: "TIMESTAMP" }
  const words = ownWords(Object(value))
  if (words !== value) return typeOf(words)
  if (Array.isArray(value)) return listOf(value.map(typeOf).reduce(together, undefined) ?? unknown)
  return {
    _tag: "STRUCT",
    fields: Object.entries(Object(value)).flatMap(([name, member]) => {
      const type = typeOf(member)
      return type === undefined ? [] : [{ name, type, nullable: true }]
    })
  }
}

/** The narrowest type of the values of both, within a run. */
export const together = (one: Known, other: Known): Known => {
  if (one === undefined || other === undefined) return one ?? other
  if (one === unknown || other === unknown) return one === unknown ? other : one
  if (one._tag === "LIST" && other._tag === "LIST") return listOf(together(one.of.type, other.of.type) ?? unknown)
  if (one._tag === "STRUCT" && other._tag === "STRUCT") return struct(one, other, (a, b) => together(a, b) ?? json)
  if (is(one, other)) return other === long ? other : one
  const pair = new Set([one._tag, other._tag])
  if (pair.has("BIGINT") && pair.has("DOUBLE")) return one === long || other === long ? json : { _tag: "DOUBLE" }
  return pair.has("BIGINT") && pair.has("DECIMAL") ? huge : json
}

type Struct = Extract<Type, { _tag: "STRUCT" }>
const struct = (one: Struct, other: Struct, both: (a: Type, b: Type) => Type): Type => ({
  _tag: "STRUCT",
  fields: [
    ...one.fields.map((field) => {
      const also = other.fields.find(({ name }) => name === field.name)
      return also === undefined ? field : { ...field, type: both(field.type, also.type) }
    }),
    ...other.fields.filter(({ name }) => !one.fields.some((field) => field.name === name))
  ]
})

/** Members that SQL cannot tell apart, or cannot name, make JSON of a struct. */
const isNameable = ({ fields }: Struct): boolean =>
  fields.every(({ name }) => name !== "") &&
  new Set(fields.map(({ name }) => name.toLowerCase())).size === fields.length

/** The type as a column can have it. `there`: of the stored column, which it has where the values show none. */
export const asColumn = (type: Type, there?: Type): Type => {
  if (type === unknown) return there ?? json
  if (type._tag === "LIST") return listOf(asColumn(type.of.type, there?._tag === "LIST" ? there.of.type : undefined))
  if (type._tag !== "STRUCT") return type
  if (type.fields.length === 0) return there?._tag === "STRUCT" ? there : json
  const own = there?._tag === "STRUCT" ? there.fields : []
  const typeIn = (name: string) => own.find((field) => field.name === name)?.type
  const fields = type.fields.map((one) => ({ ...one, type: asColumn(one.type, typeIn(one.name)) }))
  const made: Struct = { _tag: "STRUCT", fields }
  return isNameable(made) ? made : json
}

const digits = (type: Type): { precision: number; scale: number } | undefined =>
  type._tag === "DECIMAL" ? type : type._tag === "BIGINT" ? { precision: 19, scale: 0 } : undefined

/** What a stored column becomes when a run has another type for it. */
export const widen = (one: Type, other: Type): Type => {
  if (is(one, other)) return one
  if (one._tag === "LIST" && other._tag === "LIST") return listOf(widen(one.of.type, other.of.type))
  if (one._tag === "STRUCT" && other._tag === "STRUCT") {
    const made = struct(one, other, widen)
    return made._tag === "STRUCT" && isNameable(made) ? made : json
  }
  const [a, b] = [digits(one), digits(other)]
  if (a !== undefined && b !== undefined) {
    const scale = Math.max(a.scale, b.scale)
    const precision = Math.max(a.precision - a.scale, b.precision - b.scale) + scale
    return precision > 38 ? { _tag: "DOUBLE" } : { _tag: "DECIMAL", precision, scale }
  }
  const pair = [one._tag, other._tag].sort().join(" ")
  if (pair === "BIGINT DOUBLE" || pair === "DECIMAL DOUBLE") return { _tag: "DOUBLE" }
  if (pair === "DATE TIMESTAMP") return { _tag: "TIMESTAMP" }
  const isNested = [one, other].some(({ _tag }) => _tag === "JSON" || _tag === "LIST" || _tag === "STRUCT")
  return !isNested && pair.includes("VARCHAR") ? text : json
}

export const fitsInto = (narrow: Type, wide: Type): boolean => is(widen(wide, narrow), wide)

/** Whether a cell has the same digits in a column of a wider type. */
export const survives = (cell: unknown, from: Type, to: Type): boolean => {
  if (cell === null || cell === undefined) return true
  if (to._tag === "DOUBLE" && from._tag === "BIGINT") return BigInt(Number(cell)) === BigInt(String(cell))
  if (to._tag === "DOUBLE" && from._tag === "DECIMAL") return plainNumber(Number(cell)) === withoutZeros(String(cell))
  if (to._tag === "LIST" && from._tag === "LIST" && Array.isArray(cell))
    return cell.every((item) => survives(item, from.of.type, to.of.type))
  if (to._tag !== "STRUCT" || from._tag !== "STRUCT" || !Array.isArray(cell)) return true
  return from.fields.every(({ name, type }, at) => {
    const field = to.fields.find((one) => one.name === name)
    return field === undefined || survives(cell[at], type, field.type)
  })
}

/** The shortest digits of a number, without an exponent. */
const plainNumber = (value: number): string => {
  const [mantissa = "", power = "0"] = String(value).split("e")
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".")
  const point = whole.length + Number(power)
  const all = `${"0".repeat(Math.max(0, -point))}${whole}${fraction}`.padEnd(point, "0")
  return withoutZeros(`${value < 0 ? "-" : ""}${all.slice(0, Math.max(0, point))}.${all.slice(Math.max(0, point))}`)
}
const withoutZeros = (value: string): string => {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)0*(\d*)\.?(\d*?)0*$/.exec(value) ?? []
  return `${sign}${whole}.${fraction}`
}

/** A value that is none of its column's type. */
export class Unfit extends Error {}
const unfit = (): never => {
  throw new Unfit()
}

const decimal = (value: string, { precision, scale }: { precision: number; scale: number }): string => {
  const [, sign = "", whole = "", written = ""] = /^(-?)0*(\d+)(?:\.(\d+))?$/.exec(value) ?? unfit()
  const fraction = written.replace(/0+$/, "")
  if (fraction.length > scale || whole.replace(/^0$/, "").length > precision - scale) return unfit()
  return `${sign}${whole}${scale === 0 ? "" : `.${fraction.padEnd(scale, "0")}`}`
}

const isDay = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value

const microsOf = (value: Date): bigint => BigInt(value.getTime()) * 1000n
const short = (value: bigint): number | string => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value))

/** The cell of a value of a program. It throws `Unfit`. */
export const cellOf = (type: Type, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (typeof value === "object" && ownWords(value) !== value) return cellOf(type, ownWords(value))
  switch (type._tag) {
    case "VARCHAR":
      return typeof value === "string" && value.isWellFormed() ? value : unfit()
    case "BOOLEAN":
      return typeof value === "boolean" ? value : unfit()
    case "BIGINT":
      if (typeof value === "bigint" && isLong(value)) return value
      return Number.isSafeInteger(value) ? BigInt(Number(value)) : unfit()
    case "DOUBLE":
      if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) return Number(value)
      return typeof value === "number" ? value : unfit()
    case "DECIMAL":
      return typeof value === "string" || typeof value === "bigint" || Number.isSafeInteger(value)
        ? decimal(String(value), type)
        : unfit()
    case "DATE":
      return typeof value === "string" && isDay(value) ? value : unfit()
    case "TIMESTAMP":
      return value instanceof Date && !Number.isNaN(value.getTime()) ? microsOf(value) : unfit()
    case "JSON":
      return jsonOf(value)
    case "LIST":
      return Array.isArray(value) ? value.map((item) => cellOf(type.of.type, item)) : unfit()
    case "STRUCT": {
      if (typeof value !== "object" || Array.isArray(value) || value instanceof Date) return unfit()
      const own = (name: string) => (Object.hasOwn(value, name) ? Reflect.get(value, name) : null)
      const isForeign = (name: string) => own(name) != null && !type.fields.some((field) => field.name === name)
      if (Object.keys(value).some(isForeign)) return unfit()
      return type.fields.map((field) => cellOf(field.type, own(field.name)))
    }
  }
}

const jsonOf = (value: unknown): unknown => {
  if (typeof value === "bigint") return short(value)
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : String(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== "object" || value === null) return value ?? null
  if (ownWords(value) !== value) return jsonOf(ownWords(value))
  if (Array.isArray(value)) return value.map(jsonOf)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, jsonOf(member)]))
}

/** A moment as SQL writes it. */
const sqlTime = (micros: bigint): string =>
  isoTime(micros)
    .replace("T", " ")
    .replace(/\.?0*Z$/, "")
    .replace(/:$/, ":00")
/** A moment as JSON writes it, with three digits or six. */
const isoTime = (micros: bigint): string => {
  const rest = ((micros % 1000n) + 1000n) % 1000n
  const iso = new Date(Number((micros - rest) / 1000n)).toISOString()
  return rest === 0n ? iso : iso.replace("Z", `${String(rest).padStart(3, "0")}Z`)
}

/** A number as SQL writes it. */
const sqlNumber = (value: number): string => {
  const [mantissa = "", power = "0"] = value.toExponential().split("e")
  const isPlain = !Number.isFinite(value) || (Number(power) < 15 && Number(power) >= -4)
  if (isPlain) return Object.is(value, -0) ? "-0" : String(value)
  return `${mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`
}

/** A cell in a column of another type, that takes it. */
export const convert = (cell: unknown, from: Type, to: Type): unknown => {
  if (cell === null || is(from, to)) return cell
  if (to._tag === "JSON") return inJson(cell, from, sqlTime)
  if (to._tag === "VARCHAR")
    return from._tag === "TIMESTAMP"
      ? sqlTime(BigInt(String(cell)))
      : from._tag === "DOUBLE"
        ? sqlNumber(Number(cell))
        : String(cell)
  if (to._tag === "DOUBLE") return Number(cell)
  if (to._tag === "BIGINT") return BigInt(String(cell))
  if (to._tag === "DECIMAL") return decimal(String(cell), to)
  if (to._tag === "TIMESTAMP") return microsOf(new Date(`${cell}T00:00:00Z`))
  if (from._tag === "JSON" && to._tag === "LIST" && Array.isArray(cell)) {
    return cell.map((item) => convert(item, from, to.of.type))
  }
  if (from._tag === "JSON" && to._tag === "STRUCT") {
    const own = (name: string) => (Object.hasOwn(Object(cell), name) ? Reflect.get(Object(cell), name) : null)
    return to.fields.map(({ name, type }) => convert(own(name), from, type))
  }
  if (to._tag === "LIST" && from._tag === "LIST" && Array.isArray(cell))
    return cell.map((item) => convert(item, from.of.type, to.of.type))
  if (to._tag === "STRUCT" && from._tag === "STRUCT" && Array.isArray(cell)) {
    return to.fields.map(({ name, type }) => {
      const at = from.fields.findIndex((field) => field.name === name)
      const source = from.fields[at]
      return source === undefined ? null : convert(cell[at], source.type, type)
    })
  }
  return cell
}

/** A cell as JSON. `time`: a moment as text. */
export const inJson = (
  cell: unknown,
  type: Type,
  time: (micros: bigint) => string = isoTime,
  isExact = false
): unknown => {
  if (cell === null) return null
  if (type._tag === "BIGINT") return short(BigInt(String(cell)))
  if (type._tag === "DECIMAL") {
    const isShort = !isExact && String(cell).replace(/\D/g, "").replace(/^0+/, "").length <= 15
    return isShort ? Number(cell) : cell
  }
  if (type._tag === "DOUBLE") return Number.isFinite(cell) ? cell : String(cell)
  if (type._tag === "TIMESTAMP") return time(BigInt(String(cell)))
  if (type._tag === "LIST" && Array.isArray(cell)) return cell.map((item) => inJson(item, type.of.type, time, isExact))
  if (type._tag !== "STRUCT" || !Array.isArray(cell)) return cell
  return Object.fromEntries(type.fields.map(({ name, type: of }, at) => [name, inJson(cell[at], of, time, isExact)]))
}

/** Whether a column that stays as it is takes a cell of another type. */
export const takes = (there: Type, from: Type, cell: unknown): boolean => {
  if (cell === null || fitsInto(from, there)) return true
  if (there._tag === "LIST" && from._tag === "LIST" && Array.isArray(cell))
    return cell.every((item) => takes(there.of.type, from.of.type, item))
  if (there._tag === "STRUCT" && from._tag === "STRUCT" && Array.isArray(cell)) {
    return from.fields.every(({ name, type }, at) => {
      const field = there.fields.find((one) => one.name === name)
      return field === undefined ? cell[at] === null : takes(field.type, type, cell[at])
    })
  }
  if (from._tag === "JSON" && there._tag === "LIST")
    return Array.isArray(cell) && cell.every((item) => takes(there.of.type, from, item))
  if (from._tag === "JSON" && there._tag === "STRUCT") {
    if (typeof cell !== "object" || Array.isArray(cell)) return false
    const typeOfField = (name: string) => there.fields.find((field) => field.name === name)?.type
    return Object.entries(cell).every(([name, member]) => {
      const type = typeOfField(name)
      return type !== undefined && takes(type, from, member)
    })
  }
  if (there._tag === "BOOLEAN") return typeof cell === "boolean"
  if (there._tag === "BIGINT") return typeof cell === "number" && Number.isSafeInteger(cell)
  if (there._tag === "DOUBLE") return typeof cell === "number"
  if (typeof cell !== "string") return false
  if (there._tag === "VARCHAR") return true
  if (there._tag === "DATE") return isDay(cell)
  if (there._tag !== "DECIMAL") return false
  try {
    return decimal(cell, there) !== ""
  } catch {
    return false
  }
}

/** A cell as text: two cells of a type are the same if their texts are. */
export const shown = (type: Type, cell: unknown): string =>
  JSON.stringify(plain(type, cell), (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))

const plain = (type: Type, cell: unknown): unknown => {
  if (cell === null || cell === undefined) return null
  if (type._tag === "LIST" && Array.isArray(cell)) return cell.map((item) => plain(type.of.type, item))
  if (type._tag === "STRUCT" && Array.isArray(cell)) {
    return Object.fromEntries(type.fields.map(({ name, type: of }, at) => [name, plain(of, cell[at])]))
  }
  if (type._tag === "DOUBLE") return Object.is(cell, -0) ? "-0" : String(cell)
  return typeof cell === "bigint" ? String(cell) : cell
}

type Rows = ReadonlyArray<{ readonly cells: Cells }>

/** The column of a name. */
export const named = (columns: ReadonlyArray<Named>, name: string) =>
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase())

/** The columns of a table after a run that has others. */
export const columnsAfter = (
  { write }: { readonly write: string },
  stored: ReadonlyArray<Named>,
  own: ReadonlyArray<Named>,
  kept: Rows
): ReadonlyArray<Named> =>
  write === "replace" && kept.length === 0
    ? own
    : [
        ...stored.map((column) => ({
          ...column,
          type: widened(column, named(own, column.name)?.type ?? column.type, kept)
        })),
        ...own.filter(({ name }) => named(stored, name) === undefined)
      ]

/** A row in other columns. */
export const reshaped = (cells: Cells, from: ReadonlyArray<Named>, to: ReadonlyArray<Named>): Cells =>
  new Map(
    to.map(({ name, type }) => {
      const source = named(from, name)
      return [name, source === undefined ? null : convert(cells.get(source.name) ?? null, source.type, type)]
    })
  )

/** What a stored column becomes: JSON if one of its values would lose digits. */
export const widened = ({ name, type }: Named, coming: Type, rows: Rows): Type => {
  const to = widen(type, coming)
  return rows.every(({ cells }) => survives(cells.get(name), type, to)) ? to : json
}

export const isNested = ({ _tag }: Type): boolean => _tag === "LIST" || _tag === "STRUCT"

/** The SHA-256 of a list of texts, whole numbers and nulls as JSON. */
export const digestOf = (items: ReadonlyArray<unknown>): string => {
  const texts = items.map((item) => (typeof item === "bigint" ? String(item) : JSON.stringify(item)))
  return createHash("sha256").update(`[${texts}]`).digest("hex")
}

/** The types as the values of rows show them. */
export const seenIn = (rows: ReadonlyArray<Cells | undefined>): ReadonlyArray<Named> => {
  const found = new Map<string, Known>()
  for (const row of rows)
    for (const [name, value] of row ?? []) found.set(name, together(found.get(name), typeOf(value)))
  return [...found].flatMap(([name, type]) => (type === undefined ? [] : [{ name, type }]))
}

/** The values of the key, as one text. */
export const keyText = (key: ReadonlyArray<string>, columns: ReadonlyArray<Named>, cells: Cells): string =>
  String(key.map((name) => shown(named(columns, name)?.type ?? json, cells.get(name))))

/** Where parts end: after an answer with which a sink has enough rows. `sinks`: which rows each of them takes. */
export const endsOf = (
  sinks: ReadonlyArray<ReadonlyArray<boolean>>,
  parts: { readonly answer: number; readonly commit: number } | undefined,
  count: number
): ReadonlyArray<number> => {
  if (parts === undefined) return [count]
  const ends: Array<number> = []
  const waiting = sinks.map(() => 0)
  for (let at = 0; at < count; at += parts.answer) {
    const end = Math.min(at + parts.answer, count)
    for (const [sink, taken] of sinks.entries())
      waiting[sink] = (waiting[sink] ?? 0) + taken.slice(at, end).filter((isTaken) => isTaken).length
    if (Math.max(...waiting) < parts.commit) continue
    ends.push(end)
    waiting.fill(0)
  }
  return [...ends.filter((end) => end < count), count]
}
