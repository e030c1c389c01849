/** Many files of a table as SQL reads them together: those of a partition have its values from their path. */
import * as Path from "node:path"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { columnsOf } from "../manifest/columnsAfter.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import * as Partition from "../manifest/Partition.ts"
import { projection } from "./fileSql.ts"

type Table = Pick<Manifest.TableState, "columns" | "partition">

/** A call that reads local files, by paths that end as those in the lake do. */
export const readFiles = (table: Table, paths: ReadonlyArray<string>, options: ReadonlyArray<string> = []): string =>
  readPaths({ ...table, columns: columnsOf(table.columns) }, paths.map(Database.literal), options)

/**
 * The rows of a table, its columns as the table has them. `paths`: of its files, as SQL writes them. DuckDB before 1.5 takes the
 * name of the folder of nulls for a text, so a value of a partition is a text first; where a row has that very text, only a newer
 * one can tell both apart.
 */
export const rowsSql = (table: Manifest.TableState, paths: ReadonlyArray<string>): string => {
  const columns = columnsOf(table.columns)
  if (paths.length > 0) {
    const values = projection(columns, columns).map((value, at) => {
      const { name, type } = columns[at] ?? { name: "", type: text }
      if (!table.partition.includes(name)) return value
      const isSaid = table.files.some(({ partition }) => partition[name] === Partition.hiveNull)
      const shown = isSaid
        ? Column.quote(name)
        : `nullif(${Column.quote(name)}, ${Database.literal(Partition.hiveNull)})`
      return `CAST(${shown} AS ${Column.toSql(type)}) AS ${Column.quote(name)}`
    })
    const texts = columns.map((column) => ({
      ...column,
      type: table.partition.includes(column.name) ? text : column.type
    }))
    return `SELECT ${values.join(", ")} FROM ${readPaths({ partition: table.partition, columns: texts }, paths)}`
  }
  return noRowsSql(table)
}

/** The columns of a table without rows. `fault`: why its rows cannot be read, with which a question to the table fails. */
export const noRowsSql = (table: Table, fault?: string): string => {
  const nothing = columnsOf(table.columns).map(
    ({ name, type }) => `CAST(NULL AS ${Column.toSql(type)}) AS ${Column.quote(name)}`
  )
  const where = fault === undefined ? "false" : `CAST(error(${Database.literal(fault)}) AS BOOLEAN)`
  return `SELECT ${nothing.join(", ")} WHERE ${where}`
}

const text: Column.ColumnType = { _tag: "VARCHAR" }

const readPaths = (
  { columns, partition }: Pick<Table, "partition"> & { readonly columns: ReadonlyArray<Column.Column> },
  paths: ReadonlyArray<string>,
  options: ReadonlyArray<string> = []
): string => {
  const types = partition.flatMap((name) => {
    const column = Column.named(columns, name)
    const columnName = Partition.named(name)
    return column === undefined
      ? []
      : [`${Database.literal(columnName)}: ${Database.literal(Column.toSql(column.type))}`]
  })
  const hive =
    types.length === 0
      ? ["hive_partitioning = false"]
      : ["hive_partitioning = true", `hive_types = {${types.join(", ")}}`]
  const parameters = ["union_by_name = true", ...hive, ...options]
  const files = `read_parquet([${paths.join(", ")}], ${parameters.join(", ")})`
  // A column may be in no file yet: its run had no rows. DuckDB drops the empty part when it plans.
  const nothing = columns.flatMap(({ name, type }) =>
    partition.includes(name) ? [] : [`CAST(NULL AS ${Column.toSql(inFiles(type))}) AS ${Column.quote(name)}`]
  )
  const read =
    nothing.length === 0 ? files : `(FROM ${files} UNION ALL BY NAME SELECT ${nothing.join(", ")} WHERE false)`
  // DuckDB takes the names of columns from the path as they stand there.
  const others = partition.filter((name) => Partition.named(name) !== name)
  if (others.length === 0) return read
  const renamed = others.map((name) => `${Column.quote(Partition.named(name))} AS ${Column.quote(name)}`)
  return `(SELECT * RENAME (${renamed.join(", ")}) FROM ${read})`
}

/** A type as files have it: JSON is text there. */
const inFiles = (type: Column.ColumnType): Column.ColumnType => {
  switch (type._tag) {
    case "JSON":
      return text
    case "LIST":
      return { _tag: "LIST", of: { ...type.of, type: inFiles(type.of.type) } }
    case "STRUCT":
      return { _tag: "STRUCT", fields: type.fields.map((field) => ({ ...field, type: inFiles(field.type) })) }
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "TIMESTAMP":
    case "VARCHAR":
      return type
  }
}

/** Where a copy of a file is kept: in the folders of its partition. */
export const placeOf = (folder: string, number: number, { path }: Pick<Manifest.DataFile, "path">): string =>
  Path.join(folder, Path.dirname(path), `${number}.parquet`)
