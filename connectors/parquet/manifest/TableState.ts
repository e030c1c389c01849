/** A table in a manifest: its columns, their contents, its files, and its versions in Delta and Iceberg. */
import { createHash } from "node:crypto"
import * as Schema from "effect/Schema"
import type * as Column from "#engine/Column"
import { toSql } from "#engine/Column"
import * as ColumnRegistry from "#engine/ColumnRegistry"
import { DataFile, said } from "./DataFile.ts"

const count = Schema.Int

export const FileList = Schema.Struct({
  path: said(
    Schema.String,
    "where the list is, below the folder that has `_manifest/`; its key `files` has the same form as that of a table"
  ),
  files: said(count, "how many files it names"),
  without: Schema.optionalKey(
    said(
      Schema.Array(Schema.String),
      "the paths of listed files that the table no longer has; absent if it has all of them"
    )
  )
})
export type FileList = typeof FileList.Type

export const TableState = Schema.Struct({
  columns: said(
    Schema.Array(
      Schema.Struct({
        name: said(Schema.String, "the column"),
        type: said(Schema.String, "its SQL type"),
        description: Schema.optionalKey(said(Schema.String, "what it holds, if described"))
      })
    ),
    "the columns in order; a file that was written before a column was added lacks it"
  ),
  registry: Schema.optionalKey(
    said(
      ColumnRegistry.Registry,
      "all columns that runs have written. `from`: the name of the column in the source, if it is another name. `types`: its types, each with the run that first wrote it. `compared`: a history compares it. `contract`: what the last run with it was allowed to change. `key` and `parent`, in a table of the items of a list: it identifies them, and the table and column of the row that they belong to. Absent if an older version wrote the table"
    )
  ),
  description: Schema.optionalKey(
    said(
      Schema.String,
      "what a row is; like the descriptions of columns, it comes from the last commit that changed columns or files"
    )
  ),
  schema_hash: said(Schema.String, "a hash of the names and types of the columns: it changes when they do"),
  key: said(Schema.Array(Schema.String), "the columns that identify a row"),
  partition: said(Schema.Array(Schema.String), "the columns whose values name folders"),
  rows: said(count, "the rows of all files"),
  bytes: said(count, "the size of all files"),
  files: said(Schema.Array(DataFile), "the files of the table, without those in its `lists`"),
  lists: Schema.optionalKey(
    said(
      Schema.Array(FileList),
      "lists of more files of the table, which several manifests share; only tables of many files have them"
    )
  ),
  delta: Schema.optionalKey(
    said(
      Schema.Struct({
        id: said(Schema.String, "the id of the Delta table"),
        version: said(count, "the version of its log that matches this manifest"),
        bounds: Schema.optionalKey(
          said(
            Schema.Boolean,
            "false: the log has no bounds of columns; absent in older manifests, and the next commit adds their files again"
          )
        ),
        digests: Schema.optionalKey(
          said(
            Schema.Array(Schema.String),
            "the first digits of the SHA-256 of the versions of the log, from the last one with a checkpoint to `version`; absent in older manifests, and the next commit adds a version with a checkpoint"
          )
        )
      }),
      "the place of the table in its Delta log; absent in manifests of version 0.1"
    )
  ),
  iceberg: Schema.optionalKey(
    said(
      Schema.Struct({
        id: said(Schema.String, "the id of the Iceberg table"),
        snapshot: said(
          count,
          "the number of the last manifest that changed the table, which is also the id of its Iceberg snapshot"
        )
      }),
      "the place of the table in Iceberg; absent if it is not an Iceberg table"
    )
  )
})
export type TableState = typeof TableState.Type

/** The columns of a table for its manifest. */
export const columnsOf = (columns: ReadonlyArray<Column.Column>): TableState["columns"] =>
  columns.map(({ description, name, type }) => ({
    name,
    type: toSql(type),
    ...(description === undefined ? {} : { description })
  }))

export const hashOf = (columns: TableState["columns"]): string =>
  createHash("sha256")
    .update(JSON.stringify(columns.map(({ name, type }) => ({ name, type }))))
    .digest("hex")
