/** The work behind `millrace export types`. */
import * as Effect from "effect/Effect"
import { definition as inDuckDb } from "#connectors/duckdb/columnSql"
import { definition as inPostgres } from "#connectors/postgres/columnSql"
import { definition as inSqlite } from "#connectors/sqlite/dialect"
import * as Column from "#engine/Column"
import { engine } from "#library/services"
import { type Options, type SinkTable, tablesOfSink } from "./export/tablesOfSink.ts"

export const exportTypes = Effect.fn("exportTypes")(
  function* (options: Options & { readonly lang: "typescript" | "sql" }) {
    const { pipeline, name, schema, sink, tables } = yield* tablesOfSink(options)
    const [database, definition] = databases[sink.type] ?? ["DuckDB", inDuckDb]
    const text =
      options.lang === "sql"
        ? `-- The tables that ${pipeline.name} loads into its sink ${name}, as ${database} writes them.\n\n${createTables(tables, schema, definition)}`
        : `/** The rows that ${pipeline.name} loads into its sink ${name}, as \`millrace sql --format json\` prints them. */\n\n${rowTypes(tables)}`
    process.stdout.write(`${text}\n`)
  },
  Effect.scoped,
  Effect.provide(engine)
)

/** The databases that have definitions of their own, by the type of their sink. */
const databases: Readonly<Record<string, readonly [name: string, definition: (column: Column.Column) => string]>> = {
  postgres: ["Postgres", inPostgres],
  sqlite: ["SQLite", inSqlite]
}

/** An interface for the rows of each table. */
export const rowTypes = (tables: ReadonlyArray<SinkTable>): string => tables.map(rowType).join("\n\n")

const createTables = (
  tables: ReadonlyArray<SinkTable>,
  schema: string,
  definition: (column: Column.Column) => string
): string => {
  // The schema that a database searches by default is not named: the statements then fit any other.
  if (schema === "public" || schema === "main") return tables.map(createTable("", definition)).join("\n\n")
  const place = Column.quote(schema)
  return [`CREATE SCHEMA IF NOT EXISTS ${place};`, ...tables.map(createTable(`${place}.`, definition))].join("\n\n")
}

const createTable =
  (place: string, definition: (column: Column.Column) => string) =>
  ({ table: { columns, description, name } }: SinkTable): string => {
    const lines = columns.map((column, at) => {
      const comment = column.description === undefined ? "" : ` -- ${oneLine(column.description)}`
      return `  ${definition(column)}${at + 1 < columns.length ? "," : ""}${comment}`
    })
    return `-- ${oneLine(description)}\nCREATE TABLE ${place}${Column.quote(name)} (\n${lines.join("\n")}\n);`
  }

const rowType = ({ table: { columns, description, key, name } }: SinkTable): string => {
  const keys = key.length === 0 ? "" : ` Key: ${key.join(", ")}.`
  const says = `${oneLine(description)}.${keys}`.replaceAll("*/", "* /")
  return `/** ${says.charAt(0).toUpperCase()}${says.slice(1)} */\nexport interface ${typeName(name)} {\n${columns.map((column) => `${docOf(column)}  ${property(column)}`).join("\n")}\n}`
}

/** What a column holds, above its property. */
const docOf = ({ description }: Column.Column): string =>
  description === undefined ? "" : `  /** ${oneLine(description).replaceAll("*/", "* /")} */\n`

const property = (column: Column.Column): string => {
  const name = /^[A-Za-z_$][\w$]*$/.test(column.name) ? column.name : JSON.stringify(column.name)
  return `readonly ${name}: ${valueType(column)}`
}

const valueType = ({ nullable, type }: Column.Column): string => `${presentType(type)}${nullable ? " | null" : ""}`

/** The type of a value in JSON (`CellJson.ts`). */
const presentType = (type: Column.ColumnType): string => {
  switch (type._tag) {
    case "BOOLEAN":
      return "boolean"
    case "BIGINT":
    case "DOUBLE":
      // Text is what JSON numbers cannot hold: beyond 2^53, and what is not finite.
      return "number | string"
    case "DECIMAL":
      return type.scale === 0 ? "number | string" : "string"
    case "DATE":
    case "TIMESTAMP":
    case "VARCHAR":
      return "string"
    case "JSON":
      return "unknown"
    case "STRUCT":
      return `{ ${type.fields.map((field) => property({ ...field, nullable: true })).join("; ")} }`
    case "LIST":
      return `ReadonlyArray<${valueType(type.of)}>`
  }
}

/** "page_links" is PageLinks. */
export const typeName = (table: string): string => {
  const name = table.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase())
  return /^[A-Za-z]/.test(name) ? name : `Table${name}`
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().replace(/\.$/, "")
