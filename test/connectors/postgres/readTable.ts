/** Reads a table of a Postgres schema as another program would, by what pg makes of it: none where there is no such table. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import * as Column from "#engine/Column"
import type * as Table from "#engine/Table"

interface At {
  readonly url: Redacted.Redacted
  readonly schema: string
}

/** The rows that a statement gives, as pg has them. */
export const query = async (url: Redacted.Redacted, sql: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const client = new Client({ connectionString: Redacted.value(url) })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

export const readTable = ({ schema, url }: At, table: Table.Table) =>
  Effect.promise(async () => {
    const place = `${Column.quote(schema)}.${Column.quote(table.name)}`
    const [there] = await query(url, `SELECT to_regclass('${place}') IS NOT NULL AS it_is`)
    if (there?.["it_is"] !== true) return []
    const rows = await query(url, `SELECT ${table.columns.map(selected).join(", ")} FROM ${place}`)
    return inOrder(
      rows.map(
        (row): Table.Row => Object.fromEntries(table.columns.map(({ name, type }) => [name, cellOf(type, row[name])]))
      )
    )
  })

/** Postgres keeps no order: a small row goes where a large one left room. Rows that are numbered are put in order here. */
const inOrder = (rows: ReadonlyArray<Table.Row>): ReadonlyArray<Table.Row> =>
  new Set(rows.map(({ id }) => id)).size === rows.length && rows.every(({ id }) => typeof id === "bigint")
    ? rows.toSorted((a, b) => Number(a["id"]) - Number(b["id"]))
    : rows

const microsOf = (value: string) => `(extract(epoch from ${value}) * 1000000)::bigint::text`

const selected = ({ name, type }: Column.Column): string => {
  const quoted = Column.quote(name)
  if (type._tag === "TIMESTAMP") return `${microsOf(quoted)} AS ${quoted}`
  if (type._tag === "DATE") return `${quoted}::text`
  if (type._tag === "LIST" && type.of.type._tag === "TIMESTAMP") {
    return `CASE WHEN ${quoted} IS NOT NULL THEN ARRAY(SELECT ${microsOf("x")} FROM unnest(${quoted}) AS x) END AS ${quoted}`
  }
  return type._tag === "LIST" && scalars.has(type.of.type._tag) ? `${quoted}::text[]` : quoted
}

const scalars: ReadonlySet<string> = new Set(["VARCHAR", "BOOLEAN", "BIGINT", "DOUBLE", "DECIMAL", "DATE"])

const cellOf = (type: Column.ColumnType, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  switch (type._tag) {
    case "LIST":
      return Array.isArray(value) ? value.map((item) => cellOf(type.of.type, item)) : value
    case "STRUCT":
      return Object.fromEntries(
        type.fields.map((field) => [field.name, cellOf(field.type, Reflect.get(Object(value), field.name))])
      )
    case "TIMESTAMP":
      return /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : momentOf(String(value))
    case "BIGINT":
      return BigInt(String(value))
    case "DOUBLE":
      return Number(value)
    case "BOOLEAN":
      return typeof value === "boolean" ? value : value === "true"
    case "DATE":
    case "DECIMAL":
    case "JSON":
    case "VARCHAR":
      return value
  }
}

/** A moment in JSON: RFC 3339 in UTC, with six digits of a year that is not of four. Days are counted in steps of 400 years. */
const momentOf = (text: string): bigint => {
  const [, year = "", rest = "", fraction = ""] =
    /^([+-]?\d+)(-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(text) ?? []
  const eras = Math.floor((Number(year) - 2000) / 400)
  const millis = Date.parse(`${Number(year) - eras * 400}${rest}Z`)
  return (BigInt(millis) + BigInt(eras) * 146_097n * 86_400_000n) * 1000n + BigInt(fraction.padEnd(6, "0"))
}
