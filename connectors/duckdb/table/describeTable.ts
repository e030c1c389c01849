/**
 * What a table and its columns are, as comments in the database.
 *
 * The law: words that are there stay, whoever wrote them. Comments are written before any row is changed, as all that
 * alters a table.
 */
import * as Effect from "effect/Effect"
import * as Database from "../../../src/duckdb/Database.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Table from "../../../src/pipeline/Table.ts"
import * as Place from "../file/Place.ts"

/** Says it where nothing is said. `name`: what the table is called now; `columns`: those with what the sink adds. */
export const describeTable = Effect.fnUntraced(function* (
  database: Database.Database,
  place: Place.Place,
  { description }: Pick<Table.Table, "description">,
  name: string,
  columns: ReadonlyArray<Column.Column>
) {
  const target = Place.named(place, name)
  const at = [place.catalog, place.schema, name]
  const within = "database_name = $1 AND lower(schema_name) = lower($2) AND lower(table_name) = lower($3)"
  const tables = yield* database.query(`SELECT 1 AS n FROM duckdb_tables() WHERE ${within} AND comment IS NULL`, [], at)
  if (tables.length > 0 && description !== "") {
    yield* database.run(`COMMENT ON TABLE ${target} IS ${Database.literal(description)}`)
  }
  const silent = yield* database.query(
    `SELECT column_name AS name FROM duckdb_columns() WHERE ${within} AND comment IS NULL`,
    [{ name: "name", type: { _tag: "VARCHAR" }, nullable: false }],
    at
  )
  for (const row of silent) {
    const own = String(row["name"])
    const said = Column.named(columns, own)?.description
    if (said === undefined) continue
    yield* database.run(`COMMENT ON COLUMN ${target}.${Column.quote(own)} IS ${Database.literal(said)}`)
  }
})
