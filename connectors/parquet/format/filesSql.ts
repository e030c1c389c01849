/** Many files of a table as SQL reads them together: those of a partition have its values from their path. */
import * as Path from "node:path"
import * as Database from "../../../src/duckdb/Database.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Manifest from "../lake/Manifest.ts"
import { columnsOf } from "../table/columnsAfter.ts"
import { projection } from "./fileSql.ts"

type Table = Pick<Manifest.TableState, "columns" | "partition">

/** A call that reads local files, by paths that end as those in the lake do. */
export const readFiles = (table: Table, paths: ReadonlyArray<string>, options: ReadonlyArray<string> = []): string =>
  readPaths(table, paths.map(Database.literal), options)

/** The rows of a table, its columns as the table has them. `paths`: of its files, as SQL writes them. */
export const rowsSql = (table: Table, paths: ReadonlyArray<string>): string => {
  const columns = columnsOf(table.columns)
  if (paths.length > 0) return `SELECT ${projection(columns, columns).join(", ")} FROM ${readPaths(table, paths)}`
  const nothing = columns.map(({ name, type }) => `CAST(NULL AS ${Column.toSql(type)}) AS ${Column.quote(name)}`)
  return `SELECT ${nothing.join(", ")} WHERE false`
}

const readPaths = (
  { columns, partition }: Table,
  paths: ReadonlyArray<string>,
  options: ReadonlyArray<string> = []
): string => {
  const types = partition.flatMap((name) => {
    const column = Column.named(columnsOf(columns), name)
    return column === undefined ? [] : [`${Database.literal(name)}: ${Database.literal(Column.toSql(column.type))}`]
  })
  const hive =
    types.length === 0
      ? ["hive_partitioning = false"]
      : ["hive_partitioning = true", `hive_types = {${types.join(", ")}}`]
  const said = ["union_by_name = true", ...hive, ...options]
  return `read_parquet([${paths.join(", ")}], ${said.join(", ")})`
}

/** Where a copy of a file is kept: in the folders of its partition. */
export const placeOf = (folder: string, number: number, { path }: Pick<Manifest.DataFile, "path">): string =>
  Path.join(folder, Path.dirname(path), `${number}.parquet`)
