/**
 * SQLite as a dialect. Declared types name what a column holds, and give it an affinity that changes no value: a DECIMAL is text
 * with all its digits (`DECIMAL_TEXT(10,2)`), as NUMERIC would round it, and JSON is text that is checked to be valid.
 */
import type * as Column from "#engine/Column"
import type { SqlDialect, SqlValue } from "#engine/SqlDialect"

export const dialect: SqlDialect = {
  type: (type) => {
    switch (type._tag) {
      case "VARCHAR":
        return "TEXT"
      case "BIGINT":
        return "INTEGER"
      case "DOUBLE":
        return "REAL"
      case "DECIMAL":
        return `DECIMAL_TEXT(${type.precision},${type.scale})`
      case "BOOLEAN":
      case "DATE":
      case "TIMESTAMP":
        return type._tag
      case "JSON":
      case "LIST":
      case "STRUCT":
        return "JSON_TEXT"
    }
  },
  typeOf: (sql) => {
    const [, precision, scale] = /^DECIMAL_TEXT\((\d+),(\d+)\)$/i.exec(sql) ?? []
    return precision === undefined
      ? types.find(([pattern]) => pattern.test(sql))?.[1]
      : { _tag: "DECIMAL", precision: Number(precision), scale: Number(scale) }
  },
  constraint: (name, { _tag }) =>
    _tag === "JSON" || _tag === "STRUCT" || _tag === "LIST"
      ? ` CHECK (json_valid("${name.replaceAll('"', '""')}"))`
      : "",
  store: ({ _tag }) => {
    if (_tag === "BOOLEAN") return (cell) => (cell === true ? 1 : 0)
    // SQLite makes null of NaN.
    if (_tag === "DOUBLE") return (cell) => (typeof cell === "number" && !Number.isNaN(cell) ? cell : "NaN")
    return undefined
  },
  literal: (value) => literal(value),
  describe: (table) => `SELECT i.name, i.type, i."notnull" = 0, i.dflt_value, m.type
    FROM main.sqlite_schema AS m JOIN pragma_table_xinfo(m.name, 'main') AS i
    WHERE m.type IN ('table', 'view') AND lower(m.name) = lower(${literal(table)}) AND i.hidden = 0 ORDER BY i.cid`,
  rowId: (columns) => {
    const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
    return ["rowid", "_rowid_", "oid"].find((name) => !taken.has(name))
  },
  table: (name) => `main.${quote(name)}`,
  temporary: (name) => `temp.${quote(name)}`,
  text: (value) => `CAST(${value} AS TEXT)`,
  withoutMembers: (value, members) => {
    const paths = members.map((member) => literal(`$.${JSON.stringify(member)}`)).join(", ")
    return `CASE WHEN json_type(${value}) = 'object' THEN json_remove(${value}, ${paths}) ELSE ${value} END`
  },
  transaction: { begin: "BEGIN IMMEDIATE", commit: "COMMIT", rollback: "ROLLBACK" },
  tables:
    "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'",
  keyIndex: (table, key) => [
    `CREATE INDEX IF NOT EXISTS main.${quote(`${table}_millrace_key`)} ON ${quote(table)} (${key.map(quote).join(", ")})`
  ],
  belongings: (table) =>
    `SELECT sql FROM main.sqlite_schema WHERE lower(tbl_name) = lower(${literal(table)}) AND type IN ('index', 'trigger') AND sql IS NOT NULL`,
  explain: (cause) => {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "errcode") : undefined
    // The lower byte is the primary code.
    return typeof code === "number" ? explained[code & 0xff] : undefined
  }
}

/** The definition of a column in a new table. */
export const definition = ({ name, nullable, type }: Column.Column): string =>
  `${quote(name)} ${dialect.type(type)}${nullable ? "" : " NOT NULL"}${dialect.constraint?.(name, type) ?? ""}`

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A literal ends at U+0000, so such a text is joined. */
const literal = (value: SqlValue): string => {
  if (value === null) return "NULL"
  if (typeof value === "boolean") return value ? "1" : "0"
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString("hex")}'`
  if (typeof value !== "string") return String(value)
  const parts = value.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`)
  return parts.length === 1 ? (parts[0] ?? "''") : `(${parts.join(" || char(0) || ")})`
}

/** The types of columns that Millrace did not make, by SQLite's own rules of affinity and the usual names. */
const types: ReadonlyArray<readonly [RegExp, Column.ColumnType]> = [
  [/JSON/i, { _tag: "JSON" }],
  [/INT/i, { _tag: "BIGINT" }],
  [/CHAR|CLOB|TEXT/i, { _tag: "VARCHAR" }],
  [/REAL|FLOA|DOUB/i, { _tag: "DOUBLE" }],
  [/^BOOL/i, { _tag: "BOOLEAN" }],
  [/^DATE$/i, { _tag: "DATE" }],
  [/^(?:TIMESTAMP|DATETIME)/i, { _tag: "TIMESTAMP" }]
]

const explained: Readonly<Record<number, { readonly message: string; readonly retryable: boolean }>> = {
  5: {
    message: "another program writes the file and did not end in time; close it there, or raise busy_timeout",
    retryable: true
  },
  6: { message: "another program holds the tables; close it there, or raise busy_timeout", retryable: true },
  8: { message: "the file or its folder is read-only; give the right to write it", retryable: false },
  10: { message: "the disk failed to read or write the file", retryable: false },
  11: { message: "the file is damaged; restore it from a copy, or choose another path", retryable: false },
  13: { message: "the disk is full; make room and run again", retryable: true },
  14: { message: "the file cannot be opened; check its path and the rights on its folder", retryable: false },
  26: {
    message: "the file exists and is not a SQLite database; choose another path, or move it away",
    retryable: false
  }
}
