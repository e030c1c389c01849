/**
 * Columns as other columns, in SQL: what a query selects to have those of a table out of those that are there.
 *
 * The law: a column that is not there is null.
 */
import { cast } from "../../src/duckdb/cast.ts"
import * as Column from "../../src/pipeline/Column.ts"

export const projection = (
  from: ReadonlyArray<Column.Column>,
  to: ReadonlyArray<Column.Column>
): ReadonlyArray<string> =>
  to.map(({ name, type }) => {
    const present = Column.named(from, name)
    const value = present === undefined ? "NULL" : cast(Column.quote(present.name), present.type, type)
    return `CAST(${value} AS ${Column.toSql(type)}) AS ${Column.quote(name)}`
  })
