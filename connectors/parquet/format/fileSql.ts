/** A local Parquet file as SQL reads it: its rows, its columns as those of a table, and the edges of its columns. */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
import { cast } from "#engine/duckdbCast"

/** What a manifest says of a file: how many rows it has, and the least and the greatest value of some columns. */
export const inspect = Effect.fnUntraced(function* (
  database: Database.Database,
  path: string,
  columns: ReadonlyArray<string>
) {
  const edges = columns.flatMap((of) => ["min", "max"].map((edge) => ({ of, edge, name: `${edge} ${of}`, ...text })))
  const select = edges.map(({ edge, name, of }) => `${edge}(${Column.quote(of)})::VARCHAR AS ${Column.quote(name)}`)
  const [row = {}] = yield* database.query(
    `SELECT ${[counted, ...edges].map(Cell.selected).join(", ")}
    FROM (SELECT ${[`count(*) AS ${counted.name}`, ...select].join(", ")} FROM ${scan(path)})`,
    [counted, ...edges]
  )
  const at = (edge: string) =>
    Object.fromEntries(
      columns.map((column) => {
        const value = row[`${edge} ${column}`]
        return [column, typeof value === "string" ? value : null] as const
      })
    )
  return { rows: Number(row[counted.name]), min: at("min"), max: at("max") }
})

const counted: Column.Column = { name: "rows", type: { _tag: "BIGINT" }, nullable: false }
const text = { type: { _tag: "VARCHAR" }, nullable: true } as const

/** A local file as SQL reads it: what its folders are called is not its concern. */
export const scan = (path: string): string => `read_parquet(${Database.literal(path)}, hive_partitioning = false)`

/** What DuckDB calls the place of a row in its file. */
export const rowPlace = "file_row_number"

/** The same of files with the same columns, with the place of each row in its file as `file_row_number`. */
export const numbered = (...paths: ReadonlyArray<string>): string =>
  `read_parquet([${paths.map(Database.literal).join(", ")}], hive_partitioning = false, file_row_number = true)`

/** The edges of a column in many files, as rows. */
export const edgeColumns: ReadonlyArray<Column.Column> = [
  { name: "place", type: { _tag: "BIGINT" }, nullable: false },
  { name: "min", type: { _tag: "VARCHAR" }, nullable: true },
  { name: "max", type: { _tag: "VARCHAR" }, nullable: true }
]

/** Columns as others, in SQL: what a query selects to have those of a table out of those that are there; what is not there is null. */
export const projection = (
  from: ReadonlyArray<Column.Column>,
  to: ReadonlyArray<Column.Column>
): ReadonlyArray<string> =>
  to.map(({ name, type }) => {
    const present = Column.named(from, name)
    const value = present === undefined ? "NULL" : cast(stored(present), present.type, type)
    return `CAST(${value} AS ${Column.toSql(type)}) AS ${Column.quote(name)}`
  })

/**
 * A column of a file with its own type, in SQL. JSON is text in a file: inside of a struct or a list it is made JSON again,
 * because DuckDB would take it for a text and write it as a JSON string.
 */
export const stored = ({ name, type }: Column.Column): string => {
  const isNested = type._tag === "STRUCT" || type._tag === "LIST"
  const sql = Column.toSql(type)
  return isNested && sql.includes("JSON") ? `CAST(${Column.quote(name)} AS ${sql})` : Column.quote(name)
}
