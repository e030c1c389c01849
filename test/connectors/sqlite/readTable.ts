/** Reads a table as a program does that knows SQLite and nothing of Millrace. */
import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import type * as Column from "#engine/Column"
import type * as Table from "#engine/Table"

export const readTable = (file: string, table: Table.Table): Effect.Effect<ReadonlyArray<Table.Row>> =>
  Effect.sync(() => {
    if (!existsSync(file)) return []
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const there = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").all(table.name)
      if (there.length === 0) return []
      const names = table.columns.map(({ name }) => `"${name}"`).join(", ")
      const statement = database.prepare(`SELECT ${names} FROM "${table.name}" ORDER BY rowid`)
      statement.setReadBigInts(true)
      return statement
        .all()
        .map((row) => Object.fromEntries(table.columns.map(({ name, type }) => [name, cellOf(type, row[name])])))
    } finally {
      database.close()
    }
  })

const cellOf = (type: Column.ColumnType, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  switch (type._tag) {
    case "BOOLEAN":
      return Number(value) === 1
    case "DOUBLE":
      return Number(value)
    case "TIMESTAMP":
      return microsOf(String(value))
    case "JSON":
    case "LIST":
    case "STRUCT":
      return memberOf(type, JSON.parse(String(value)))
    case "BIGINT":
    case "DATE":
    case "DECIMAL":
    case "VARCHAR":
      return value
  }
}

const memberOf = (type: Column.ColumnType, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (type._tag === "LIST") return Array.isArray(value) ? value.map((item) => memberOf(type.of.type, item)) : value
  if (type._tag === "STRUCT") {
    return Object.fromEntries(
      type.fields.map((field) => [field.name, memberOf(field.type, Reflect.get(Object(value), field.name))])
    )
  }
  if (type._tag === "BIGINT") return BigInt(String(value))
  return type._tag === "TIMESTAMP" ? microsOf(String(value)) : value
}

/** Milliseconds by JavaScript, and the three digits behind them. */
const microsOf = (text: string): bigint => {
  const [, before = "", micros = "0"] = /^(.*\.\d{3})(\d{3})Z$/.exec(text) ?? [undefined, text.replace("Z", "")]
  return BigInt(Date.parse(`${before}Z`)) * 1000n + BigInt(micros)
}
