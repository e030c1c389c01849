/** What the planner must know of DuckDB wherever its rows are: how it spells, compares and keeps what is temporary. */
import * as Digest from "#base/Digest"
import * as Column from "./Column.ts"
import { literal } from "./Duckdb.ts"
import type { SqlDialect } from "./SqlDialect.ts"

export const duckdbDialect = {
  literal: (value) => (typeof value === "string" ? literal(value) : value === null ? "NULL" : String(value)),
  moment: (micros) => `make_timestamp(${micros}::BIGINT)`,
  isUnordered: true,
  isColumnar: true,
  temporary: (name) => `temp.main.${Column.quote(name)}`,
  createTemporary: (name, of) =>
    `CREATE OR REPLACE TEMP TABLE ${name} ${"query" in of ? `AS ${of.query}` : `(${of.columns})`}`,
  // A merge patch removes members that are null in it, but would turn a value that is not an object into one.
  withoutMembers: (value, members) => {
    const patch = JSON.stringify(Object.fromEntries(members.map((member) => [member, null])))
    return `CASE WHEN json_type(${value}) = 'OBJECT' THEN json_merge_patch(${value}, ${literal(patch)}::JSON) ELSE ${value} END`
  },
  // It has 64 bits, so one difference in 10^19 is missed.
  digest: (values, types) => {
    const cells = values.flatMap((value, at) => hashedAs(value, types[at]))
    return cells.length === 0 ? "0::UBIGINT" : `hash(${cells.join(", ")})`
  },
  // What a null adds is taken away again, which is faster than a CASE for each cell.
  rowsHash: (cells) => {
    const each = cells.flatMap(({ name, type, value }) => {
      const own = type === undefined ? [`CAST(${value} AS VARCHAR)`] : hashedAs(value, type)
      // A file may store a zero with the other sign, which only texts tell apart.
      const hashed = own.length === 1 && own[0] !== value ? [unsignedZeros(own[0] ?? "")] : own
      const seed = `${BigInt(`0x${Digest.short(name)}`)}::UBIGINT`
      return [hashed, hashed.map(() => "NULL")].map((values) => `hash(xor(hash(${values.join(", ")}), ${seed}))`)
    })
    return `coalesce(sum(hash(${each.length === 0 ? "0::UBIGINT" : xorOf(each)})), 0)::VARCHAR`
  }
} satisfies Partial<SqlDialect>

const unsignedZeros = (text: string): string => `regexp_replace(${text}, '-0\\.0([],}])', '0.0\\1', 'g')`

/** Halves, because a chain of many hundred is too deep for DuckDB. */
const xorOf = (values: ReadonlyArray<string>): string => {
  const half = values.length >> 1
  return half === 0 ? (values[0] ?? "") : `xor(${xorOf(values.slice(0, half))}, ${xorOf(values.slice(half))})`
}

/**
 * DuckDB's hash of an empty list, and of a list with only null, is that of null. So the length of a list of plain values is
 * hashed too, and values that are nested deeper are hashed as text.
 */
const hashedAs = (value: string, type: Column.ColumnType | undefined): ReadonlyArray<string> => {
  if (type?._tag !== "LIST" && type?._tag !== "STRUCT") return [value]
  const isFlat = type._tag === "LIST" && type.of.type._tag !== "LIST" && type.of.type._tag !== "STRUCT"
  return isFlat ? [value, `len(${value})`] : [`CAST(to_json(${value}) AS VARCHAR)`]
}
