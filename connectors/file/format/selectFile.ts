/**
 * The query of DuckDB for the file of a table, with the columns and types of the state; undefined: DuckDB does not read the
 * format. A column of a type that this version does not know is read as JSON or text.
 */

import { quote, toSql } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import * as Database from "#engine/Duckdb"
import type { TableState } from "../folder/State.ts"

export const selectFile = (
  { bytes, columns: stored, kind }: Pick<TableState, "bytes" | "columns" | "kind">,
  path: string
): string | undefined => {
  const file = Database.literal(path)
  const columns = stored.map(({ name, type: text }) => {
    const type = columnFromSql(text)
    return { name, tag: type?._tag, sql: type === undefined ? undefined : toSql(type) }
  })
  switch (kind.format) {
    case "parquet": {
      const cells = columns.map(({ name, sql }) => cast(quote(name), name, sql))
      return `SELECT ${cells.join(", ")} FROM read_parquet(${file}, hive_partitioning = false)`
    }
    case "jsonl":
      return `SELECT ${columns
        .map(({ name, sql, tag }) => (tag === "TIMESTAMP" ? cast(moment(name), name, sql) : quote(name)))
        .join(", ")} FROM read_json(${file}, ${said({
        format: "'newline_delimited'",
        maximum_object_size: longest(bytes, 16_777_216),
        columns: structOf(columns.map(({ name, sql = "JSON", tag }) => [name, tag === "TIMESTAMP" ? "VARCHAR" : sql]))
      })})`
    case "csv": {
      // Nested values are JSON in the file.
      const textOf = (name: string, tag: string | undefined) =>
        tag === "STRUCT" || tag === "LIST" ? `${quote(name)}::JSON` : tag === "TIMESTAMP" ? moment(name) : quote(name)
      const cells = columns.map(({ name, sql, tag }) => cast(textOf(name, tag), name, sql))
      return `SELECT ${cells.join(", ")} FROM read_csv(${file}, ${said({
        auto_detect: false,
        header: kind.header,
        delim: Database.literal(kind.delimiter),
        quote: `'"'`,
        escape: `'"'`,
        new_line: `'\\n'`,
        // Null is nothing, and an empty text is "".
        nullstr: "''",
        allow_quoted_nulls: false,
        max_line_size: longest(bytes, 2_097_152),
        // DuckDB's default is sixteen times the longest row.
        buffer_size: longest(bytes, 33_554_432),
        columns: structOf(columns.map(({ name }) => [name, "VARCHAR"]))
      })})`
    }
    case "arrow":
      return undefined
  }
}

const cast = (value: string, name: string, type: string | undefined): string =>
  type === undefined ? quote(name) : `CAST(${value} AS ${type}) AS ${quote(name)}`

/** The text of a moment without the plus before a year of more than four digits, which DuckDB cannot read. */
const moment = (name: string): string => `ltrim(${quote(name)}, '+')`

const said = (options: Readonly<Record<string, string | number | boolean>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ")

const structOf = (columns: ReadonlyArray<readonly [name: string, type: string]>): string =>
  `{${columns.map(([name, type]) => `${Database.literal(name)}: ${Database.literal(type)}`).join(", ")}}`

/** The maximum length of a row, for DuckDB, which reserves as much memory. No row is longer than its file. */
const longest = (bytes: number, usual: number): number => Math.min(mostBytes, Math.max(usual, bytes))
const mostBytes = 100_000_000
