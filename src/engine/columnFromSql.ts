/**
 * A column type from its SQL text, as `Column.toSql` and DuckDB write it.
 */
import type { Column, ColumnType } from "./Column.ts"

/** The type that a text names; undefined: `Column` has no such type. */
export const columnFromSql = (text: string): ColumnType | undefined => {
  const reader: Reader = { text, at: 0 }
  const type = read(reader)
  return type !== undefined && reader.text.slice(reader.at).trim() === "" ? type : undefined
}

interface Reader {
  readonly text: string
  at: number
}

const read = (reader: Reader): ColumnType | undefined => {
  let type = one(reader)
  while (type !== undefined && take(reader, /^\[\]/) !== undefined) {
    type = { _tag: "LIST", of: { name: "item", type, nullable: true } }
  }
  return type
}

const one = (reader: Reader): ColumnType | undefined => {
  const name = take(reader, /^[A-Z][A-Z0-9_]*/i)?.toUpperCase()
  if (name === undefined) return undefined
  if (name === "STRUCT") return struct(reader)
  if (name === "DECIMAL" || name === "NUMERIC") {
    const [, precision, scale] =
      /^(\d+),(\d+)$/.exec(take(reader, /^\(\s*\d+\s*,\s*\d+\s*\)/)?.replace(/[\s()]/g, "") ?? "") ?? []
    return { _tag: "DECIMAL", precision: Number(precision ?? 18), scale: Number(scale ?? 3) }
  }
  // Points in time are UTC here, so DuckDB's type with a time zone is the same type.
  if (name === "TIMESTAMP") take(reader, /^WITH TIME ZONE\b/i)
  const known = names[name]
  return known === undefined ? undefined : { _tag: known }
}

const struct = (reader: Reader): ColumnType | undefined => {
  if (take(reader, /^\(/) === undefined) return undefined
  const fields: Array<Column> = []
  do {
    const quoted = take(reader, /^"(?:[^"]|"")*"/)
    const name = quoted === undefined ? take(reader, /^\w+/) : quoted.slice(1, -1).replaceAll(`""`, `"`)
    const type = name === undefined ? undefined : read(reader)
    if (name === undefined || type === undefined) return undefined
    fields.push({ name, type, nullable: true })
  } while (take(reader, /^,/) !== undefined)
  return take(reader, /^\)/) === undefined ? undefined : { _tag: "STRUCT", fields }
}

/** The text that a pattern matches here, after blanks. It moves the reader behind that text. */
const take = (reader: Reader, pattern: RegExp): string | undefined => {
  const rest = reader.text.slice(reader.at)
  const blanks = rest.length - rest.trimStart().length
  const token = pattern.exec(rest.slice(blanks))?.[0]
  if (token !== undefined) reader.at += blanks + token.length
  return token
}

const names: Readonly<Record<string, Exclude<ColumnType["_tag"], "DECIMAL" | "STRUCT" | "LIST">>> = {
  VARCHAR: "VARCHAR",
  TEXT: "VARCHAR",
  STRING: "VARCHAR",
  BOOLEAN: "BOOLEAN",
  TINYINT: "BIGINT",
  SMALLINT: "BIGINT",
  INTEGER: "BIGINT",
  BIGINT: "BIGINT",
  FLOAT: "DOUBLE",
  DOUBLE: "DOUBLE",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP",
  TIMESTAMPTZ: "TIMESTAMP",
  JSON: "JSON"
}
