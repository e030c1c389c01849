/**
 * SQL that converts a value from one type to another: to widen an old column, and to put narrower rows into it.
 *
 * `cast` changes no value but numbers that a double cannot hold: `lossOf` finds those. Members of JSON are not converted: they are read with the type of the column
 * (`src/engine/SqlCell.ts`). The session's time zone is UTC.
 */
import type * as Column from "#engine/Column"
import { toSql } from "#engine/Column"
import { fitsInto, mayChange } from "#engine/widen"
import { isInJson, typeSql } from "./columnSql.ts"
import * as DatabaseLocation from "./DatabaseLocation.ts"

/** The expression, converted to another type. */
export const cast = (sql: string, from: Column.ColumnType, to: Column.ColumnType): string => {
  if (typeSql(from) === typeSql(to)) return sql
  if (isInJson(to)) return json(sql, from)
  if (from._tag === "TIMESTAMP" && to._tag === "VARCHAR") return `(${sql} AT TIME ZONE 'UTC')::text`
  if (from._tag === "LIST" && to._tag === "LIST" && from.of.type._tag === "TIMESTAMP") {
    return `${sql}::timestamp[]::${typeSql(to)}`
  }
  return fitsInto(from, to) ? `${sql}::${typeSql(to)}` : narrow(sql, from, to)
}

/**
 * The condition that a value changes when its column is widened; undefined: it does not, whatever it is. Members of JSON are
 * not converted.
 */
export const lossOf = (sql: string, from: Column.ColumnType, to: Column.ColumnType): string | undefined => {
  if (!mayChange(from, to) || isInJson(to)) return undefined
  if (from._tag === "LIST") return `EXISTS (SELECT 1 FROM unnest(${sql}) AS item WHERE ${isRounded("item")})`
  return isRounded(sql)
}

/** The shortest text of the nearest double has other digits. */
const isRounded = (sql: string): string => `${sql}::float8::text::numeric <> ${sql}::numeric`

/**
 * Some numbers become text in JSON, because readers of JSON cannot hold them: those that are not finite, whole numbers beyond
 * 2^53, and decimals of more than 15 digits.
 */
const json = (sql: string, from: Column.ColumnType): string => {
  if (from._tag === "TIMESTAMP") return `to_json(${cast(sql, from, { _tag: "VARCHAR" })})`
  if (from._tag === "LIST" && from.of.type._tag === "TIMESTAMP") return `to_json(${sql}::timestamp[]::text[])`
  if (from._tag === "LIST" && isLarge(from.of.type)) return `${itemsAsJson}(${sql})`
  const digits = `length(ltrim(replace(trim_scale(abs(${sql}))::text, '.', ''), '0'))`
  const isKept = from._tag === "BIGINT" ? `abs(${sql}::numeric) < 9007199254740992` : `${digits} <= 15`
  return isLarge(from) ? `CASE WHEN ${isKept} THEN to_json(${sql}) ELSE to_json(${sql}::text) END` : `to_json(${sql})`
}

/** The function of the session that makes JSON of a list, item by item: ALTER TABLE takes no subquery. */
const itemsAsJson = "pg_temp.millrace_items_as_json"

/** Whether a type has numbers that readers of JSON cannot hold. */
const isLarge = (type: Column.ColumnType): boolean =>
  type._tag === "BIGINT" || (type._tag === "DECIMAL" && type.precision > 15)

/** Makes the functions that `cast` calls, for this session. */
export const functions: ReadonlyArray<string> = (
  [{ _tag: "BIGINT" }, { _tag: "DECIMAL", precision: 38, scale: 0 }] as const
).map((item) => {
  const sql = item._tag === "BIGINT" ? "bigint" : "numeric"
  const items = `SELECT json_agg(${json("item", item)} ORDER BY place) FROM unnest($1) WITH ORDINALITY AS items(item, place)`
  return `CREATE OR REPLACE FUNCTION ${itemsAsJson}(${sql}[]) RETURNS json LANGUAGE sql STRICT AS $body$
      SELECT coalesce((${items}), '[]'::json) $body$`
})

/** Conversion to a narrower type. The engine has checked that the rows fit; Postgres would round others, so they are refused. */
const narrow = (sql: string, from: Column.ColumnType, to: Column.ColumnType): string => {
  const value = `${sql}::${typeSql(to)}`
  if (isInJson(from)) return to._tag === "VARCHAR" ? `${sql} #>> '{}'` : `(${sql} #>> '{}')::${typeSql(to)}`
  if (from._tag === "BIGINT" && to._tag === "TIMESTAMP") {
    const day = "86400000000"
    return `((date '1970-01-01' + (${sql} / ${day})::integer)::timestamp + (${sql} % ${day}) * interval '1 microsecond') AT TIME ZONE 'UTC'`
  }
  if (from._tag === "TIMESTAMP" && to._tag === "BIGINT") return `(extract(epoch from ${sql}) * 1000000)::bigint`
  if (from._tag === "VARCHAR" && to._tag !== "LIST") return value
  const back = numbers.has(from._tag) && numbers.has(to._tag) ? "numeric" : typeSql(from)
  return `CASE WHEN ${sql} IS NULL OR (${value})::${back} = ${sql}::${back} THEN ${value} ELSE ${refusal(sql, to)} END`
}

const numbers: ReadonlySet<string> = new Set(["BIGINT", "DECIMAL", "DOUBLE"])

/** An expression that fails with the value in its message. */
const refusal = (sql: string, to: Column.ColumnType): string =>
  `(${sql}::text || ${DatabaseLocation.literal(` is not a valid ${toSql(to)}`)})::${typeSql(to)}`
