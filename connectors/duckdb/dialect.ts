/** DuckDB as a dialect of the planner: how it spells, stores and compares, and what it does in its own way. */
import * as Column from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
import { cast, lossOf } from "#engine/duckdbCast"
import { duckdbDialect } from "#engine/duckdbDialect"
import type { SqlDialect } from "#engine/SqlDialect"
import { isWithoutZone, isZoned, leaveZones, typeSql, withoutZones, withZones } from "./columnSql.ts"
import * as Place from "./Place.ts"

const { literal } = Database

/** What is the same in each place. */
const dialect = {
  ...duckdbDialect,
  // Points in time of tables of older versions have no zone, and stay so.
  type: (type, stored) => (stored !== undefined && isWithoutZone(stored) ? Column.toSql(type) : typeSql(type)),
  typeOf: columnFromSql,
  isNarrow: (sql, type) => plain(sql) !== plain(Column.toSql(type)),
  areAlike: (one, other) => plain(one) === plain(other),
  // Another column of this name hides DuckDB's numbers of rows, and its values may be equal.
  rowIdFault: (table, columns, write) => {
    const taken = write === "append" ? undefined : Column.named(columns, "rowid")
    return (
      taken &&
      `table ${table} has a column ${taken.name}, by which DuckDB numbers its rows for ${write}; rename it, or append`
    )
  },
  rowId: () => "rowid",
  arrival: "rowid",
  selected: (value, type) => Cell.marked(type, value),
  cast: (value, from, to, sql) => {
    const wide = cast(leaveZones(value, from), from, to)
    return `CAST(${isZoned(sql) ? withZones(wide, to) : wide} AS ${sql})`
  },
  loses: lossOf
} satisfies Partial<SqlDialect>

/** A type without what DuckDB may spell in another way, and without zones. */
const plain = (sql: string): string =>
  withoutZones(sql)
    .toLowerCase()
    .replace(/[\s"]+/g, "")

/** The dialect in a place. */
export const dialectIn = (place: Place.DatabaseLocation, driver: Cell.Driver): SqlDialect => {
  const named = (table: string) => Place.named(place, table)
  const within = Place.within(place)
  const catalog = `SELECT t.name, c.column_name, c.data_type, c.is_nullable, c.column_default, t.kind, c.comment, t.comment, TRUE
    FROM (SELECT table_name AS name, 'table' AS kind, comment FROM duckdb_tables() WHERE ${within}
      UNION ALL SELECT view_name, 'View', comment FROM duckdb_views() WHERE ${within}) AS t
    LEFT JOIN (FROM duckdb_columns() WHERE ${within}) AS c ON c.table_name = t.name ORDER BY c.column_index`
  const comment = (what: string, text: string | null) =>
    `COMMENT ON ${what} IS ${text === null ? "NULL" : literal(text)}`
  return {
    ...dialect,
    read: (type) => Cell.decoder(driver, type),
    table: named,
    spoken: (table) => Place.spoken(place, table),
    catalog,
    describe: (table) =>
      `SELECT * EXCLUDE (name) FROM (${catalog}) WHERE lower(name) = ${literal(table.toLowerCase())}`,
    alter: (table, clauses) => clauses.map((clause) => `ALTER TABLE ${named(table)} ${clause}`),
    // The view does not contain the name under which the file is attached here, because other programs use other names.
    view: (name, table) => {
      const own = (name: string) => `${Column.quote(place.schema)}.${Column.quote(name)}`
      const view = `CREATE VIEW ${own(name)} AS SELECT * FROM ${own(table)} WHERE is_current`
      return [`USE ${Place.schemaOf(place)}`, view, "USE memory"].join(";\n")
    },
    comments: {
      table: (table, kind, text) => comment(`${kind} ${named(table)}`, text),
      column: (table, column, text) => comment(`COLUMN ${named(table)}.${Column.quote(column)}`, text)
    }
  }
}
