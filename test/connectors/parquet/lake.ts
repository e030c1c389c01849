/** What tests of the Parquet sink share: stores of folders, and a reader that believes only the manifest. */
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { fileStore } from "#connectors/file/index"
import { readManifest } from "#connectors/parquet/index"
import * as Database from "#engine/Duckdb"
import * as Cell from "#engine/DuckdbCell"
import * as ObjectStore from "#engine/ObjectStore"
import type * as Table from "#engine/Table"
import { reading } from "../duckdb/reading.ts"

export const stores = Layer.succeed(ObjectStore.ObjectStores, {
  open: (location: string, directory: string) => fileStore.open(resolve(directory, location))
})

export const manifestOf = (folder: string) => Effect.flatMap(fileStore.open(folder), readManifest)

export const filesOf = (folder: string, table: string) =>
  Effect.map(manifestOf(folder), (manifest) =>
    Option.match(manifest, { onNone: () => [], onSome: ({ tables }) => tables[table]?.files ?? [] })
  )

export const readLake = (folder: string, table: Table.Table) =>
  Effect.gen(function* () {
    const manifest = Option.getOrUndefined(yield* manifestOf(folder))
    const { columns, files, partition } = manifest?.tables[table.name] ?? { columns: [], files: [], partition: [] }
    if (files.length === 0) return []
    const names = table.columns.map(Cell.selected).join(", ")
    const list = files.map(({ path }) => Database.literal(`${folder}/${path}`)).join(", ")
    const sql = `SELECT ${names} FROM (${selectFrom(columns, partition, list)})`
    return yield* reading((database) => database.query(sql, table.columns))
  })

/** The rows of a table as its manifest says them: a partition has its values in the path, and JSON is text in the files. */
export const selectFrom = (
  columns: ReadonlyArray<{ readonly name: string; readonly type: string }>,
  partition: ReadonlyArray<string>,
  files: string
): string => {
  const types = columns.filter(({ name }) => partition.includes(name)).map(({ name, type }) => `'${name}': '${type}'`)
  const hive = types.length === 0 ? "hive_partitioning = false" : `hive_partitioning = true, hive_types = {${types}}`
  const json = columns
    .filter(({ type }) => type.includes("JSON"))
    .map(({ name, type }) => `"${name}"::${type} AS "${name}"`)
  const replaced = json.length === 0 ? "" : `REPLACE (${json})`
  return `SELECT * ${replaced} FROM read_parquet([${files}], union_by_name = true, ${hive})`
}
