/** Many files of a table as SQL reads them together: those of a partition have its values from their path. */
import * as Path from "node:path"
import * as Database from "../../../src/duckdb/Database.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Manifest from "../lake/Manifest.ts"
import { columnsOf } from "../table/columnsAfter.ts"

/** A call that reads local files, by paths that end as those in the lake do. */
export const readFiles = (
  { columns, partition }: Pick<Manifest.TableState, "columns" | "partition">,
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
  return `read_parquet([${paths.map(Database.literal).join(", ")}], ${said.join(", ")})`
}

/** Where a copy of a file is kept: in the folders of its partition. */
export const placeOf = (folder: string, number: number, { path }: Pick<Manifest.DataFile, "path">): string =>
  Path.join(folder, Path.dirname(path), `${number}.parquet`)
