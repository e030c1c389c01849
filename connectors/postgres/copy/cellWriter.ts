/** Writes cells as the bytes that Postgres expects for their types, and refuses cells that it cannot hold. */
import * as CellJson from "#engine/CellJson"
import type * as Column from "#engine/Column"
import { daysOf, refuse } from "#engine/cellValue"
import { isPlain, typeSql } from "../columnSql.ts"
import type { Growing } from "./Growing.ts"

/** Writes a cell that is not null, without its length. It throws if the database cannot hold the cell. */
export type CellWriter = (into: Growing, cell: unknown) => void

/** Makes the writer of a type. `sql`: the type in the spelling of the database. */
export const cellWriter = (type: Column.ColumnType, sql = typeSql(type)): CellWriter => {
  switch (type._tag) {
    case "VARCHAR":
      return (into, cell) => {
        if (typeof cell !== "string") return refuse(type, cell)
        if (cell.includes("\0")) throw new Error(nulFault)
        into.text(cell)
      }
    case "BOOLEAN":
      return (into, cell) => (typeof cell === "boolean" ? into.byte(cell ? 1 : 0) : refuse(type, cell))
    case "BIGINT":
      return (into, cell) => {
        if (typeof cell === "bigint") return into.int64(cell)
        return Number.isSafeInteger(cell) ? into.int64(BigInt(Number(cell))) : refuse(type, cell)
      }
    case "DOUBLE":
      return (into, cell) => (typeof cell === "number" ? into.double(cell) : refuse(type, cell))
    case "DECIMAL":
      return (into, cell) => decimal(into, typeof cell === "string" ? cell : refuse(type, cell), type.scale)
    case "DATE":
      return (into, cell) => into.int32((daysOf(cell) ?? refuse(type, cell)) - daysTo2000)
    case "TIMESTAMP":
      return (into, cell) => {
        if (typeof cell !== "bigint") return refuse(type, cell)
        if (!isMoment(cell)) throw new Error(momentFault)
        into.int64(cell - microsTo2000)
      }
    case "LIST":
      return isPlain(type.of.type) ? list(type.of.type) : json(type, sql)
    case "JSON":
    case "STRUCT":
      return json(type, sql)
  }
}

export const nulFault = "a text has the character U+0000, which Postgres cannot hold"
export const momentFault = "Postgres holds no moment before 4714 BC"
export const jsonbFault =
  "a text has U+0000 or half a surrogate pair, which jsonb cannot hold; a column of type json can"

const daysTo2000 = 10_957
const microsTo2000 = 946_684_800_000_000n

/** Midnight of 4714-11-24 BC. The latest moment of Postgres is later than that of a cell. */
const earliest = -210_866_803_200_000_000n

export const isMoment = (micros: bigint): boolean => micros >= earliest

/** Whether a JSON text has an escape that `jsonb` refuses: U+0000 or half a surrogate pair. */
export const isRefusedByJsonb = (text: string): boolean => /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(text)

const json = (type: Column.ColumnType, sql: string): CellWriter => {
  const convert = CellJson.ofCell(type)
  if (sql !== "jsonb") return (into, cell) => into.text(JSON.stringify(convert(cell)))
  return (into, cell) => {
    const text = JSON.stringify(convert(cell))
    if (isRefusedByJsonb(text)) throw new Error(jsonbFault)
    // The version of the format.
    into.byte(1)
    into.text(text)
  }
}

const list = (type: Column.ColumnType): CellWriter => {
  const write = cellWriter(type)
  const oid = oids[type._tag] ?? 0
  return (into, cell) => {
    const items: ReadonlyArray<unknown> = Array.isArray(cell)
      ? cell
      : refuse({ _tag: "LIST", of: { name: "item", type, nullable: true } }, cell)
    into.int32(items.length === 0 ? 0 : 1)
    into.int32(items.some((item) => item === null || item === undefined) ? 1 : 0)
    into.int32(oid)
    if (items.length === 0) return
    into.int32(items.length)
    into.int32(1)
    for (const item of items) {
      const head = into.at
      into.int32(-1)
      if (item === null || item === undefined) continue
      write(into, item)
      into.int32At(head, into.at - head - 4)
    }
  }
}

/** The oids of the types of array items, which are the same on every server. */
const oids: Readonly<Partial<Record<Column.ColumnType["_tag"], number>>> = {
  BOOLEAN: 16,
  BIGINT: 20,
  VARCHAR: 25,
  DOUBLE: 701,
  DATE: 1082,
  TIMESTAMP: 1184,
  DECIMAL: 1700
}

/** Writes a decimal as `numeric`: digits in groups of four. The weight is the power of 10000 of the first group. */
const decimal = (into: Growing, text: string, scale: number): void => {
  const [, sign = "", whole = "", fraction = ""] =
    /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text) ?? refuse({ _tag: "DECIMAL", precision: 38, scale }, text)
  const wholeGroups = Math.ceil(whole.length / 4)
  const digits = whole.padStart(wholeGroups * 4, "0") + fraction.padEnd(Math.ceil(fraction.length / 4) * 4, "0")
  let [first, last] = [0, digits.length / 4]
  const group = (at: number): number => Number(digits.slice(at * 4, at * 4 + 4))
  while (first < last && group(first) === 0) first++
  while (last > first && group(last - 1) === 0) last--
  into.int16(last - first)
  into.int16(last === first ? 0 : wholeGroups - 1 - first)
  into.int16(sign === "-" && last > first ? 0x4000 : 0)
  into.int16(Math.max(scale, fraction.length))
  for (let at = first; at < last; at++) into.int16(group(at))
}
